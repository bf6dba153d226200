// The page's side of the worker.

import { parseMessage, type Answer, type Request } from "./messages";

interface Waiting {
  resolve(answer: Answer<never>): void;
  reject(error: Error): void;
}

export class Solver {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private next = 0;
  /** What the solver's module has taken of memory [bytes]. */
  memory = 0;

  constructor(workerUrl: string) {
    this.worker = new Worker(workerUrl);
    this.worker.onmessage = ({ data }) => {
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.memory) this.memory = data.memory;
      if (!waiting) return;
      if (data.failed) return waiting.reject(new Error(data.failed));
      const answer = data.found ? parseMessage<{ error?: string }>(data.found) : { value: {}, arrays: {} };
      const { error } = (answer.value ?? {}) as { error?: string };
      if (error) waiting.reject(new Error(error));
      else waiting.resolve(answer as Answer<never>);
    };
    this.worker.onerror = (event) => {
      const error = new Error(`the worker stopped: ${event.message}`);
      this.waiting.forEach((waiting) => waiting.reject(error));
      this.waiting.clear();
    };
  }

  start(module: ArrayBuffer): Promise<Answer<unknown>> {
    return this.post({ module });
  }

  ask<T>(request: Request, bytes?: Uint8Array): Promise<Answer<T>> {
    return this.post<T>({ request, bytes });
  }

  private post<T>(message: object): Promise<Answer<T>> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      this.worker.postMessage({ id, ...message });
    });
  }
}

/** Runs asks one at a time, and of those that come meanwhile only the last. */
export class Latest {
  private isBusy = false;
  private next: (() => Promise<void>) | null = null;

  run(ask: () => Promise<void>): void {
    if (this.isBusy) {
      this.next = ask;
      return;
    }
    this.isBusy = true;
    ask()
      .catch((error: Error) => console.error(error))
      .finally(() => {
        this.isBusy = false;
        const next = this.next;
        this.next = null;
        if (next) this.run(next);
      });
  }
}
