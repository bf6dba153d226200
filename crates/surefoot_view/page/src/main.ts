// The page: opens the level, makes the stage and the panels, and follows the files on disk.

import { agentIndex, ask, why, type App } from "./app";
import { choices, h } from "./dom";
import type { LevelDescription, Vec3 } from "./messages";
import { askPanel } from "./panels/ask";
import { changePanel, type Selection } from "./panels/change";
import { crowdPanel, type CrowdControl } from "./panels/crowd";
import { lookPanel } from "./panels/look";
import { reportPanel } from "./panels/report";
import { walkPanel } from "./panels/walk";
import { watchPointer } from "./pointer";
import { Solver } from "./solver";
import { openSource } from "./source";
import { Store, type Tab, type Theme } from "./state";
import { Bodies } from "./view/bodies";
import { Ground } from "./view/ground";
import { Marks } from "./view/marks";
import { Obstacles } from "./view/obstacles";
import { Solids } from "./view/solids";
import { Stage } from "./view/stage";

/** Between two looks at the files on disk [ms]. */
const POLL = 500;
/** After so many looks without an answer the server counts as gone. */
const MOST_MISSES = 4;

const TABS: Record<Tab, string> = {
  look: "Look", ask: "Ask", walk: "Walk", change: "Change", crowd: "Crowd", report: "Report",
};

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

/** Tells in the line below. */
const tell = (text: string) => (element("status").textContent = text);

/** Shows a banner; an empty text hides it. */
function warn(text: string): void {
  const banner = element("banner");
  banner.textContent = text;
  banner.hidden = text === "";
}

/** Says in place of the level why it is not shown. */
function fail(text: string): void {
  element("failure").textContent = text;
  element("failure").hidden = false;
  element("loading").hidden = true;
}

async function main(): Promise<void> {
  const canvas = element<HTMLCanvasElement>("level");
  const store = new Store();
  watchTheme(store);
  let stage: Stage;
  try {
    stage = new Stage(canvas, store);
  } catch {
    return fail("This browser has no WebGL 2, which the level is drawn with. Turn on hardware acceleration, or open the page in another browser.");
  }
  const source = await openSource();
  const solver = new Solver(source.workerUrl);
  await solver.start(await source.module());
  tell("Loading the grid…");
  const { value: level } = await solver.ask<LevelDescription>({ ask: "load" }, await source.grid());
  const app: App = {
    source, solver, store, stage, level,
    ground: new Ground(stage, solver),
    solids: new Solids(stage),
    marks: new Marks(stage),
    obstacles: new Obstacles(stage),
    bodies: new Bodies(stage),
  };
  document.title = `${source.config.grid} · surefoot`;
  element("file").textContent = source.config.grid;
  warn(source.config.warning ?? "");
  chooseKnownAgent(app);
  const applyChanges = () => {
    const { obstacles, closedLinks, factors } = store.state;
    const changes = { obstacles, closed_links: closedLinks, factors };
    return ask(app, { ask: "change", changes }).catch((error: Error) => warn(error.message));
  };
  await applyChanges();
  store.on(["obstacles", "closedLinks", "factors"], applyChanges);
  const selection: Selection = { drops: "none", chosen: null, onchange: () => {} };
  let control = fillPanels(app, selection);
  watchStage(app);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => stage.setBackground(background()));
  stage.frameLevel(level);
  watchPointer(app, canvas, selection, tell);
  watchKeys(app, () => control);
  element("loading").hidden = true;
  const megabytes = Math.ceil(solver.memory / 2 ** 20);
  tell(`${level.summary.spans.toLocaleString("en")} spans of ${level.cell_size} m, ${megabytes} MB. Hover to ask, drag to turn.`);
  app.solids.load(await source.scene());
  expose(app, () => control, applyChanges);
  if (source.isLive) {
    void follow(app, async () => {
      control.stop();
      app.store.forget();
      chooseKnownAgent(app);
      watchTheme(store);
      store.on(["obstacles", "closedLinks", "factors"], applyChanges);
      await applyChanges();
      control = fillPanels(app, selection);
      watchStage(app);
    });
  }
}

/** Shows the first agent if the grid does not have the one that was shown. */
function chooseKnownAgent({ level, store }: App): void {
  if (!level.agents.some(({ name }) => name === store.state.agent)) store.set({ agent: level.agents[0]?.name ?? "" });
}

/** Makes the panels; called again for a level that has changed. */
function fillPanels(app: App, selection: Selection): CrowdControl {
  const { store, level, source } = app;
  const crowd = crowdPanel(app);
  const panels: Record<Tab, HTMLElement | null> = {
    look: lookPanel(app),
    ask: askPanel(app),
    walk: walkPanel(app),
    change: changePanel(app, selection),
    crowd: crowd.element,
    report: source.config.report ? reportPanel(app, source.config.report) : null,
  };
  const names = Object.fromEntries(Object.entries(TABS).filter(([tab]) => panels[tab as Tab])) as Record<Tab, string>;
  const agents = h("select", { id: "agent", "aria-label": "Agent", onchange: () => store.set({ agent: agents.value }) },
    ...level.agents.map(({ name }) => h("option", { value: name }, name)));
  element("agent").replaceWith(agents);
  store.watch(["agent"], ({ agent }) => (agents.value = agent));
  store.watch(["tab"], ({ tab }) => {
    element("tabs").replaceChildren(choices("Panels", names, tab, (tab) => store.set({ tab })));
    const panel = panels[tab] ?? panels.look;
    if (panel) element("panel").replaceChildren(panel);
  });
  return crowd.control;
}

