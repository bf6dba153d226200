// The page in a real browser, held against the commands. Run it by: npm test

import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { colors, executablePath, folder, hasBrowser, launch, open, random, run, scene, serve, settled } from "./browser.mjs";

const skip = hasBrowser ? false : `there is no browser at ${executablePath}`;
if (skip) console.log(`skipped: ${skip}`);

const place = folder();
const grid = join(place, "level.navgrid");
const file = scene("two_storeys.glb");
let browser;
let server;

before(async () => {
  if (skip) return;
  await run("bake", file, "-o", grid);
  browser = await launch();
  server = await serve(grid, "--scene", file);
});

after(async () => {
  await browser?.close();
  server?.end();
});

afterEach(() => Promise.all(browser?.contexts().map((context) => context.close()) ?? []));

/** A page on the level of all tests. */
const level = (state = "", options = {}) => open(browser, `${server.address}#agent=human&${state}`, options);

/** Places all over the level, on ground and off it. */
async function places(page, count, seed) {
  const { min, max } = await page.evaluate(() => ({ min: surefoot.level.min, max: surefoot.level.max }));
  const next = random(seed);
  return Array.from({ length: count }, () => [0, 1, 2].map((axis) =>
    Number((min[axis] + next() * (max[axis] - min[axis])).toFixed(2))));
}

test("the level is drawn, and each layer differently", { skip }, async () => {
  const { page, errors } = await level();
  const isWebGl2 = await page.evaluate(() => document.getElementById("level").getContext("webgl2") !== null);
  assert.ok(isWebGl2, "the canvas has WebGL 2");
  const seen = new Set();
  for (const [index, layer] of ["verdict", "region", "clearance", "slope", "area"].entries()) {
    await page.keyboard.press(String(index + 1));
    await settled(page);
    assert.equal(await page.evaluate(() => surefoot.store.state.layer), layer);
    const found = await colors(page);
    assert.ok(Object.keys(found).length > 12, `${layer} has ${Object.keys(found).length} colors`);
    seen.add(JSON.stringify(found));
  }
  // All walkable ground of this level is one region, which looks like the verdict.
  assert.equal(seen.size, 4, "the layers look different");
  assert.deepEqual(errors, []);
});

test("a scene is baked first, its areas and regions have colors, and it is followed", { skip }, async () => {
  const own = join(place, "own.gltf");
  copyFileSync(scene("tagged.gltf"), own);
  const serving = await serve(own);
  const { page, errors } = await open(browser, serving.address);
  const look = async (layer) => {
    await page.evaluate((layer) => surefoot.store.set({ layer }), layer);
    await settled(page);
    return JSON.stringify(await colors(page));
  };
  assert.notEqual(await look("area"), await look("verdict"));
  const before = await page.evaluate(() => surefoot.level.scene_hash);
  copyFileSync(scene("gaps.gltf"), own);
  await page.waitForFunction((before) => surefoot.level.scene_hash !== before, before, { timeout: 20_000 });
  await page.evaluate(() => surefoot.store.set({ agent: "large" }));
  assert.notEqual(await look("region"), await look("verdict"));
  serving.end();
  assert.ok(errors.every((error) => /ERR_|Failed to (load|fetch)/.test(error)), errors.join("\n"));
});

test("a hundred places are explained as by surefoot why", { skip }, async () => {
  const { page, errors } = await level();
  for (const at of await places(page, 100, 1)) {
    const expected = JSON.parse(await run("surefoot", "why", grid, "--agent", "human", `--at=${at}`, "--json"));
    delete expected.schema;
    assert.deepEqual(await page.evaluate((at) => surefoot.why(at), at), expected, String(at));
  }
  assert.deepEqual(errors, []);
});

