import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { residentBytes } from '../../../bench/usage.ts';
import { HEALTH_EVERY_MS, MEMORY_EVERY_MS } from './hostile-limits.ts';
import { type Percentiles, percentiles } from './percentiles.ts';

/** Measures until it is ended. */
export type Watch<T> = { end(): Promise<T> };

const HEALTH_TIMEOUT_MS = 30_000;

/** How long `/healthz` takes, each time over a new connection; one without an answer took as long as was waited for it. */
export function watchHealth(url: string): Watch<Percentiles> {
  const took: number[] = [];
  return repeatedly(
    HEALTH_EVERY_MS,
    async () => void took.push(await healthMs(url)),
    () => percentiles(took),
  );
}

function healthMs(url: string): Promise<number> {
  const began = performance.now();
  return new Promise((resolve) => {
    const sent = get(`${url}/healthz`, { agent: false, timeout: HEALTH_TIMEOUT_MS }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200 ? performance.now() - began : HEALTH_TIMEOUT_MS));
    });
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => resolve(HEALTH_TIMEOUT_MS));
  });
}

/** The same for a server that does nothing, in a thread of its own. */
export async function watchBareServer(): Promise<Watch<Percentiles>> {
  const worker = new Worker(new URL('./bare-server.ts', import.meta.url));
  const [port]: unknown[] = await once(worker, 'message');
  const watch = watchHealth(`http://127.0.0.1:${port}`);
  return {
    end: async () => {
      const seen = await watch.end();
      await worker.terminate();
      return seen;
    },
  };
}

const MB = 1024 * 1024;

/** The most resident memory of a process, in MB. */
export function watchMemory(pid: number): Watch<number> {
  let most = 0;
  return repeatedly(
    MEMORY_EVERY_MS,
    async () => {
      most = Math.max(most, residentMb(pid));
    },
    () => most,
  );
}

export function residentMb(pid: number): number {
  return residentBytes([pid]) / MB;
}

export function repeatedly<T>(everyMs: number, look: () => Promise<void>, result: () => T): Watch<T> {
  let ended = false;
  const looking = (async () => {
    while (!ended) {
      await look();
      await sleep(everyMs);
    }
  })();
  return {
    end: async () => {
      ended = true;
      await looking;
      return result();
    },
  };
}
