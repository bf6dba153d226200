// Ask: what stands in the way of standing here.

import { agentOf, agentOption, quoted, why, type App } from "../app";
import { at, copyLine, h } from "../dom";
import type { StandingReport, Vec3 } from "../messages";
import { Latest } from "../solver";

/** The nodes that a report names as being in the way; else the node of the floor. */
export function nodesOf(report: StandingReport): string[] {
  const named = [report.obstacle, report.cover].filter((node): node is string => node !== null);
  return named.length > 0 ? named : [report.floor?.node].filter((node): node is string => !!node);
}

export function askPanel(app: App): HTMLElement {
  const { store } = app;
  const answer = h("div", { class: "answer", "aria-live": "polite" });
  const latest = new Latest();
  const show = () => latest.run(async () => {
    const { asked } = store.state;
    app.marks.asked(asked, agentOf(app).radius);
    if (!asked) {
      answer.replaceChildren(h("p", { class: "faint" }, "Click or tap the level to ask about a place. Hovering shows the same in the line below."));
      return app.solids.light([]);
    }
    const { report, blocked_now } = await why(app, asked);
    app.solids.light(report.walkable ? [] : nodesOf(report));
    const words = blocked_now
      ? "One of your obstacles is in the way. As baked: " + report.words
      : report.words;
    const line = `surefoot why ${quoted(app.source.config.grid)}${agentOption(app)} --at ${at(asked)}`;
    answer.replaceChildren(
      h("p", { class: report.walkable && !blocked_now ? "good" : "bad" }, report.walkable && !blocked_now ? "✓ walkable" : `✗ ${blocked_now ? "blocked now" : report.verdict ?? "no floor"}`),
      ...words.split("\n").map((line) => h("p", {}, line)),
      copyLine(line),
      h("div", { class: "row" },
        h("button", { type: "button", onclick: () => store.set({ from: asked, tab: "walk" }) }, "Path from here"),
        h("button", { type: "button", onclick: () => store.set({ to: asked, tab: "walk" }) }, "Path to here"),
        report.nearest
          ? h("button", { type: "button", onclick: () => store.set({ asked: report.nearest?.point as Vec3 }) }, "Nearest place to stand")
          : null),
    );
  });
  store.watch(["asked", "agent", "obstacles", "closedLinks"], show);
  return h("section", {}, h("h2", {}, "Why can it not stand here?"), answer);
}
