// Draws the manual's pictures of the page: node pictures.mjs, after `cargo build`.

import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { folder, launch, open, run, scene, serve, settled } from "./test/browser.mjs";

const docs = resolve(dirname(fileURLToPath(import.meta.url)), "../../../docs");
// The page shows the names of the files as they are on the command line.
process.chdir(folder());
await run("bake", scene("village.glb"), "-o", "village.navgrid", "--quiet");
const server = await serve("village.navgrid", "--scene", scene("village.glb"));
const browser = await launch();

async function picture(state, file, { width = 1280, height = 780, act = null, ...options } = {}) {
  const { page } = await open(browser, `${server.address}#agent=human&${state}`, { width, height, ...options });
  if (act) await page.evaluate(act);
  await page.waitForTimeout(500);
  await settled(page);
  await page.screenshot({ path: join(docs, file) });
}

const ends = "from=60,0,30&to=-60,8,-50";
await picture(`tab=walk&${ends}&eye=100,58,84&target=10,-2,4`, "view.png");
await picture("tab=ask&asked=54,4.4,22.1&layer=clearance&eye=82,24,52&target=52,1,18&theme=dark", "src/images/view_ask.png");
await picture("tab=crowd&count=300&seed=3&eye=75,26,70&target=40,1,22", "src/images/view_crowd.png", {
  act: () => surefoot.crowd.start().then(() => surefoot.crowd.run(15)),
});
await browser.close();
server.end();
process.exit(0);