test("a hundred paths are those of surefoot paths", { skip }, async () => {
  const { page, errors } = await level();
  const ends = await places(page, 200, 2);
  const pairs = ends.filter((_, index) => index % 2 === 0).map((from, index) => [from, ends[2 * index + 1]]);
  const queries = join(place, "queries.txt");
  writeFileSync(queries, pairs.map((pair) => pair.flat().join(" ")).join("\n"));
  const lines = (await run("surefoot", "paths", grid, "--agent", "human", "--queries", queries, "--json")).trim().split("\n");
  assert.equal(lines.length, 100);
  let complete = 0;
  for (const [index, [from, to]] of pairs.entries()) {
    const expected = JSON.parse(lines[index]);
    const found = await page.evaluate(([from, to]) => surefoot.path(from, to), [from, to]);
    // Of queries between the same regions, `paths` explains the first. Times are nobody's answer.
    for (const key of ["schema", "micros", "why", "engine"]) {
      delete expected[key];
      delete found[key];
    }
    assert.deepEqual(found, expected, `${from} to ${to}`);
    complete += Number(found.outcome === "complete");
  }
  assert.ok(complete > 10, `${complete} of 100 lead to their goal`);
  assert.deepEqual(errors, []);
});

/** Two places on the ground in sight of each other, as the state has them. */
async function sightLine(page) {
  const at = await page.evaluate(() => surefoot.level.agents.find(({ name }) => name === "human").at);
  const next = random(7);
  for (let tries = 0; tries < 2000; tries++) {
    const to = [at[0] + (next() - 0.5) * 12, at[1], at[2] + (next() - 0.5) * 12];
    const found = await page.evaluate(([from, to]) => surefoot.path(from, to), [at, to]);
    if (found.outcome === "complete" && found.waypoints.length === 2 && found.length > 4) return [at, to];
  }
  throw new Error("there is no straight path");
}

test("an obstacle is dropped and dragged by the mouse, and the path follows", { skip }, async () => {
  const { page, errors } = await level("tab=walk&mode=top");
  const [from, to] = await sightLine(page);
  const middle = from.map((value, axis) => (value + to[axis]) / 2);
  await page.evaluate(([from, to]) => surefoot.store.set({ from, to, showScene: false, cut: from[1] + 0.5 }), [from, to]);
  const length = async () => {
    await settled(page);
    await page.waitForTimeout(300);
    return Number.parseFloat(await page.locator("#panel dd").first().textContent());
  };
  const free = await length();
  const project = (point) => page.evaluate((point) => surefoot.project(point), point);
  const start = await project(middle);
  // Dropped beside the path, then dragged onto it.
  const aside = await project([middle[0] + (to[2] - from[2]) * 0.5, middle[1], middle[2] - (to[0] - from[0]) * 0.5]);
  await page.evaluate(() => surefoot.store.set({ tab: "change" }));
  await page.getByRole("button", { name: "Cylinder" }).click();
  await page.mouse.click(start.x, start.y);
  assert.equal(await page.evaluate(() => surefoot.store.state.obstacles.length), 1);
  await page.evaluate(() => surefoot.store.set({ tab: "walk" }));
  const blocked = await length();
  assert.ok(blocked > free + 0.1, `${blocked} m around it, ${free} m without it`);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + aside.x) / 2, (start.y + aside.y) / 2, { steps: 4 });
  await page.mouse.move(aside.x, aside.y, { steps: 4 });
  await page.mouse.up();
  const [{ at }] = await page.evaluate(() => surefoot.store.state.obstacles);
  assert.ok(Math.hypot(at[0] - middle[0], at[2] - middle[2]) > 0.5, `it is at ${at} now`);
  const dragged = await length();
  assert.ok(dragged < blocked, `${dragged} m once it is out of the way`);
  await page.evaluate(() => surefoot.store.set({ tab: "change" }));
  await page.evaluate((at) => surefoot.store.set({ obstacles: [{ shape: "box", at, half: [1, 1, 1], yaw: 0 }] }), middle);
  await page.getByRole("button", { name: "box 1", exact: true }).click();
  const turned = await page.getByLabel("Turned by").elementHandle();
  await page.getByLabel("Turned by").fill("45");
  assert.ok(Math.abs(await page.evaluate(() => surefoot.store.state.obstacles[0].yaw) - Math.PI / 4) < 1e-6);
  assert.ok(await turned.evaluate((slider) => slider.isConnected), "the slider can be dragged on");
  await page.locator("#level").focus();
  await page.keyboard.press("Delete");
  assert.equal(await page.evaluate(() => surefoot.store.state.obstacles.length), 0);
  assert.deepEqual(errors, []);
});

