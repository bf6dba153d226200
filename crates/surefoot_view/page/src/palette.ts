// The colors of the kinds of ground: those of the pictures that `bake --png` draws, which differ in
// lightness as well as in hue, so that color-blind readers tell them apart.

import type { Layer, LevelDescription } from "./messages";

export type Rgb = [number, number, number];

/** A kind of ground: the number the solver gives it, its name and its color. */
export interface Kind {
  kind: number;
  name: string;
  color: Rgb;
}

/** The verdicts, by their numbers. */
export const VERDICTS: Kind[] = [
  { kind: 0, name: "walkable", color: [150, 190, 140] },
  { kind: 1, name: "too steep", color: [146, 108, 80] },
  { kind: 2, name: "low ceiling", color: [47, 107, 173] },
  { kind: 3, name: "obstacle", color: [178, 50, 36] },
  { kind: 4, name: "ledge", color: [240, 190, 62] },
  { kind: 5, name: "forbidden", color: [200, 142, 200] },
  { kind: 6, name: "inside a solid", color: [74, 72, 76] },
  { kind: 7, name: "small region", color: [104, 150, 150] },
];

/** The names of the counts in a grid's summary, by verdict. */
export const VERDICT_KEYS = [
  "", "too_steep", "low_ceiling", "obstacle", "ledge", "forbidden", "inside_solid", "small_region",
];

/** All but what lies inside solids, where nobody looks. */
export const SHOWN_AT_FIRST = 0b1011_1111;

const REGIONS: Rgb[] = [
  [150, 190, 140], [176, 203, 226], [230, 190, 204], [200, 186, 224], [160, 214, 205], [245, 210, 160],
  [206, 224, 140], [226, 172, 150], [120, 170, 200], [190, 150, 170], [150, 140, 190], [110, 170, 160],
  [210, 170, 110], [160, 180, 90], [190, 130, 110], [216, 212, 203],
];
const AREAS: Rgb[] = [
  [150, 190, 140], [196, 154, 108], [110, 160, 190], [208, 180, 90], [170, 130, 180], [120, 180, 160],
  [214, 140, 130], [140, 140, 100],
];

// Matplotlib's viridis (CC0) at even steps: the same order of lightness for every kind of color vision.
const SCALE: Rgb[] = [
  [68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137],
  [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37],
];
const STEPS = 15;
/** Clearance of the last step [m]. */
const WIDEST = 3;

/** The kinds that a layer shows beside the verdicts. */
export function layerKinds(layer: Layer, level: LevelDescription): Kind[] {
  switch (layer) {
    case "verdict":
      return [];
    case "region":
      return REGIONS.map((color, region) => ({
        kind: 16 + region,
        name: region === REGIONS.length - 1 ? "smaller regions" : `region ${region}`,
        color,
      }));
    case "clearance":
      return scale(32, (share) => `${(share * WIDEST).toFixed(1)} m`);
    case "slope":
      return scale(48, (share) => `${Math.round(share * 90)}°`);
    case "area":
      return level.areas.map((area, index) => ({
        kind: area.kind,
        name: area.forbidden ? `${area.name} (forbidden)` : `${area.name} (cost ${area.cost})`,
        color: AREAS[index % AREAS.length],
      }));
  }
}

function scale(first: number, name: (share: number) => string): Kind[] {
  return Array.from({ length: STEPS + 1 }, (_, step) => ({
    kind: first + step,
    name: name(step / STEPS),
    color: ramp(SCALE, step / STEPS),
  }));
}

export function ramp(colors: Rgb[], share: number): Rgb {
  const at = Math.min(Math.max(share, 0), 1) * (colors.length - 1);
  const low = Math.min(Math.floor(at), colors.length - 2);
  return [0, 1, 2].map((i) => Math.round(colors[low][i] + (colors[low + 1][i] - colors[low][i]) * (at - low))) as Rgb;
}

/** The order in which a search expanded cells. */
export const SEARCH: Rgb[] = [[255, 240, 150], [253, 206, 96], [240, 146, 56], [204, 76, 24]];

/** What the bodies of a crowd do, by the solver's numbers. */
export const STATES: Kind[] = [
  { kind: 0, name: "waiting", color: [140, 140, 140] },
  { kind: 1, name: "following its path", color: [47, 107, 173] },
  { kind: 2, name: "on a link", color: [120, 90, 180] },
  { kind: 3, name: "making way", color: [240, 190, 62] },
  { kind: 4, name: "stuck", color: [218, 28, 32] },
  { kind: 5, name: "arrived", color: [22, 122, 76] },
];

export const LINKS: Record<string, Rgb> = {
  jump: [22, 66, 152],
  drop: [178, 24, 92],
  climb: [104, 52, 148],
  ladder: [92, 70, 10],
  door: [0, 104, 92],
  authored: [18, 92, 97],
};

export const css = ([r, g, b]: Rgb) => `rgb(${r} ${g} ${b})`;
export const hex = ([r, g, b]: Rgb) => (r << 16) | (g << 8) | b;
