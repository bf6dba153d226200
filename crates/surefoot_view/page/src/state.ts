// All that the page shows, in one object that the URL's fragment holds: a link shows the same again.

import type { Layer, Shape, Vec3 } from "./messages";
import { SHOWN_AT_FIRST } from "./palette";

export type CameraMode = "orbit" | "fly" | "top";
export type Theme = "auto" | "light" | "dark";
export type Tab = "look" | "ask" | "walk" | "change" | "crowd" | "report";

export interface State {
  tab: Tab;
  /** The name of an agent; empty for the first. */
  agent: string;
  layer: Layer;
  /** The verdicts shown, a bit for each. */
  verdicts: number;
  showScene: boolean;
  showGround: boolean;
  showLinks: boolean;
  /** Nothing above this height is shown [m]. */
  cut: number | null;
  mode: CameraMode;
  eye: Vec3 | null;
  target: Vec3 | null;
  /** The place that was asked about. */
  asked: Vec3 | null;
  from: Vec3 | null;
  to: Vec3 | null;
  ascend: number;
  descend: number;
  useLinks: boolean;
  nearest: boolean;
  /** Cost factors of areas that differ from the grid's, by name. */
  factors: Record<string, number>;
  obstacles: Shape[];
  closedLinks: number[];
  count: number;
  seed: number;
  theme: Theme;
}

const FIRST: State = {
  tab: "look",
  agent: "",
  layer: "verdict",
  verdicts: SHOWN_AT_FIRST,
  showScene: true,
  showGround: true,
  showLinks: true,
  cut: null,
  mode: "orbit",
  eye: null,
  target: null,
  asked: null,
  from: null,
  to: null,
  ascend: 1,
  descend: 0,
  useLinks: true,
  nearest: false,
  factors: {},
  obstacles: [],
  closedLinks: [],
  count: 100,
  seed: 0,
  theme: "auto",
};

export type Keys = (keyof State)[];
type Listener = { keys: Keys; call: (state: State) => void };

/** The state and who listens to which parts of it. */
export class Store {
  state: State;
  private readonly listeners: Listener[] = [];
  private timer = 0;

  constructor() {
    this.state = { ...FIRST, ...decode(location.hash.slice(1)) };
    addEventListener("hashchange", () => {
      const next = { ...FIRST, ...decode(location.hash.slice(1)) };
      if (encode(next) !== encode(this.state)) this.set(next);
    });
  }

  set(change: Partial<State>): void {
    const changed = (Object.keys(change) as Keys).filter((key) => change[key] !== this.state[key]);
    if (changed.length === 0) return;
    this.state = { ...this.state, ...change };
    for (const { keys, call } of this.listeners) {
      if (keys.some((key) => changed.includes(key))) call(this.state);
    }
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => history.replaceState(null, "", `#${encode(this.state)}`), 200);
  }

  /** Calls back when one of some parts changes. */
  on(keys: Keys, call: (state: State) => void): void {
    this.listeners.push({ keys, call });
  }

  /** Forgets who listens: before everything is made anew for a level that has changed. */
  forget(): void {
    this.listeners.length = 0;
  }

  /** Calls back now, too. */
  watch(keys: Keys, call: (state: State) => void): void {
    this.on(keys, call);
    call(this.state);
  }
}

const round = (value: number) => String(Math.round(value * 1000) / 1000);
const list = (values: number[]) => values.map(round).join(",");

/** What differs from the first state, as `key=value&…`. */
export function encode(state: State): string {
  const parts = new URLSearchParams();
  for (const key of Object.keys(FIRST) as Keys) {
    const value = state[key];
    if (JSON.stringify(value) !== JSON.stringify(FIRST[key])) parts.set(key, toText(key, value));
  }
  return parts.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%3B", ";");
}

function toText(key: keyof State, value: State[keyof State]): string {
  if (key === "obstacles") return (value as Shape[]).map(shapeText).join(";");
  if (key === "factors") {
    return Object.entries(value as object).map(([name, factor]) => `${encodeURIComponent(name)}:${factor}`).join(";");
  }
  if (Array.isArray(value)) return list(value as number[]);
  return typeof value === "number" ? round(value) : String(value);
}

