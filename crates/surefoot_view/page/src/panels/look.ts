// Look: what is shown, and what its colors say.

import { agentIndex, agentOf, type App } from "../app";
import { checkbox, choices, h, slider } from "../dom";
import { LINKS, VERDICTS, VERDICT_KEYS, css, layerKinds } from "../palette";
import type { Layer } from "../messages";

const LAYERS: Record<Layer, string> = {
  verdict: "Verdict", region: "Region", clearance: "Clearance", slope: "Slope", area: "Area",
};

export function lookPanel(app: App): HTMLElement {
  const { store, level } = app;
  const legend = h("ul", { class: "legend" });
  const body = h("p", { class: "faint" });
  const layers = h("div");
  const [low, high] = [level.min[1], level.max[1] + 0.5];
  const cut = slider({
    label: "Show up to a height of", min: low, max: high, step: Math.max((high - low) / 200, 0.01),
    value: store.state.cut ?? high, unit: " m",
    oninput: (value) => store.set({ cut: value >= high - 1e-3 ? null : value }),
  });
  store.watch(["layer"], ({ layer }) => {
    layers.replaceChildren(choices("What the colors tell", LAYERS, layer, (layer) => store.set({ layer })));
  });
  store.watch(["layer", "verdicts", "agent"], () => legend.replaceChildren(...legendRows(app)));
  store.watch(["agent"], () => {
    const { radius, height, max_climb, slope_limit } = agentOf(app);
    const found = level.summary.agents[agentIndex(app)];
    const ground = found ? `; ${found.walkable_area_m2.toFixed(0)} m² walkable in ${found.regions} ${found.regions === 1 ? "region" : "regions"}` : "";
    body.textContent = `Radius ${short(radius)} m, height ${short(height)} m, climbs ${short(max_climb)} m, `
      + `slopes up to ${Math.round(slope_limit)}°${ground}.`;
  });
  return h("section", {},
    body,
    h("h2", {}, "Ground"),
    layers,
    legend,
    h("h2", {}, "Shown"),
    checkbox("Scene", store.state.showScene, (showScene) => store.set({ showScene })),
    checkbox("Ground", store.state.showGround, (showGround) => store.set({ showGround })),
    checkbox(`Links (${level.links.length})`, store.state.showLinks, (showLinks) => store.set({ showLinks })),
    linkLegend(app),
    cut,
    h("h2", {}, "Camera"),
    choices("Camera", { orbit: "Orbit", fly: "Fly", top: "From above" }, store.state.mode, (mode) => store.set({ mode })),
    h("button", { type: "button", onclick: () => app.stage.frameLevel(level, true) }, "Show all"),
    h("p", { class: "faint" }, "Fly: W A S D, Q down, E up; drag to look around."),
  );
}

const short = (value: number) => String(Math.round(value * 100) / 100);

/** The verdicts, which can be hidden, then the layer's own kinds. */
function legendRows(app: App): HTMLElement[] {
  const { layer, verdicts } = app.store.state;
  const summary = app.level.summary.agents[agentIndex(app)];
  const counted = VERDICTS.map((kind) => ({
    ...kind,
    count: (kind.kind === 0 ? summary?.walkable_spans : summary?.verdicts[VERDICT_KEYS[kind.kind]]) ?? 0,
  }));
  const rows = counted.filter(({ count }) => count > 0).map(({ kind, name, color, count }) => {
    const bit = 1 << kind;
    const input = h("input", { type: "checkbox", checked: (verdicts & bit) !== 0, onchange: () =>
      app.store.set({ verdicts: app.store.state.verdicts ^ bit }) });
    const words = ` ${name}`;
    const number = h("span", { class: "faint" }, ` ${count.toLocaleString("en")} spans`);
    return h("li", {}, h("label", {}, input, swatch(css(color)), words, number));
  });
  const used = layerKinds(layer, app.level).filter((_, index) =>
    layer !== "region" || index < (summary?.regions ?? 0));
  const isScale = layer === "clearance" || layer === "slope";
  const own = isScale ? used.filter((_, index) => index % 3 === 0) : used;
  return [...rows, ...own.map(({ name, color }) => h("li", {}, swatch(css(color)), ` ${name}`))];
}

function linkLegend(app: App): HTMLElement | null {
  const kinds = [...new Set(app.level.links.map(({ kind }) => kind))].sort();
  if (kinds.length === 0) return null;
  const count = (kind: string) => app.level.links.filter((link) => link.kind === kind).length;
  return h("ul", { class: "legend" }, ...kinds.map((kind) =>
    h("li", {}, swatch(css(LINKS[kind] ?? LINKS.authored)), ` ${kind}`, h("span", { class: "faint" }, ` ${count(kind)}`))));
}

const swatch = (color: string) => h("span", { class: "swatch", style: `background:${color}`, "aria-hidden": true });
