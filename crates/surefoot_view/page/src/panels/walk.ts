// Walk: a path between two ends that can be dragged, its costs, and the search as a film.

import { agentIndex, agentOf, agentOption, ask, quoted, type App } from "../app";
import { at, checkbox, copyLine, h, slider } from "../dom";
import type { PathReport, PathRequest, SeparationReport } from "../messages";
import { Latest } from "../solver";

const ENGINES: Record<string, string> = {
  straight: "the straight line", astar: "a search (A*)", index: "prepared routes", field: "a cost field",
};

export function walkPanel(app: App): HTMLElement {
  const { store } = app;
  const answer = h("div", { class: "answer", "aria-live": "polite" });
  const film = h("div");
  const latest = new Latest();
  const update = () => latest.run(async () => {
    const { from, to } = store.state;
    app.marks.ends(from, to, Math.max(agentOf(app).radius, 0.2));
    if (!from || !to) {
      answer.replaceChildren(h("p", { class: "faint" }, "Click the level in this tab to set the start, then the goal. Drag either of them."));
      app.marks.path(null, []);
      return app.marks.blockers([]);
    }
    const path = pathRequest(app);
    const { value, arrays } = await ask<{ report: PathReport; complete: boolean }>(app, { ask: "path", agent: agentIndex(app), path });
    app.marks.path(arrays.track as Float32Array, value.report.waypoints);
    answer.replaceChildren(...pathRows(app, value.report));
    if (value.complete) return app.marks.blockers([]);
    await explain(app, answer);
  });
  store.watch(["from", "to", "agent", "ascend", "descend", "useLinks", "nearest", "obstacles", "closedLinks", "factors"], () => {
    update();
    film.replaceChildren(filmButton(app, film));
    app.marks.setFilm(null, 1);
  });
  return h("section", {},
    h("h2", {}, "Path"),
    answer,
    h("h2", {}, "Costs"),
    slider({ label: "A metre of rise costs extra", min: 0, max: 10, step: 0.1, value: store.state.ascend, oninput: (ascend) => store.set({ ascend }) }),
    slider({ label: "A metre of fall costs extra", min: 0, max: 10, step: 0.1, value: store.state.descend, oninput: (descend) => store.set({ descend }) }),
    ...areaSliders(app),
    checkbox("Take links", store.state.useLinks, (useLinks) => store.set({ useLinks })),
    checkbox("Else lead as near as possible", store.state.nearest, (nearest) => store.set({ nearest })),
    h("h2", {}, "The search"),
    film,
  );
}

function pathRequest(app: App): PathRequest {
  const { from, to, ascend, descend, useLinks, nearest } = app.store.state;
  return { from: from ?? [0, 0, 0], to: to ?? [0, 0, 0], ascend, descend, links: useLinks, nearest };
}

function areaSliders(app: App): HTMLElement[] {
  const areas = app.level.areas.filter(({ forbidden }) => !forbidden);
  if (areas.length < 2) return [];
  const sliders = areas.map(({ name, cost }) => slider({
    label: `A metre of ${name}`, min: 0.1, max: 20, step: 0.1, value: app.store.state.factors[name] ?? cost,
    oninput: (factor) => app.store.set({ factors: { ...app.store.state.factors, [name]: factor } }),
  }));
  const areChanged = Object.keys(app.store.state.factors).length > 0;
  return [h("details", { open: areChanged }, h("summary", {}, `Costs of ${areas.length} areas`), ...sliders)];
}

