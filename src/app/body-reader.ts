import { Tinypool } from 'tinypool';
import { type Read, readTrusted, type Trusted } from '../bridge/intake/read-trusted.ts';
import { threadModule } from '../platform/program-file.ts';
import type { LargeBody } from './body-thread.ts';

/** Bodies up to this size are read at once: it takes a few milliseconds. */
const SMALL = 64 * 1024;
const THREAD_MS = 10_000;
const THREAD_MB = 64;
/** Its memory is given back soon. */
const IDLE_MS = 1_000;

/** Reads trusted bodies, large ones one after the other on a thread of its own, so that whoever sends them keeps nobody else waiting. */
export function createBodyReader({ file = threadModule('app/body-thread'), withinMs = THREAD_MS } = {}): (trusted: Trusted) => Promise<Read> {
  const pool = new Tinypool({
    ...{ filename: file, name: 'readOnThread', runtime: 'worker_threads', env: {} },
    ...{
      minThreads: 0,
      maxThreads: 1,
      concurrentTasksPerWorker: 1,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MB, maxYoungGenerationSizeMb: 16 },
    },
  });
  let last: Promise<unknown> = Promise.resolve();
  const onThread = (body: LargeBody): Promise<string> => {
    const run = last.then(() => pool.run(body, { signal: AbortSignal.timeout(withinMs) }));
    last = run.catch(() => undefined);
    return run;
  };
  return async (trusted) => {
    const { storefront, envelope, body } = trusted;
    if (body.length <= SMALL) return readTrusted(trusted);
    try {
      return JSON.parse(await onThread({ platform: storefront.name, envelope, body }));
    } catch {
      // Whatever it is that the thread died of, or did not get done: it is kept for a person, and is not tried again.
      const detail = `body: its ${body.length} bytes could not be read within ${withinMs / 1000} s and ${THREAD_MB} MB; record the order by hand`;
      return { envelope, normalized: { kind: 'unreadable', problems: [{ code: 'payload.unreadable', detail }] } };
    }
  };
}
