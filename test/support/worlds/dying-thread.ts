import type { LargeBody } from '../../../src/app/body-thread.ts';

/** Stands in for the thread that reads large bodies: one of them ends it. */
export function readOnThread({ envelope, body }: LargeBody): string {
  if (Buffer.from(body).toString().startsWith('die')) process.exit(1);
  return JSON.stringify({ envelope, normalized: { kind: 'ignored', why: 'it lives' } });
}
