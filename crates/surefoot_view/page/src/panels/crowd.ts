// Crowd: bodies that walk, or walk again as `surefoot run --csv` recorded them.

import { agentIndex, agentOf, ask, type App } from "../app";
import { at, h, numberField, slider } from "../dom";
import type { CrowdStatus, Jam } from "../messages";
import { STATES, css } from "../palette";

/** Steps a second. */
const RATE = 60;
/** More steps than this at once would keep other questions waiting. */
const MOST_STEPS = 8;

export interface CrowdControl {
  toggle(): void;
  /** Takes everyone away, for good: the panel is not used again. */
  stop(): void;
  start(): Promise<CrowdStatus>;
  /** Steps without drawing each; for tests. */
  run(seconds: number): Promise<CrowdStatus>;
  /** Where everyone is: x, y, z and facing, one after the other; for tests. */
  places(): number[];
}

export function crowdPanel(app: App): { element: HTMLElement; control: CrowdControl } {
  const { store } = app;
  const status = h("p", { "aria-live": "polite" });
  const jams = h("ul", { class: "list" });
  const replay = h("div");
  let isRunning = false;
  let isWalking = false;
  let isBusy = false;
  let due = 0;
  let wanted = 0;
  let places: Float32Array = new Float32Array();

  const show = ({ value, arrays }: { value: CrowdStatus; arrays: Record<string, Float32Array | Uint8Array> }) => {
    places = arrays.at as Float32Array;
    app.bodies.show(agentOf(app), places, arrays.states as Uint8Array);
    const { members, seconds, arrived, stuck } = value;
    const room = members < wanted ? ` There is room for ${members} of ${wanted}.` : "";
    status.textContent = members === 0
      ? `There is no place where ${agentOf(app).name} can stand.`
      : `${bodiesOf(members)} after ${seconds.toFixed(1)} s: ${arrived} arrived, ${stuck} stuck.${room}`;
    if (value.all_at_rest) isRunning = false;
    return value;
  };
  const step = async (steps: number) => {
    const value = show(await ask<CrowdStatus>(app, { ask: "step", steps }));
    if (value.stuck > 0) await listJams();
    else jams.replaceChildren();
    return value;
  };
  const listJams = async () => {
    const { value } = await ask<Jam[]>(app, { ask: "jams" });
    jams.replaceChildren(...value.map(({ position, bodies, why }) => h("li", {},
      h("button", { type: "button", class: "link", onclick: () => app.stage.lookAt(position) },
        `${bodiesOf(bodies.length)} at ${at(position)}: ${why}`))));
  };
  const start = async () => {
    const { count, seed } = store.state;
    const goal = goalChoice.checked ? store.state.to : null;
    const crowd = { count, seed, goal };
    replay.replaceChildren();
    jams.replaceChildren();
    wanted = count;
    status.textContent = "Finding places for everyone…";
    const value = show(await ask<CrowdStatus>(app, { ask: "crowd", agent: agentIndex(app), crowd }));
    isWalking = true;
    return value;
  };
  const complain = (error: Error) => (status.textContent = error.message);
  const toggle = async () => {
    if (!isWalking) await start();
    isRunning = !isRunning;
    app.stage.invalidate();
  };
  const walkOn = (seconds: number) => {
    if (!isRunning) return false;
    due = Math.min(due + seconds * RATE, MOST_STEPS);
    if (!isBusy && due >= 1) {
      const steps = Math.floor(due);
      due -= steps;
      isBusy = true;
      step(steps).catch((error: Error) => {
        isRunning = false;
        status.textContent = error.message;
      }).finally(() => (isBusy = false));
    }
    return true;
  };
  app.stage.beforeFrame.push(walkOn);
  const stop = () => {
    isRunning = isWalking = false;
    status.textContent = "";
    jams.replaceChildren();
    app.bodies.clear();
  };
  store.on(["agent"], stop);
  const goalChoice = h("input", { type: "checkbox" });
  const element = h("section", {},
    h("h2", {}, "Crowd"),
    h("div", { class: "row" },
      numberField("Bodies", store.state.count, (count) => store.set({ count: Math.min(Math.round(count), 5000) })),
      numberField("Seed", store.state.seed, (seed) => store.set({ seed: Math.round(seed) }))),
    h("label", { class: "check" }, goalChoice, " All go to the path's goal"),
    h("div", { class: "row" },
      h("button", { type: "button", onclick: () => start().then(() => {
        isRunning = true;
        app.stage.invalidate();
      }, complain) }, "Start"),
      h("button", { type: "button", onclick: () => toggle().catch(complain) }, "Pause or go on"),
      h("button", { type: "button", onclick: () => void (isWalking && step(1)) }, "One step"),
      h("button", { type: "button", onclick: stop }, "Remove")),
    status,
    h("ul", { class: "legend" }, ...STATES.map(({ name, color }) =>
      h("li", {}, h("span", { class: "swatch", style: `background:${css(color)}`, "aria-hidden": true }), ` ${name}`))),
    jams,
    h("h2", {}, "Replay"),
    h("p", { class: "faint" }, "A file that `surefoot run --csv` wrote:"),
    csvField(app, replay, status, stop),
    replay,
  );
  const run = async (seconds: number) => {
    let value = await step(1);
    for (let left = seconds * RATE - 1; left > 0 && !value.all_at_rest; left -= 600) value = await step(Math.min(left, 600));
    return value;
  };
  const end = () => {
    stop();
    app.stage.beforeFrame.splice(app.stage.beforeFrame.indexOf(walkOn), 1);
  };
  return { element, control: { toggle: () => void toggle().catch(complain), stop: end, start, run, places: () => [...places] } };
}

