import { Worker } from 'node:worker_threads';
import type { Source } from './draw-shot.ts';
import type { Meaning } from './shot.ts';

/** The requests from number `from` up to, but without, number `to`. */
export type FloodOrder = Source & { url: string; from: number; to: number };

export type FloodReport = {
  /** How often each status was answered, by family; 0: no answer. */
  answers: Record<string, Record<number, number>>;
  unexpected: { count: number; samples: string[] };
  /** How many were answered 503, where that is not the rule: the program asked for them once more. */
  late: number;
  /** Of requests that were answered 200. */
  meant: Meaning[];
  /** Whose sender does not know whether they were taken. */
  unanswered: Meaning[];
  seconds: number;
};

export type FloodWords = { answered: number } | { report: FloodReport };

export type Flood = { answered(): number; done: Promise<FloodReport> };

/** Sends requests from a thread of its own. */
export function startFlood(order: FloodOrder): Flood {
  const { promise, resolve, reject } = Promise.withResolvers<FloodReport>();
  const worker = new Worker(new URL('./flood-worker.ts', import.meta.url), { workerData: order });
  let answered = 0;
  worker.on('message', (words: FloodWords) => {
    if ('report' in words) resolve(words.report);
    else answered = words.answered;
  });
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`the flood ended early, with ${code}`)));
  return { answered: () => answered, done: promise };
}
