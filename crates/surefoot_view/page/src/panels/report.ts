// Report: what `surefoot check` or `surefoot diff` found, each on its place of the level.

import type { App } from "../app";
import { h } from "../dom";
import { TONES } from "../palette";
import type { Config, Note } from "../source";

export function reportPanel(app: App, { title, notes }: NonNullable<Config["report"]>): HTMLElement {
  const onlyAbout = (agent: string) => notes.filter((note) => note.agent === null || note.agent === agent);
  app.store.watch(["agent"], ({ agent }) => app.marks.notes(onlyAbout(agent)));
  const list = h("ul", { class: "list" }, ...notes.map((note) => row(app, note)));
  return h("section", {}, h("h2", {}, "Report"), h("p", {}, title), list);
}

function row(app: App, note: Note): HTMLElement {
  const { mark, css } = TONES[note.tone];
  const look = () => {
    if (note.agent) app.store.set({ agent: note.agent });
    if (note.points.length > 0) app.stage.lookAt(note.points[0]);
  };
  const lines = note.text.split("\n").filter(Boolean).map((line) => h("p", {}, line));
  return h("li", { class: css }, h("button", { type: "button", class: "link", onclick: look }, `${mark} ${note.title}`), ...lines);
}
