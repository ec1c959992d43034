import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Redis } from 'ioredis';
import { z } from 'zod';
import type { Queryable } from '../../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { readZip } from '../samples/read-zip.ts';

/** Something of a copy, and where it was. */
type Part = { where: string; bytes: Buffer };

const names = rowsOf('pg_tables', z.object({ name: z.string() }));
const texts = rowsOf('rows', z.object({ text: z.string() }));

/** Every row of every table, as a dump has it. */
export async function* dumped(db: Queryable): AsyncGenerator<Part> {
  const text = `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`;
  for (const { name } of await readRows(db, names, { text })) {
    for (const row of await readRows(db, texts, { text: `select t::text as text from ${name} t` })) yield { where: name, bytes: Buffer.from(row.text) };
  }
}

/** Everything that Redis keeps. */
export async function* keptInRedis(url: string): AsyncGenerator<Part> {
  const redis = new Redis(url);
  try {
    for (const key of await redis.keys('*')) yield { where: key, bytes: Buffer.from(await textOf(redis, key)) };
  } finally {
    redis.disconnect();
  }
}

async function textOf(redis: Redis, key: string): Promise<string> {
  switch (await redis.type(key)) {
    case 'string':
      return (await redis.get(key)) ?? '';
    case 'hash':
      return JSON.stringify(await redis.hgetall(key));
    case 'list':
      return (await redis.lrange(key, 0, -1)).join();
    case 'stream':
      return JSON.stringify(await redis.xrange(key, '-', '+'));
    default:
      return '';
  }
}

/** Every file of a folder. */
export async function* filesIn(folder: string): AsyncGenerator<Part> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const where = join(entry.parentPath, entry.name);
    if (entry.isFile()) yield { where, bytes: await readFile(where).catch(() => Buffer.alloc(0)) };
  }
}

/** Which of these texts are in the parts, as they are or packed, and where. */
export async function found(wanted: readonly string[], ...copies: AsyncIterable<Part>[]): Promise<string[]> {
  const seen = new Set<string>();
  for (const copy of copies) {
    for await (const { where, bytes } of copy) {
      for (const text of unpacked(bytes)) for (const one of wanted) if (text.includes(one)) seen.add(`${one} in ${where}`);
    }
  }
  return [...seen];
}

const HEX = /[0-9a-f]{16,}/g;
const BASE64 = /[A-Za-z0-9+/_-]{16,}={0,2}/g;
const DEEPEST = 5;

/** What bytes say, and what the texts say that are packed in them: hexadecimal, base64, zstd, gzip, zip. */
export function* unpacked(bytes: Buffer, depth = 0): Generator<string> {
  const text = bytes.toString('latin1');
  yield bytes.toString('utf8');
  if (depth === DEEPEST) return;
  for (const content of contents(bytes)) yield* unpacked(content, depth + 1);
  for (const [hex] of text.matchAll(HEX)) yield* unpacked(Buffer.from(hex, 'hex'), depth + 1);
  for (const [base64] of text.matchAll(BASE64)) yield* unpacked(Buffer.from(base64, 'base64'), depth + 1);
}

function contents(bytes: Buffer): Buffer[] {
  try {
    if (bytes.subarray(0, 4).equals(Buffer.from('28b52ffd', 'hex'))) return [zstdDecompressSync(bytes)];
    if (bytes.subarray(0, 2).equals(Buffer.from('1f8b', 'hex'))) return [gunzipSync(bytes)];
    if (bytes.subarray(0, 2).toString() === 'PK') return [...readZip(bytes).values()];
  } catch {
    // It only begins like one.
  }
  return [];
}