const bodiesOf = (count: number) => (count === 1 ? "1 body" : `${count} bodies`);

/** Where everyone was at one time. */
interface Sample {
  time: number;
  at: number[];
  states: number[];
}

const STATE_KINDS: Record<string, number> = {
  idle: 0, waiting: 0, following: 1, on_link: 2, making_way: 3, arrived: 5, partial: 5,
};

export function readCsv(text: string): Sample[] {
  const samples: Sample[] = [];
  const [titles, ...lines] = text.trim().split(/\r?\n/);
  if (!/^time,member,x,y,z,state/.test(titles)) {
    throw new Error(`the first line is "${titles.slice(0, 60)}"; expected time,member,x,y,z,state`);
  }
  lines.forEach((line, index) => {
    const [time, member, x, y, z, state] = line.split(",");
    const numbers = [time, member, x, y, z].map(Number);
    if (!numbers.every(Number.isFinite) || !state) throw new Error(`line ${index + 2} is no row of six values`);
    if (samples.at(-1)?.time !== numbers[0]) samples.push({ time: numbers[0], at: [], states: [] });
    const sample = samples.at(-1) as Sample;
    sample.at.push(numbers[2], numbers[3], numbers[4], 0);
    sample.states.push(STATE_KINDS[state] ?? 4);
  });
  return samples;
}

function csvField(app: App, replay: HTMLElement, status: HTMLElement, stop: () => void): HTMLElement {
  const input = h("input", { type: "file", accept: ".csv,text/csv", "aria-label": "CSV file", onchange: async () => {
    const [file] = input.files ?? [];
    if (!file) return;
    try {
      const samples = readCsv(await file.text());
      stop();
      const show = (index: number) => {
        const { time, at, states } = samples[index];
        app.bodies.show(agentOf(app), new Float32Array(at), new Uint8Array(states));
        const count = (kind: number) => states.filter((state) => state === kind).length;
        status.textContent = `${bodiesOf(states.length)} after ${time.toFixed(1)} s: ${count(5)} arrived, ${count(4)} stuck.`;
      };
      show(0);
      replay.replaceChildren(slider({ label: "Time", min: 0, max: samples.length - 1, step: 1, value: 0, oninput: show }));
    } catch (error) {
      status.textContent = `${file.name}: ${error instanceof Error ? error.message : error}`;
    }
  } });
  return input;
}
