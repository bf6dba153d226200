// The pointer on the level: hovering tells, a click or tap asks or puts something, dragging moves it.

import { why, type App } from "./app";
import { at } from "./dom";
import type { Vec3 } from "./messages";
import { nodesOf } from "./panels/ask";
import { remove, type Selection } from "./panels/change";
import { Latest } from "./solver";
import { moved, shapeAt } from "./view/obstacles";

/** A pointer that moves less than this clicks [px]. */
const CLICK = 6;
/** An end of the path is caught from this far [px]. */
const CATCH = 18;

type Grip = { kind: "from" | "to" } | { kind: "obstacle"; index: number };

export function watchPointer(app: App, canvas: HTMLCanvasElement, selection: Selection, tell: (text: string) => void): void {
  const { stage } = app;
  const hover = new Latest();
  let grip: Grip | null = null;
  let down: { x: number; y: number } | null = null;

  const ground = (event: PointerEvent): Vec3 | null => {
    const hit = app.ground.hit(stage.pointerRay(event.clientX, event.clientY));
    return hit ? (hit.point.toArray() as Vec3) : null;
  };

  canvas.addEventListener("pointerdown", (event) => {
    down = { x: event.clientX, y: event.clientY };
    grip = event.button === 0 ? gripAt(app, event) : null;
    stage.isCameraFree = grip === null;
    if (grip?.kind === "obstacle") {
      selection.chosen = grip.index;
      selection.onchange();
    }
  }, { capture: true });

  canvas.addEventListener("pointermove", (event) => {
    const point = ground(event);
    if (grip && point && down) {
      if (Math.hypot(event.clientX - down.x, event.clientY - down.y) < CLICK) return;
      drag(app, grip, point);
    } else if (event.buttons === 0) {
      hover.run(() => describe(app, event, point, tell));
    }
  });

  canvas.addEventListener("pointerup", (event) => {
    const isClick = down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < CLICK;
    if (isClick && !grip && event.button === 0) click(app, selection, ground(event));
    [grip, down] = [null, null];
    stage.isCameraFree = true;
  });

  canvas.addEventListener("pointercancel", () => {
    [grip, down] = [null, null];
    stage.isCameraFree = true;
  });

  addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (!isTyping && (event.key === "Delete" || event.key === "Backspace") && selection.chosen !== null) {
      remove(app, selection, selection.chosen);
      event.preventDefault();
    }
  });
}

/** What lies under the pointer and can be dragged. */
function gripAt(app: App, event: PointerEvent): Grip | null {
  const { from, to } = app.store.state;
  for (const [kind, end] of [["from", from], ["to", to]] as const) {
    if (!end) continue;
    const { x, y } = app.stage.project(end);
    if (Math.hypot(x - event.clientX, y - event.clientY) < CATCH) return { kind };
  }
  const ray = app.stage.pointerRay(event.clientX, event.clientY);
  const hit = app.obstacles.hit(ray);
  const floor = app.ground.hit(ray);
  return hit && (!floor || hit.distance <= floor.distance) ? { kind: "obstacle", index: hit.index } : null;
}

function drag(app: App, grip: Grip, point: Vec3): void {
  if (grip.kind !== "obstacle") return app.store.set({ [grip.kind]: point });
  const obstacles = app.store.state.obstacles.map((shape, index) => (index === grip.index ? moved(shape, point) : shape));
  app.store.set({ obstacles });
}

function click(app: App, selection: Selection, point: Vec3 | null): void {
  if (!point) return;
  const { tab, from, to, obstacles } = app.store.state;
  if (tab === "walk" && !from) app.store.set({ from: point });
  else if (tab === "walk" && !to) app.store.set({ to: point });
  else if (tab === "change" && selection.drops !== "none") {
    selection.chosen = obstacles.length;
    app.store.set({ obstacles: [...obstacles, shapeAt(selection.drops, point)] });
  } else if (tab === "look" || tab === "ask") app.store.set({ asked: point, tab: "ask" });
}

/** Tells in a line what lies under the pointer. */
async function describe(app: App, event: PointerEvent, point: Vec3 | null, tell: (text: string) => void): Promise<void> {
  const solid = app.solids.hit(app.stage.pointerRay(event.clientX, event.clientY));
  const node = solid ? `node "${solid.node}"` : "";
  if (!point) return tell(node);
  const { report, blocked_now } = await why(app, point);
  const [first] = report.words.split("\n");
  tell(`${at(point)} · ${blocked_now ? "blocked by your obstacle · " : ""}${first}${node ? ` · ${node}` : ""}`);
  if (app.store.state.asked === null) app.solids.light(report.walkable ? [] : nodesOf(report));
}