test("a crowd arrives", { skip }, async () => {
  const { page, errors } = await level("tab=crowd&count=12&seed=1");
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForFunction(() => /12 bodies after [1-9]/.test(document.querySelector("#panel").textContent), null, { timeout: 60_000 });
  const end = await page.evaluate(async () => {
    await surefoot.crowd.start();
    return surefoot.crowd.run(120);
  });
  assert.deepEqual([end.members, end.arrived, end.stuck], [12, 12, 0]);
  assert.deepEqual(errors, []);
});

test("a crowd walks as one of the commands does, to the millimetre", { skip }, async () => {
  const csv = join(place, "crowd.csv");
  const seconds = 8;
  await run("surefoot", "run", grid, "--agent", "human", "--count", "60", "--seed", "3", "--seconds", `${seconds}`, "--csv", csv, "--quiet");
  const rows = readFileSync(csv, "utf8").trim().split("\n").map((line) => line.split(","));
  const now = rows.filter(([time]) => Number(time) === seconds);
  assert.equal(now.length, 60);
  assert.ok(now.filter((row) => row.at(-1) !== "arrived").length > 10, "most are under way");
  const last = now.map(([, , ...at]) => at.slice(0, 3).map(Number));
  const { page, errors } = await level("tab=crowd&count=60&seed=3");
  const places = await page.evaluate(async (seconds) => {
    await surefoot.crowd.start();
    await surefoot.crowd.run(seconds);
    return surefoot.crowd.places();
  }, seconds);
  const off = last.map((at, member) => Math.max(...at.map((v, axis) => Math.abs(v - places[4 * member + axis]))));
  assert.ok(Math.max(...off) < 0.0006, `${Math.max(...off)} m apart`);
  assert.deepEqual(errors, []);
});

test("a recorded run is replayed", { skip }, async () => {
  const csv = join(place, "run.csv");
  await run("surefoot", "run", grid, "--agent", "human", "--count", "5", "--seconds", "5", "--csv", csv, "--quiet");
  const { page, errors } = await level("tab=crowd");
  await page.locator("input[type=file]").setInputFiles(csv);
  await page.getByText("5 bodies after 0.0 s").waitFor();
  await page.locator("#panel input[type=range]").fill("20");
  await page.getByText("5 bodies after 2.0 s").waitFor();
  writeFileSync(csv, "time;x\n1;2\n");
  await page.locator("input[type=file]").setInputFiles([]);
  await page.locator("input[type=file]").setInputFiles(csv);
  await page.getByText("expected time,member,x,y,z,state").waitFor();
  assert.deepEqual(errors, []);
});

test("clicking asks, names what is in the way and gives the command", { skip }, async () => {
  const { page, errors } = await level("mode=top&showScene=false");
  const at = await page.evaluate(() => surefoot.level.agents.find(({ name }) => name === "human").at);
  await page.evaluate((at) => surefoot.store.set({ cut: at[1] + 0.5 }), at);
  await settled(page);
  const { x, y } = await page.evaluate((at) => surefoot.project(at), at);
  await page.mouse.move(x + 3, y);
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("Walkable"));
  await page.mouse.click(x, y);
  await page.getByText("✓ walkable").waitFor();
  const command = await page.locator(".command code").textContent();
  const words = command.split(" ").slice(1);
  assert.match(await run("surefoot", ...words), /^Walkable: human can stand here/);
  assert.deepEqual(errors, []);
});

test("a link to the page shows the same again", { skip }, async () => {
  const state = "tab=walk&layer=slope&from=1,2,3&to=4,5,6&ascend=3&obstacles=box:1,0,1,1,1,1,0.5;cylinder:3,0,3,1,2&theme=dark";
  const { page, errors } = await level(state);
  await page.evaluate(() => surefoot.store.set({ descend: 2 }));
  await page.waitForTimeout(400);
  const link = page.url();
  const { page: other } = await open(browser, link);
  const states = await Promise.all([page, other].map((one) => one.evaluate(() => surefoot.store.state)));
  for (const state of states) {
    for (const key of ["eye", "target"]) state[key] = state[key].map((value) => Math.round(value * 100));
  }
  assert.deepEqual(states[1], states[0]);
  assert.equal(states[1].obstacles.length, 2);
  assert.deepEqual(errors, []);
});

