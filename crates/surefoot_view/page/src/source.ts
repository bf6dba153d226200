// Where the page's files come from: from the server, or from the page itself if it was exported.

/** What the server or the export says of the files. */
export interface Config {
  /** The names of the files as on the command line. */
  grid: string;
  scene: string | null;
  version: string;
  /** What is wrong with the scene, such as that the grid was not baked from it. */
  warning: string | null;
  /** What a report has to show on the level, such as checks that failed. */
  notes: Note[];
}

export type Bytes = Uint8Array<ArrayBuffer>;

export interface Note {
  title: string;
  text: string;
  good: boolean;
  agent: string | null;
  points: [number, number, number][];
}

/** The versions of the files on disk; they differ when a file has changed. */
export interface Revision {
  grid: string;
  scene: string;
  /** What is being done to the files, or failed. */
  message: string | null;
}

export interface Source {
  config: Config;
  /** Whether the files may change. */
  isLive: boolean;
  workerUrl: string;
  module(): Promise<ArrayBuffer>;
  grid(): Promise<Bytes>;
  scene(): Promise<Bytes | null>;
  revision(): Promise<Revision>;
  /** What is wrong with the files now. */
  warning(): Promise<string | null>;
}

export async function openSource(): Promise<Source> {
  return document.getElementById("surefoot-config") ? embedded() : served();
}

async function served(): Promise<Source> {
  const file = async (name: string) => {
    const response = await fetch(name, { cache: "no-store" });
    if (!response.ok) throw new Error(`${name}: ${(await response.text()) || response.statusText}`);
    return response;
  };
  return {
    config: await (await file("config.json")).json(),
    isLive: true,
    workerUrl: "worker.js",
    module: async () => (await file("solver.wasm")).arrayBuffer(),
    grid: async () => new Uint8Array(await (await file("level.navgrid")).arrayBuffer()),
    scene: async () => {
      const bytes = new Uint8Array(await (await file("scene.bin")).arrayBuffer());
      return bytes.length > 0 ? bytes : null;
    },
    revision: async () => (await file("revision.json")).json(),
    warning: async () => (await (await file("config.json")).json()).warning,
  };
}

function embedded(): Source {
  const text = (id: string) => document.getElementById(id)?.textContent?.trim() ?? "";
  const packed = async (id: string) => {
    const element = document.getElementById(id);
    const bytes = await unpack(text(id));
    // What was unpacked is not kept twice.
    element?.remove();
    return bytes;
  };
  const worker = new Blob([text("surefoot-worker")], { type: "text/javascript" });
  return {
    config: JSON.parse(text("surefoot-config")),
    isLive: false,
    workerUrl: URL.createObjectURL(worker),
    module: async () => (await packed("surefoot-solver")).buffer,
    grid: () => packed("surefoot-grid"),
    scene: async () => (text("surefoot-scene") ? packed("surefoot-scene") : null),
    revision: async () => ({ grid: "", scene: "", message: null }),
    warning: async () => null,
  };
}

/** Unpacks base64 of deflated bytes. */
async function unpack(text: string): Promise<Bytes> {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
