// Builds the page into ../dist: node build.mjs. The same sources give the same bytes, on any machine with
// the same versions of rustc and of the packages in package-lock.json.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync, copyFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const page = dirname(fileURLToPath(import.meta.url));
const root = resolve(page, "../../..");
const dist = resolve(process.argv[2] ?? join(page, "../dist"));
mkdirSync(dist, { recursive: true });

for (const [entry, name] of [["src/main.ts", "page.js"], ["src/worker.ts", "worker.js"]]) {
  await build({
    entryPoints: [join(page, entry)],
    outfile: join(dist, name),
    absWorkingDir: page,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    // The licenses are a file of their own.
    legalComments: "none",
    logLevel: "warning",
  });
}
copyFileSync(join(page, "index.html"), join(dist, "index.html"));
copyFileSync(join(page, "style.css"), join(dist, "style.css"));
const license = readFileSync(join(page, "node_modules/three/LICENSE"), "utf8");
writeFileSync(join(dist, "LICENSES.txt"), `page.js contains parts of three.js:\n\n${license}`);

// Other versions give other bytes: who compares looks here first.
const rustc = execFileSync("rustc", ["--version"], { encoding: "utf8" });
writeFileSync(join(dist, "BUILT_BY.txt"), rustc);

// Paths in panic messages must not tell where it was built.
const cargo = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
const remap = [[root, "/surefoot"], [cargo, "/cargo"]].map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
const target = "wasm32-unknown-unknown";
execFileSync("cargo", ["build", "--locked", "--profile", "page", "--target", target, "-p", "surefoot_view_solver"], {
  cwd: root,
  env: { ...process.env, CARGO_ENCODED_RUSTFLAGS: remap.join("\x1f") },
  stdio: "inherit",
});
const built = process.env.CARGO_TARGET_DIR ?? join(root, "target");
copyFileSync(join(built, target, "page/surefoot_view_solver.wasm"), join(dist, "solver.wasm"));
