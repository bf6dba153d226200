// What the tests share: a browser, the commands, a level in a folder of its own, a server.

import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");
const commands = process.env.SUREFOOT_COMMANDS ?? join(root, "target/debug");

/** The browser: SUREFOOT_BROWSER, or Debian's Chromium. */
export const executablePath = process.env.SUREFOOT_BROWSER ?? "/usr/bin/chromium";
export const hasBrowser = existsSync(executablePath);

// WebGL 2 without a GPU; without the second flag the canvas stays empty.
const WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const QUIET = [
  "--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

export const launch = (flags = WEBGL) => chromium.launch({ executablePath, args: [...QUIET, ...flags] });

export const scene = (name) => join(root, "scenes", name);

/** A folder that is removed when the tests end. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), "surefoot-"));
  process.on("exit", () => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Runs a command to its end; returns what it printed, whatever its exit code. */
export async function run(command, ...words) {
  const file = join(commands, command);
  try {
    return (await promisify(execFile)(file, words, { maxBuffer: 1 << 28 })).stdout;
  } catch (error) {
    // 1 is an answer: there is no path, or nobody can stand there.
    if (error.code === 1) return error.stdout;
    throw new Error(`${command} ${words.join(" ")}: ${error.stderr}`);
  }
}

/** Serves a level; returns the address and how to end it. */
export async function serve(...words) {
  const server = spawn(join(commands, "surefoot"), ["view", ...words, "--port", "0"]);
  let told = "";
  server.stderr.on("data", (data) => (told += data));
  const address = await new Promise((found, failed) => {
    server.stdout.once("data", (data) => found(String(data).trim()));
    server.once("exit", () => failed(new Error(told)));
  });
  process.on("exit", () => server.kill());
  return { address, end: () => server.kill(), told: () => told };
}

/** Opens a page that shows a level; errors on its console are failures of `check`. */
export async function open(browser, address, { width = 1400, height = 900, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(address);
  await page.waitForFunction(() => window.surefoot?.ready, null, { timeout: 60_000 });
  await settled(page);
  return { page, errors };
}

/** Waits until all of the ground is there, and drawn. */
export async function settled(page) {
  await page.waitForFunction(() => window.surefoot.isComplete, null, { timeout: 60_000 });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** The colors of the level's picture, and how often each occurs. */
export async function colors(page) {
  const picture = await page.locator("#level").screenshot();
  return page.evaluate(async (bytes) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    const counts = {};
    for (let i = 0; i < data.length; i += 4) {
      const key = `${data[i] >> 4},${data[i + 1] >> 4},${data[i + 2] >> 4}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  }, [...picture]);
}

/** Numbers that look random and are the same each time. */
export function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