/** Keeps what is drawn in step with the state. */
function watchStage(app: App): void {
  const { store } = app;
  app.ground.setLevel(app.level);
  store.watch(["layer", "verdicts", "showGround", "cut", "agent"], (state) => app.ground.show(state, agentIndex(app)));
  store.watch(["showScene", "cut"], (state) => app.solids.show(state));
  store.watch(["closedLinks", "agent"], ({ closedLinks }) => app.marks.links(app.level.links, closedLinks, agentIndex(app)));
  store.watch(["showLinks"], ({ showLinks }) => (app.marks.areLinksShown = showLinks));
  store.on(["mode"], ({ mode }) => app.stage.setMode(mode));
  store.on(["theme"], () => app.stage.setBackground(background()));
  app.stage.setBackground(background());
}

const background = () => Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue("--sky").trim().slice(1), 16);

function watchTheme(store: Store): void {
  const names: Record<Theme, string> = { auto: "Theme: auto", light: "Light", dark: "Dark" };
  const select = element<HTMLSelectElement>("theme");
  select.replaceChildren(...Object.entries(names).map(([theme, name]) => h("option", { value: theme }, name)));
  select.onchange = () => store.set({ theme: select.value as Theme });
  store.watch(["theme"], ({ theme }) => {
    document.documentElement.dataset.theme = theme;
    select.value = theme;
  });
}

function watchKeys(app: App, control: () => CrowdControl): void {
  const layers = ["verdict", "region", "clearance", "slope", "area"] as const;
  addEventListener("keydown", (event) => {
    const { target } = event;
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const { store, level } = app;
    const layer = layers[Number(event.key) - 1];
    const agent = (by: number) => {
      const count = level.agents.length;
      store.set({ agent: level.agents[(agentIndex(app) + by + count) % count].name });
    };
    const keys: Record<string, () => void> = {
      " ": () => control().toggle(),
      "[": () => agent(-1),
      "]": () => agent(1),
      Home: () => app.stage.frameLevel(level, true),
      Escape: () => store.set({ asked: null }),
    };
    // Space presses the button that has the focus.
    const isPress = target instanceof HTMLButtonElement && event.key === " ";
    if (layer) store.set({ layer });
    else if (Object.hasOwn(keys, event.key) && !isPress) {
      keys[event.key]();
      event.preventDefault();
    }
  });
}

/** Loads the level again when its files change; `renew` then makes everything that shows it anew. */
async function follow(app: App, renew: () => Promise<void>): Promise<void> {
  const { source } = app;
  let known = await source.revision();
  let misses = 0;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL));
    try {
      const now = await source.revision();
      if (misses >= MOST_MISSES) warn("");
      misses = 0;
      if (now.message && now.message !== known.message) tell(now.message);
      if (now.grid !== known.grid) {
        const { value } = await app.solver.ask<LevelDescription>({ ask: "load" }, await source.grid());
        app.level = value;
        await renew();
        tell(`The grid has changed: ${value.summary.spans.toLocaleString("en")} spans.`);
      }
      if (now.scene !== known.scene || now.grid !== known.grid) {
        app.solids.load(await source.scene());
        warn((await source.warning()) ?? "");
      }
      known = now;
    } catch (error) {
      if (++misses === MOST_MISSES) warn(`The server of this page is gone, or a file cannot be read: ${(error as Error).message}`);
    }
  }
}

/** For the console, and for tests: `await surefoot.why([x, y, z])`. */
function expose(app: App, control: () => CrowdControl, applyChanges: () => Promise<unknown>): void {
  const path = async (from: Vec3, to: Vec3) =>
    (await ask<{ report: unknown }>(app, { ask: "path", agent: agentIndex(app), path: { from, to } })).value.report;
  Object.assign(window, {
    surefoot: {
      store: app.store,
      ready: true,
      why: async (at: Vec3) => (await why(app, at)).report,
      path,
      get crowd() { return control(); },
      change: applyChanges,
      project: (point: Vec3) => app.stage.project(point),
      get level() { return app.level; },
      get isComplete() { return app.ground.isComplete; },
      get rectangles() { return app.ground.rectangles; },
      get solids() { return app.solids.count; },
      get frames() { return app.stage.frames; },
      get drawCalls() { return app.stage.renderer.info.render.calls; },
      get memory() { return app.solver.memory; },
    },
  });
}

main().catch((error: Error) => {
  console.error(error);
  fail(`The level cannot be shown: ${error.message}`);
});