test("a broken link shows what can be shown of it", { skip }, async () => {
  const broken = "__proto__=1&layer=mud&verdicts=-1&ascend=-5&descend=1e39&count=3.7&seed=-1&mode=&cut=x&from=1,2&to=a,b,c"
    + "&closedLinks=-1,2.5&factors=walkable:-3&obstacles=box:5,0,5,-1,-1,-1,0;cylinder:5,0,5,0,0;prism:1;sphere:1,2,3&eye=1";
  const { page, errors } = await open(browser, `${server.address}#agent=nobody&tab=walk&${broken}`);
  const { state, agents } = await page.evaluate(() => ({ state: surefoot.store.state, agents: surefoot.level.agents }));
  assert.deepEqual([state.agent, state.obstacles, state.ascend, state.seed, state.verdicts], [agents[0].name, [], 1, 0, 191]);
  assert.deepEqual(errors, []);
});

test("a bake on disk shows without a reload, and the camera stays", { skip }, async () => {
  const own = join(place, "changing.navgrid");
  await run("bake", scene("stairs.gltf"), "-o", own);
  const serving = await serve(own, "--scene", scene("stairs.gltf"));
  const { page, errors } = await open(browser, `${serving.address}#eye=3,9,9&target=1,0,1`);
  const before = await page.evaluate(() => ({ spans: surefoot.level.summary.spans, eye: surefoot.store.state.eye, mark: (window.mark = 1) }));
  await run("bake", scene("stairs.gltf"), "-o", own, "--cell-size", "0.1");
  await page.waitForFunction((spans) => surefoot.level.summary.spans !== spans, before.spans, { timeout: 20_000 });
  await settled(page);
  const now = await page.evaluate(() => ({ spans: surefoot.level.summary.spans, eye: surefoot.store.state.eye, mark: window.mark }));
  assert.ok(now.spans > before.spans * 2);
  assert.deepEqual([now.eye, now.mark], [before.eye, 1]);
  assert.ok(Object.keys(await colors(page)).length > 8);
  // Another scene's grid is said to be that.
  await run("bake", scene("thin_wall.gltf"), "-o", own);
  await page.getByText("the grid was not baked from").waitFor({ timeout: 20_000 });
  // A broken file leaves the level as it was.
  writeFileSync(own, "this is no grid");
  await page.getByText("the page shows the level as it was before").waitFor({ timeout: 20_000 });
  assert.ok(await page.evaluate(() => surefoot.why([0, 0, 0])));
  // A server that ends is noticed.
  serving.end();
  await page.getByText("The server of this page is gone").waitFor({ timeout: 20_000 });
  assert.ok(errors.every((error) => /ERR_|Failed to (load|fetch)/.test(error)), errors.join("\n"));
});

test("an exported page opens from disk with the network off", { skip }, async () => {
  const html = join(place, "level.html");
  await run("surefoot", "view", grid, "--scene", file, "--export", html);
  const asked = [];
  const context = await browser.newContext({ offline: true });
  context.on("request", (request) => asked.push(request.url()));
  const page = await context.newPage();
  const errors = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`file://${html}`);
  await page.waitForFunction(() => window.surefoot?.ready, null, { timeout: 60_000 });
  await settled(page);
  assert.ok(Object.keys(await colors(page)).length > 12);
  assert.ok(await page.evaluate(() => surefoot.solids) > 0);
  assert.deepEqual(asked.filter((url) => !url.startsWith("file:") && !url.startsWith("blob:") && !url.startsWith("data:")), []);
  assert.deepEqual(errors, []);
});

