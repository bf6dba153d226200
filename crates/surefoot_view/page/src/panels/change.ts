// Change: obstacles to drop, drag and delete, links and doors to open and close.

import type { App } from "../app";
import { checkbox, choices, h, slider } from "../dom";
import type { Shape } from "../messages";
import { scaled } from "../view/obstacles";

/** More links than this are not listed one by one. */
const MOST_LISTED = 100;

/** What is chosen here and is no part of the state. */
export interface Selection {
  /** The kind of obstacle that a click drops; none if clicks drop nothing. */
  drops: Shape["shape"] | "none";
  /** The obstacle that is selected. */
  chosen: number | null;
  onchange: () => void;
}

export function changePanel(app: App, selection: Selection): HTMLElement {
  const { store } = app;
  const own = h("div");
  let listed = "";
  const show = () => {
    const { obstacles } = store.state;
    if (selection.chosen !== null && selection.chosen >= obstacles.length) selection.chosen = null;
    app.obstacles.show(obstacles, selection.chosen);
    // The list stays as it is while an obstacle is moved or turned: its slider is being dragged.
    const list = `${obstacles.map(({ shape }) => shape)} ${selection.chosen}`;
    if (list === listed) return;
    listed = list;
    own.replaceChildren(
      h("ul", { class: "list" }, ...obstacles.map((shape, index) => h("li", {},
        h("button", { type: "button", "aria-pressed": index === selection.chosen, onclick: () => {
          selection.chosen = index;
          selection.onchange();
        } }, `${shape.shape} ${index + 1}`),
        h("button", { type: "button", "aria-label": `delete ${shape.shape} ${index + 1}`, onclick: () => remove(app, selection, index) }, "Delete")))),
      ...(selection.chosen === null ? [] : [editor(app, selection.chosen)]),
    );
  };
  selection.onchange = show;
  store.watch(["obstacles"], show);
  return h("section", {},
    h("h2", {}, "Obstacles"),
    h("p", { class: "faint" }, "Choose a shape and click the ground to drop it there. Drag obstacles to move them; Delete removes the chosen one."),
    choices("Clicking drops", { none: "Nothing", box: "Box", cylinder: "Cylinder", prism: "Prism" }, selection.drops, (drops) => (selection.drops = drops)),
    own,
    h("h2", {}, "Links and doors"),
    linkList(app),
  );
}

export function remove(app: App, selection: Selection, index: number): void {
  selection.chosen = null;
  app.store.set({ obstacles: app.store.state.obstacles.filter((_, at) => at !== index) });
}

function editor(app: App, index: number): HTMLElement {
  const shape = () => app.store.state.obstacles[index];
  const replace = (shape: Shape) =>
    app.store.set({ obstacles: app.store.state.obstacles.map((own, at) => (at === index ? shape : own)) });
  const size = (by: number) =>
    h("button", { type: "button", onclick: () => replace(scaled(shape(), by)) }, by > 1 ? "Larger" : "Smaller");
  const first = shape();
  const turn = first.shape !== "box" ? null : slider({
    label: "Turned by", min: 0, max: 180, step: 1, value: (first.yaw * 180) / Math.PI, unit: "°",
    oninput: (degrees) => {
      const own = shape();
      if (own.shape === "box") replace({ ...own, yaw: (degrees * Math.PI) / 180 });
    },
  });
  return h("div", { class: "row" }, size(1.25), size(0.8), turn);
}

function linkList(app: App): HTMLElement {
  const { links } = app.level;
  if (links.length === 0) return h("p", { class: "faint" }, "The grid has no links.");
  const list = h("div");
  const filter = h("input", { type: "search", placeholder: "Filter by name or kind", "aria-label": "Filter links", oninput: () => show() });
  const show = () => {
    const { closedLinks } = app.store.state;
    const wanted = links.map((link, index) => ({ link, index })).filter(({ link }) =>
      `${link.name} ${link.kind}`.toLowerCase().includes(filter.value.toLowerCase()));
    // Those that people mark come first: doors are among them.
    wanted.sort((a, b) => Number(a.link.generated) - Number(b.link.generated));
    const rows = wanted.slice(0, MOST_LISTED).map(({ link, index }) => {
      const isOpen = !closedLinks.includes(index);
      const name = `${link.generated ? link.kind : `${link.name} (${link.kind})`} ${isOpen ? "open" : "closed"}`;
      return h("div", { class: "row" },
        checkbox(name, isOpen, (open) => app.store.set({
          closedLinks: open ? closedLinks.filter((at) => at !== index) : [...closedLinks, index],
        })),
        h("button", { type: "button", class: "link", onclick: () => app.stage.lookAt(link.from[0]) }, "Look"));
    });
    const more = wanted.length - rows.length;
    list.replaceChildren(...rows, ...(more > 0 ? [h("p", { class: "faint" }, `and ${more} more: filter them`)] : []));
  };
  app.store.watch(["closedLinks"], show);
  return h("div", {}, links.length > 8 ? filter : null, list);
}
