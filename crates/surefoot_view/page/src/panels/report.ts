// Report: what `surefoot check` or `surefoot diff` found, each on its place of the level.

import type { App } from "../app";
import { h } from "../dom";
import { TONES } from "../palette";
import type { Config, Note } from "../source";

export function reportPanel(app: App, { title, notes }: NonNullable<Config["report"]>): HTMLElement {
  let chosen: Note | null = null;
  const draw = () => {
    const { agent } = app.store.state;
    const ofAgent = notes.filter((note) => note.agent === null || note.agent === agent);
    // What is neither good nor bad would hide the rest, if there is much of it.
    app.marks.notes(ofAgent.filter((note) => note.tone !== "plain" || note === chosen));
  };
  app.store.watch(["agent"], draw);
  const rows = notes.map((note) => row(note, () => {
    chosen = note;
    if (note.agent) app.store.set({ agent: note.agent });
    draw();
    if (note.points.length > 0) app.stage.lookAt(note.points[0]);
  }));
  return h("section", {}, h("h2", {}, "Report"), h("p", {}, title), h("ul", { class: "list" }, ...rows));
}

function row(note: Note, look: () => void): HTMLElement {
  const { mark, css } = TONES[note.tone];
  const lines = note.text.split("\n").filter(Boolean).map((line) => h("p", {}, line));
  return h("li", { class: css }, h("button", { type: "button", class: "link", onclick: look }, `${mark} ${note.title}`), ...lines);
}
