import { setTimeout as sleep } from 'node:timers/promises';
import { HttpLine } from './http-line.ts';
import type { LoadResult } from './processes/messages.ts';

export type LoadPlan = {
  url: string;
  connections: number;
  count: number;
  /** Requests a second, sent whether or not earlier ones were answered; absent: as fast as answers come. */
  rate?: number;
  /** The whole i-th request. */
  request(i: number): Buffer;
};

/** More than this is signed while sending, or the bodies of a large backlog would fill the memory. */
const SIGNED_BEFORE = 20_000;

/** Raw sockets, and requests signed before the clock starts, so that the load costs as little CPU as possible. */
class Load {
  readonly #plan: LoadPlan;
  readonly #lines: HttpLine[] = [];
  readonly #latencies: number[] = [];
  readonly #signed: Buffer[];
  readonly #statuses: Record<string, number> = {};

  constructor(plan: LoadPlan) {
    this.#plan = plan;
    this.#signed = Array.from({ length: Math.min(plan.count, SIGNED_BEFORE) }, (_, i) => plan.request(i));
  }

  async connect(): Promise<void> {
    const { hostname, port } = new URL(this.#plan.url);
    for (let i = 0; i < this.#plan.connections; i += 1) this.#lines.push(await HttpLine.open(hostname, Number(port)));
  }

  async run(): Promise<LoadResult> {
    const beganAt = Date.now();
    await (this.#plan.rate === undefined ? this.#flatOut() : this.#steadily(this.#plan.rate));
    const endedAt = Date.now();
    for (const line of this.#lines) line.close();
    const sorted = Float64Array.from(this.#latencies).sort();
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
    const failed = Object.values(this.#statuses).reduce((sum, times) => sum + times, 0);
    return { accepted: sorted.length, failed, statuses: this.#statuses, beganAt, endedAt, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
  }

  async #flatOut(): Promise<void> {
    let next = 0;
    const keepSending = async (line: HttpLine): Promise<void> => {
      while (next < this.#plan.count) await this.#send(line, next++, performance.now());
    };
    await Promise.all(this.#lines.map(keepSending));
  }

  /** A request that finds no free connection waits for one, and that wait counts. */
  async #steadily(rate: number): Promise<void> {
    const began = performance.now();
    const free = [...this.#lines];
    const waiting: (() => void)[] = [];
    const sendOne = async (i: number, due: number): Promise<void> => {
      while (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      // In turn: the service closes an idle connection.
      const line = free.shift();
      if (line === undefined) return;
      await this.#send(line, i, due);
      free.push(line);
      waiting.shift()?.();
    };
    const sent: Promise<void>[] = [];
    for (let i = 0; i < this.#plan.count; i += 1) {
      const due = began + (i * 1000) / rate;
      if (due > performance.now()) await sleep(due - performance.now());
      sent.push(sendOne(i, due));
    }
    await Promise.all(sent);
  }

  async #send(line: HttpLine, i: number, since: number): Promise<void> {
    const status = await line.send(this.#signed[i] ?? this.#plan.request(i));
    if (status === 200) this.#latencies.push(performance.now() - since);
    else this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
  }
}

/** Sends all requests of a plan over a bounded number of connections; latencies count from when a request was due. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const load = new Load(plan);
  await load.connect();
  return load.run();
}
