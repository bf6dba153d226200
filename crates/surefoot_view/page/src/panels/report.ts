// Report: what `surefoot check` or `surefoot diff` found, each on its place of the level.

import type { App } from "../app";
import { h } from "../dom";
import type { Note } from "../source";

export function reportPanel(app: App, notes: Note[]): HTMLElement {
  const shown = notes.filter(({ points }) => points.length > 0);
  app.marks.notes(shown.map(({ points, good }) => ({ at: points, good })));
  const bad = notes.filter(({ good }) => !good).length;
  const rows = [...notes].sort((a, b) => Number(a.good) - Number(b.good)).map((note) => h("li", { class: note.good ? "good" : "bad" },
    h("button", { type: "button", class: "link", onclick: () => {
      if (note.agent) app.store.set({ agent: note.agent });
      if (note.points.length > 0) app.stage.lookAt(note.points[0]);
    } }, `${note.good ? "✓" : "✗"} ${note.title}`),
    ...note.text.split("\n").filter(Boolean).map((line) => h("p", {}, line))));
  return h("section", {}, h("h2", {}, `${notes.length - bad} of ${notes.length} as promised`), h("ul", { class: "list" }, ...rows));
}
