// The worker: passes messages to the solver's wasm module and its answers back.

interface Solver {
  memory: WebAssembly.Memory;
  surefoot_request(bytes: number): number;
  surefoot_answer(): number;
  surefoot_answer_length(): number;
}

let solver: Promise<Solver> | null = null;

async function start(module: ArrayBuffer): Promise<Solver> {
  const { instance } = await WebAssembly.instantiate(module, {});
  return instance.exports as unknown as Solver;
}

function answer(solver: Solver, request: object, bytes: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(request));
  const at = solver.surefoot_request(4 + text.length + bytes.length);
  // The memory moves when it grows: views are made anew after each call.
  new DataView(solver.memory.buffer).setUint32(at, text.length, true);
  const buffer = new Uint8Array(solver.memory.buffer);
  buffer.set(text, at + 4);
  buffer.set(bytes, at + 4 + text.length);
  const found = solver.surefoot_answer();
  return new Uint8Array(solver.memory.buffer).slice(found, found + solver.surefoot_answer_length());
}

self.onmessage = async ({ data }: MessageEvent) => {
  const { id, module, request, bytes } = data;
  try {
    if (module) {
      solver = start(module);
      await solver;
      postMessage({ id });
      return;
    }
    if (!solver) throw new Error("the solver was not started");
    const loaded = await solver;
    const found = answer(loaded, request, bytes ?? new Uint8Array());
    postMessage({ id, found, memory: loaded.memory.buffer.byteLength }, { transfer: [found.buffer] });
  } catch (error) {
    // A trap: out of memory, or a fault of the solver. Either way its memory is not to be trusted.
    postMessage({ id, failed: `the solver stopped: ${error instanceof Error ? error.message : error}` });
  }
};
