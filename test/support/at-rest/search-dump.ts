import { randomBytes } from 'node:crypto';
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

/** Every file of a folder but those of these names. */
export async function* filesIn(folder: string, ...but: string[]): AsyncGenerator<Part> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const where = join(entry.parentPath, entry.name);
    if (entry.isFile() && !but.includes(entry.name)) yield { where, bytes: await readFile(where).catch(unlessGone) };
  }
}

/** A server may remove a file meanwhile; one that can't be read would be one that nobody looked into. */
function unlessGone(thrown: NodeJS.ErrnoException): Buffer {
  if (thrown.code !== 'ENOENT') throw thrown;
  return Buffer.alloc(0);
}

/** A text that no other is like, and that is found quickly in much. */
export const needle = (): string => `needle${randomBytes(9).toString('hex')}`;
const NEEDLE = /needle[0-9a-f]{18}/g;

/** What links, sessions and second factors are opened with. */
const WORD = /^[\w-]{10,}$/;

/** Which of these texts are in the parts, as they are or packed, and where. */
export async function found(wanted: readonly string[], ...copies: AsyncIterable<Part>[]): Promise<string[]> {
  const seen = new Set<string>();
  const inPiece = finder(wanted);
  for (const copy of copies)
    for await (const { where, bytes } of copy) for (const piece of unpacked(bytes)) for (const one of inPiece(piece)) seen.add(`${one} in ${where}`);
  return [...seen];
}

/** Which of them are in a piece: of many, in one look. */
function finder(wanted: readonly string[]): (piece: Buffer) => string[] {
  const needles = new Map(wanted.flatMap((one) => (one.match(NEEDLE) ?? []).map((each) => [each, one] as const)));
  const rest = wanted.filter((one) => one.match(NEEDLE) === null);
  const words = new Set(rest.filter((one) => WORD.test(one)));
  const lengths = [...new Set([...words].map(({ length }) => length))];
  const runs = new RegExp(`[\\w-]{${Math.min(...lengths)},}`, 'g');
  // A job of the queue has the bytes of its text as letters, one each.
  const others = rest.filter((one) => !words.has(one)).map((one) => ({ one, forms: [one, Buffer.from(one).toString('latin1')] }));
  return (piece) => {
    const text = piece.toString('latin1');
    return [
      ...(text.match(NEEDLE) ?? []).flatMap((one) => needles.get(one) ?? []),
      ...(words.size === 0 ? [] : (text.match(runs) ?? []).flatMap((run) => lengths.flatMap((length) => wordsIn(run, length).filter((one) => words.has(one))))),
      ...others.flatMap(({ one, forms }) => (forms.some((form) => piece.includes(form)) ? [one] : [])),
    ];
  };
}

function wordsIn(run: string, length: number): string[] {
  return Array.from({ length: Math.max(0, run.length - length + 1) }, (_, at) => run.slice(at, at + length));
}

const HEX = /[0-9a-f]{16,}/g;
const BASE64 = /[A-Za-z0-9+/_-]{16,}={0,2}/g;
const DEEPEST = 5;

/** Bytes, and those that are packed in them: hexadecimal, base64, zstd, gzip, zip, wherever they begin. */
export function* unpacked(bytes: Buffer, depth = 0): Generator<Buffer> {
  yield bytes;
  if (depth === DEEPEST) return;
  for (const content of contents(bytes)) yield* unpacked(content, depth + 1);
  const text = bytes.toString('latin1');
  // What stands before them in a file may look like a part of them.
  for (const [hex] of text.matchAll(HEX)) for (const at of [0, 1]) yield* unpacked(Buffer.from(hex.slice(at), 'hex'), depth + 1);
  for (const [base64] of text.matchAll(BASE64)) for (const at of [0, 1, 2, 3]) yield* unpacked(Buffer.from(base64.slice(at), 'base64'), depth + 1);
}

const ZSTD = Buffer.from('28b52ffd', 'hex');
const GZIP = Buffer.from('1f8b08', 'hex');

function* contents(bytes: Buffer): Generator<Buffer> {
  if (bytes.subarray(0, 2).toString() === 'PK') yield* unlessBroken(() => [...readZip(bytes).values()]);
  for (const at of places(bytes, GZIP)) yield* unlessBroken(() => [gunzipSync(bytes.subarray(at))]);
  for (const at of places(bytes, ZSTD)) {
    const end = endOfZstd(bytes, at);
    if (end !== null) yield* unlessBroken(() => [zstdDecompressSync(bytes.subarray(at, end))]);
  }
}

function* places(bytes: Buffer, magic: Buffer): Generator<number> {
  for (let at = bytes.indexOf(magic); at >= 0; at = bytes.indexOf(magic, at + 1)) yield at;
}

/** It may only begin like one. */
function unlessBroken(read: () => Buffer[]): Buffer[] {
  try {
    return read();
  } catch {
    return [];
  }
}

/** Where the frame ends that begins here (RFC 8878); null: it is none. */
function endOfZstd(bytes: Buffer, at: number): number | null {
  const descriptor = bytes[at + ZSTD.length] ?? 0;
  const isOne = (descriptor >> 5) & 1;
  const sizeBytes = [isOne, 2, 4, 8][descriptor >> 6] ?? 0;
  const hasChecksum = (descriptor >> 2) & 1;
  let end = at + ZSTD.length + 1 + (1 - isOne) + ([0, 1, 2, 4][descriptor & 3] ?? 0) + sizeBytes;
  for (let isLast = false; !isLast; ) {
    if (end + 3 > bytes.length) return null;
    const header = bytes.readUIntLE(end, 3);
    const type = (header >> 1) & 3;
    if (type === 3) return null;
    isLast = (header & 1) === 1;
    end += 3 + (type === 1 ? 1 : header >> 3);
  }
  end += hasChecksum * 4;
  return end > bytes.length ? null : end;
}