test("a part of a level is exported by itself", { skip }, async () => {
  const [whole, part] = ["whole.html", "part.html"].map((name) => join(place, name));
  await run("surefoot", "view", grid, "--scene", file, "--export", whole);
  await run("surefoot", "view", grid, "--scene", file, "--export", part, "--bounds", "-3,-3,3,3");
  assert.ok(readFileSync(part).length < readFileSync(whole).length);
  const { page, errors } = await open(browser, `file://${part}`);
  const { min, max } = await page.evaluate(() => ({ min: surefoot.level.min, max: surefoot.level.max }));
  assert.ok(min[0] >= -3.5 && max[0] <= 3.5, `${min} to ${max}`);
  assert.deepEqual(errors, []);
});

test("reports of check and diff are shown, each finding on its place", { skip }, async () => {
  const checks = join(place, "checks.toml");
  writeFileSync(checks, '[[walkable]]\nat = [0, 50, 0]\n[[path]]\nfrom = [8, 0, 8]\nto = [8.5, 0, 8.5]\n');
  const html = join(place, "checks.html");
  await run("surefoot", "check", grid, checks, "--report", html);
  const { page, errors } = await open(browser, `file://${html}#tab=report&agent=human`);
  const text = await page.locator("#panel").textContent();
  assert.match(text, /\d hold, \d fail|\d checks? holds?, \d fails?/);
  assert.ok(await page.locator("#panel li.bad").count() > 0);
  await page.locator("#panel li.bad button").first().click();
  const other = join(place, "other.navgrid");
  await run("bake", file, "-o", other, "--obstacle", "*tair*");
  const diff = join(place, "diff.html");
  await run("surefoot", "diff", grid, other, "--html", diff, "--scene", file, "--paths", "20");
  const { page: changed, errors: more } = await open(browser, `file://${diff}#tab=report&agent=human`);
  await changed.locator("#panel li.lost button").first().click();
  await settled(changed);
  assert.ok(await changed.locator("#panel li.lost").count() > 0);
  assert.deepEqual([...errors, ...more], []);
});

test("the page is of use on a phone", { skip }, async () => {
  const { page, errors } = await level("", { width: 390, height: 844, hasTouch: true, isMobile: true });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `nothing is wider than the screen: ${wide}`);
  const at = await page.evaluate(() => surefoot.level.agents.find(({ name }) => name === "human").at);
  await page.evaluate((at) => surefoot.store.set({ mode: "top", cut: at[1] + 0.5, showScene: false }), at);
  await settled(page);
  const { x, y } = await page.evaluate((at) => surefoot.project(at), at);
  await page.touchscreen.tap(x, y);
  await page.getByText("✓ walkable").waitFor();
  assert.deepEqual(errors, []);
});

test("everything is reached by the keyboard", { skip }, async () => {
  const { page, errors } = await level();
  const reached = new Set();
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement?.textContent?.trim().slice(0, 20) || document.activeElement?.id));
  }
  for (const name of ["level", "Look", "Ask", "Walk", "Change", "Crowd", "Slope", "From above"]) assert.ok(reached.has(name), `${name}: ${[...reached]}`);
  await page.keyboard.press("]");
  assert.equal(await page.evaluate(() => surefoot.store.state.agent), "large");
  assert.deepEqual(errors, []);
});

test("without WebGL the page says what to do", { skip }, async () => {
  const plain = await launch(["--disable-gpu", "--disable-3d-apis"]);
  const page = await plain.newPage();
  await page.goto(server.address);
  await page.getByText("This browser has no WebGL 2").waitFor();
  await plain.close();
});

test("only the page's own files are served, and only to this machine's own names", { skip }, async () => {
  const { port } = new URL(server.address);
  const status = (path, headers = {}) => new Promise((found) => {
    request({ port, host: "127.0.0.1", path, headers }, (response) => {
      response.resume();
      found(response.statusCode);
    }).end();
  });
  assert.equal(await status("/level.navgrid"), 200);
  assert.equal(await status("/level.navgrid", { Host: `evil.example:${port}` }), 403);
  assert.equal(await status("/../../etc/passwd"), 404);
  assert.equal(await status(grid), 404);
});
