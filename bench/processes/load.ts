// The load generator: raw sockets, requests signed before the clock starts, so that it takes as little of the machine as it can.
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpLine } from '../http-line.ts';
import { signedRequest } from '../signed-request.ts';
import type { LoadOrder, LoadResult } from './messages.ts';

/** More than this is signed while sending, or the bodies of a large backlog would fill the memory. */
const SIGNED_BEFORE = 20_000;

class Load {
  readonly #order: LoadOrder;
  readonly #lines: HttpLine[] = [];
  readonly #latencies: number[] = [];
  readonly #signed: Buffer[];
  #failed = 0;

  constructor(order: LoadOrder) {
    this.#order = order;
    this.#signed = Array.from({ length: Math.min(order.count, SIGNED_BEFORE) }, (_, i) => this.#sign(i));
  }

  async connect(): Promise<void> {
    const { hostname, port } = new URL(this.#order.url);
    for (let i = 0; i < this.#order.connections; i += 1) this.#lines.push(await HttpLine.open(hostname, Number(port)));
  }

  async run(): Promise<LoadResult> {
    const beganAt = Date.now();
    await (this.#order.rate === undefined ? this.#flatOut() : this.#steadily(this.#order.rate));
    const endedAt = Date.now();
    for (const line of this.#lines) line.close();
    const sorted = Float64Array.from(this.#latencies).sort();
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
    return { accepted: sorted.length, failed: this.#failed, beganAt, endedAt, p50: at(0.5), p99: at(0.99), max: at(1) };
  }

  async #flatOut(): Promise<void> {
    let next = 0;
    const keepSending = async (line: HttpLine): Promise<void> => {
      while (next < this.#order.count) await this.#send(line, next++, performance.now());
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
      const line = free.pop();
      if (line === undefined) return;
      await this.#send(line, i, due);
      free.push(line);
      waiting.shift()?.();
    };
    const sent: Promise<void>[] = [];
    for (let i = 0; i < this.#order.count; i += 1) {
      const due = began + (i * 1000) / rate;
      if (due > performance.now()) await sleep(due - performance.now());
      sent.push(sendOne(i, due));
    }
    await Promise.all(sent);
  }

  async #send(line: HttpLine, i: number, since: number): Promise<void> {
    const status = await line.send(this.#signed[i] ?? this.#sign(i));
    if (status === 200) this.#latencies.push(performance.now() - since);
    else this.#failed += 1;
  }

  #sign(i: number): Buffer {
    return signedRequest({ ...this.#order, number: this.#order.first + i });
  }
}

process.on('message', async (order: LoadOrder) => {
  const load = new Load(order);
  await load.connect();
  process.send?.(await load.run());
});
process.once('disconnect', () => process.exit());
process.send?.({ port: 0 });
