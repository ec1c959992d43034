import { randomBytes } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compress } from '../../../src/platform/compress.ts';

/** Of the header of a frame (RFC 8878): whether it says how long its content is. */
const CONTENT_SIZE = 0b1110_0000;

test.each([1, 9_000, 128 * 1024, 128 * 1024 + 1, 1_000_000])('a body of %d bytes comes back as it was, and its size is known before', async (size) => {
  const body = Buffer.from(Array.from({ length: size }, (_, at) => (at * 7) % 256));

  const packed = await compress(body);

  expect(zstdDecompressSync(packed).equals(body)).toBe(true);
  expect((packed[4] ?? 0) & CONTENT_SIZE).not.toBe(0);
});

test('an empty body comes back', async () => {
  expect(zstdDecompressSync(await compress(Buffer.alloc(0)))).toHaveLength(0);
});

test('bodies that are compressed one after the other know nothing of each other', async () => {
  const bodies = [randomBytes(128 * 1024), Buffer.alloc(128 * 1024, 'ab'), Buffer.alloc(0), randomBytes(5), Buffer.alloc(9_000, 'ab'), randomBytes(9_000)];

  const packed = await Promise.all([...bodies, ...bodies].map(compress));

  for (const [at, one] of packed.entries()) expect(zstdDecompressSync(one).equals(bodies[at % bodies.length] ?? randomBytes(1))).toBe(true);
});
