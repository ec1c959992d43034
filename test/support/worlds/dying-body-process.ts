import type { LargeBody } from '../../../src/app/body-process.ts';

/** Stands in for the process that reads large bodies: one of them takes all of its memory, by what would end the whole process if it ran on a thread. */
export function readLargeBody({ envelope, body }: LargeBody): string {
  const known = new Map<number, number>();
  if (Buffer.from(body).toString().startsWith('die')) for (let n = 0; ; n += 1) known.set(n, n);
  return JSON.stringify({ envelope, normalized: { kind: 'ignored', why: 'it lives' } });
}
