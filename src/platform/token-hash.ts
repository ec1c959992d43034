import { createHash } from 'node:crypto';

/** What is stored of a token. It is as good as random, and needs no salt. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