/** The path in numbers, and the command that finds the same. */
function pathRows(app: App, report: PathReport): HTMLElement[] {
  const { from, to, ascend, descend } = app.store.state;
  const meters = (value: number | null) => `${(value ?? 0).toFixed(2)} m`;
  const rows: [string, string][] = report.length === null ? [] : [
    ["Length", meters(report.length)],
    ["Cost", (report.cost ?? 0).toFixed(2)],
    ["Up", `${meters(report.climb)} (costs ${((report.climb ?? 0) * ascend).toFixed(2)})`],
    ["Down", `${meters(report.descent)} (costs ${((report.descent ?? 0) * descend).toFixed(2)})`],
    ...Object.entries(report.areas).map(([name, length]): [string, string] =>
      [`On ${name}`, `${meters(length)} (costs ${(length * factorOf(app, name)).toFixed(2)})`]),
    ["Waypoints", String(report.waypoints.length)],
    ...(report.links.length > 0 ? [["Links", report.links.join(", ")] as [string, string]] : []),
    ["Found by", `${ENGINES[report.engine] ?? report.engine}, ${report.expanded} spans expanded`],
  ];
  const heading = report.outcome === "complete" ? "✓ a path" : `✗ ${report.outcome.replaceAll("_", " ")}`;
  const costs = `${ascend === 1 ? "" : ` --ascend-cost ${ascend}`}${descend === 0 ? "" : ` --descend-cost ${descend}`}`;
  const command = from && to
    ? `surefoot path ${quoted(app.source.config.grid)}${agentOption(app)} --from ${at(from)} --to ${at(to)}${costs}` : "";
  const { obstacles, closedLinks, factors, useLinks, nearest } = app.store.state;
  const without = [
    obstacles.length > 0 ? "your obstacles" : "",
    closedLinks.length > 0 || !useLinks ? "your choice of links" : "",
    Object.keys(factors).length > 0 ? "your costs of areas" : "",
  ].filter(Boolean);
  return [
    h("p", { class: report.outcome === "complete" ? "good" : "bad" }, heading),
    ...(report.why ? [h("p", {}, report.why)] : []),
    h("dl", {}, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    copyLine(nearest ? `${command} --goal ring` : command),
    ...(without.length > 0 ? [h("p", { class: "faint" }, `The command leaves out ${without.join(" and ")}.`)] : []),
  ];
}

/** What a metre of an area costs now. */
function factorOf(app: App, name: string): number {
  return app.store.state.factors[name] ?? app.level.areas.find((area) => area.name === name)?.cost ?? 1;
}

/** What is in the way, in order, each a place to look at. */
async function explain(app: App, answer: HTMLElement): Promise<void> {
  const { from, to } = app.store.state;
  if (!from || !to) return;
  const { value } = await ask<SeparationReport>(app, { ask: "separation", agent: agentIndex(app), from, to });
  const { blockers } = value;
  app.marks.blockers(blockers.map(({ at }) => at));
  if (blockers.length === 0) return;
  app.solids.light(blockers.flatMap(({ node }) => node ?? []));
  answer.append(h("p", {}, "In the way, in order:"), h("ol", { class: "blockers" }, ...blockers.map(({ at, words }) =>
    h("li", {}, h("button", { type: "button", class: "link", onclick: () => app.stage.lookAt(at) }, words)))));
}

function filmButton(app: App, film: HTMLElement): HTMLElement {
  return h("button", { type: "button", onclick: async () => {
    const { from, to } = app.store.state;
    if (!from || !to) return;
    const { value, arrays } = await ask<{ expanded: number }>(app, { ask: "film", agent: agentIndex(app), path: pathRequest(app) });
    app.marks.setFilm(arrays.centers as Float32Array, app.level.cell_size);
    const scrubber = slider({ label: `${value.expanded} spans expanded`, min: 0, max: 1, step: 0.001, value: 1, oninput: (share) => app.marks.playFilm(share) });
    film.replaceChildren(scrubber, playButton(app, scrubber),
      h("button", { type: "button", onclick: () => {
        app.marks.setFilm(null, 1);
        film.replaceChildren(filmButton(app, film));
      } }, "Close"));
  } }, "Show how a search finds it");
}

/** Plays the film in four seconds. */
function playButton(app: App, scrubber: HTMLElement): HTMLElement {
  return h("button", { type: "button", onclick: () => {
    const input = scrubber.querySelector("input");
    if (!input) return;
    const start = performance.now();
    const step = () => {
      const share = Math.min((performance.now() - start) / 4000, 1);
      input.valueAsNumber = share;
      app.marks.playFilm(share);
      if (share < 1 && input.isConnected) requestAnimationFrame(step);
    };
    step();
  } }, "Play");
}