function shapeText(shape: Shape): string {
  switch (shape.shape) {
    case "box":
      return `box:${list([...shape.at, ...shape.half, shape.yaw])}`;
    case "cylinder":
      return `cylinder:${list([...shape.at, shape.radius, shape.height])}`;
    case "prism":
      return `prism:${list([shape.bottom, shape.top, ...shape.corners.flat()])}`;
  }
}

/** The ranges of numbers; what lies outside is left out. */
const RANGES: Partial<Record<keyof State, [low: number, high: number]>> = {
  verdicts: [0, 255],
  ascend: [0, 1e6],
  descend: [0, 1e6],
  count: [1, 5000],
  seed: [0, 2 ** 32 - 1],
};
const WHOLE: Keys = ["verdicts", "count", "seed"];

/** Reads what `encode` wrote; what cannot be read is left out. */
export function decode(text: string): Partial<State> {
  const found: Record<string, unknown> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    if (!Object.hasOwn(FIRST, key)) continue;
    const read = fromText(key as keyof State, value);
    if (read !== undefined) found[key] = read;
  }
  return found as Partial<State>;
}

const CHOICES: Partial<Record<keyof State, string[]>> = {
  tab: ["look", "ask", "walk", "change", "crowd", "report"],
  layer: ["verdict", "region", "clearance", "slope", "area"],
  mode: ["orbit", "fly", "top"],
  theme: ["auto", "light", "dark"],
};

function fromText(key: keyof State, text: string): unknown {
  const numbers = () => (text === "" ? [] : text.split(",").map(Number));
  const isSound = (values: number[]) => values.every(Number.isFinite);
  switch (key) {
    case "eye":
    case "target":
    case "asked":
    case "from":
    case "to": {
      const point = numbers();
      return point.length === 3 && isSound(point) ? point : undefined;
    }
    case "closedLinks":
      return numbers().every((link) => Number.isInteger(link) && link >= 0) ? numbers() : undefined;
    case "obstacles":
      return text.split(";").flatMap((one) => shapeFrom(one) ?? []);
    case "factors":
      return Object.fromEntries(
        text.split(";").flatMap((one) => {
          const [name, factor] = one.split(":");
          return Number(factor) > 0 ? [[decodeURIComponent(name), Number(factor)]] : [];
        }),
      );
  }
  const choices = CHOICES[key];
  if (choices) return choices.includes(text) ? text : undefined;
  if (typeof FIRST[key] === "boolean") return text === "true";
  if (typeof FIRST[key] === "number" || key === "cut") {
    const [low, high] = RANGES[key] ?? [-Infinity, Infinity];
    const number = Number(text);
    const isInRange = Number.isFinite(number) && low <= number && number <= high;
    return isInRange && (!WHOLE.includes(key) || Number.isInteger(number)) ? number : undefined;
  }
  return text;
}

function shapeFrom(text: string): Shape | null {
  const [shape, rest] = text.split(":");
  const n = (rest ?? "").split(",").map(Number);
  if (!n.every(Number.isFinite)) return null;
  if (shape === "box" && n.length === 7 && n.slice(3, 6).every((half) => half > 0)) {
    return { shape, at: [n[0], n[1], n[2]], half: [n[3], n[4], n[5]], yaw: n[6] };
  }
  if (shape === "cylinder" && n.length === 5 && n[3] > 0 && n[4] > 0) {
    return { shape, at: [n[0], n[1], n[2]], radius: n[3], height: n[4] };
  }
  if (shape === "prism" && n.length >= 8 && n.length % 2 === 0 && n[1] > n[0]) {
    const corners: [number, number][] = [];
    for (let i = 2; i < n.length; i += 2) corners.push([n[i], n[i + 1]]);
    return { shape, corners, bottom: n[0], top: n[1] };
  }
  return null;
}
