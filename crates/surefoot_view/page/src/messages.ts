// What the solver is asked and answers; its side is crates/surefoot_view/solver/src/session.rs.

export type Vec3 = [number, number, number];

export type Layer = "verdict" | "region" | "clearance" | "slope" | "area";

/** What `surefoot why --at --json` prints. */
export interface StandingReport {
  agent: string;
  at: Vec3;
  walkable: boolean;
  verdict: string | null;
  obstacle: string | null;
  cover: string | null;
  floor: { y: number; node: string | null; area: string; clearance: number; region: number | null } | null;
  nearest: { point: Vec3; distance: number } | null;
  words: string;
}

/** What `surefoot path --json` prints. */
export interface PathReport {
  outcome: string;
  cost: number | null;
  length: number | null;
  climb: number | null;
  descent: number | null;
  waypoints: Vec3[];
  areas: Record<string, number>;
  links: string[];
  nearest: Vec3 | null;
  why: string | null;
  engine: string;
  expanded: number;
}

/** What `surefoot why --from --to --json` prints. */
export interface SeparationReport {
  connected: boolean;
  blockers: { kind: string; at: Vec3; node: string | null; words: string }[];
}

export interface AgentDescription {
  name: string;
  radius: number;
  height: number;
  max_climb: number;
  slope_limit: number;
  at: Vec3 | null;
}

export interface LinkDescription {
  name: string;
  kind: string;
  generated: boolean;
  two_way: boolean;
  from: [Vec3, Vec3];
  to: [Vec3, Vec3];
  apex: number;
  agents: number[];
}

export interface AgentSummary {
  walkable_area_m2: number;
  regions: number;
  walkable_spans: number;
  verdicts: Record<string, number>;
}

export interface LevelDescription {
  scene: string;
  scene_hash: string;
  cell_size: number;
  min: Vec3;
  max: Vec3;
  chunks: [number, number];
  chunk_side: number;
  agents: AgentDescription[];
  areas: { name: string; cost: number; forbidden: boolean; kind: number }[];
  links: LinkDescription[];
  summary: { spans: number; columns: number; max_layers: number; agents: AgentSummary[] };
}

export interface GroundRequest {
  agent: number;
  layer: Layer;
  x: number;
  z: number;
  tolerance: number;
  verdicts: number;
}

export type Shape =
  | { shape: "box"; at: Vec3; half: Vec3; yaw: number }
  | { shape: "cylinder"; at: Vec3; radius: number; height: number }
  | { shape: "prism"; corners: [number, number][]; bottom: number; top: number };

export interface Changes {
  obstacles: Shape[];
  closed_links: number[];
  factors: Record<string, number>;
}

export interface PathRequest {
  from: Vec3;
  to: Vec3;
  ascend?: number;
  descend?: number;
  links?: boolean;
  nearest?: boolean;
}

export interface CrowdStatus {
  members: number;
  seconds: number;
  arrived: number;
  stuck: number;
  all_at_rest: boolean;
}

export interface Jam {
  position: Vec3;
  bodies: number[];
  seconds: number;
  why: string;
}

export type Request =
  | { ask: "load" }
  | { ask: "ground"; ground: GroundRequest }
  | { ask: "why"; agent: number; at: number[] }
  | { ask: "separation"; agent: number; from: Vec3; to: Vec3 }
  | { ask: "path"; agent: number; path: PathRequest }
  | { ask: "film"; agent: number; path: PathRequest }
  | { ask: "change"; changes: Changes }
  | { ask: "crowd"; agent: number; crowd: { count: number; seed: number; goal: Vec3 | null } }
  | { ask: "step"; steps: number }
  | { ask: "jams" };

/** An answer: a JSON value, and arrays of numbers by name. */
export interface Answer<T> {
  value: T;
  arrays: Record<string, Float32Array | Uint8Array>;
}

/** Takes a message of JSON and arrays apart; see solver/src/message.rs. */
export function parseMessage<T>(bytes: Uint8Array<ArrayBuffer>): Answer<T> {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const text = new TextDecoder().decode(bytes.subarray(4, 4 + length));
  const { value, arrays } = JSON.parse(text);
  const start = bytes.byteOffset + 4 + length;
  const found: Answer<T> = { value, arrays: {} };
  for (const { name, type, at, length } of arrays) {
    const Kind = type === "f32" ? Float32Array : Uint8Array;
    found.arrays[name] = new Kind(bytes.buffer, start + at, length);
  }
  return found;
}
