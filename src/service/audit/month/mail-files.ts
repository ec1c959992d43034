import { z } from 'zod';
import { encodedBytes, type MailAttachment } from '../../../platform/mail/mail-message.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { readWithin, type ZippedFile, zipWithin } from '../../../platform/zip-within.ts';
import { type ContentTable, storedContent } from '../file/stored-content.ts';
import type { StoredVersion } from './read-versions.ts';

/** In bytes of the mail as it is sent: the most, and beyond how much the files go in an archive. */
export type MailSizes = { whole: number; plain: number };

const MB = 1024 * 1024;
/** Servers that take less than 10 MB are rare. */
export const MAIL_SIZES: MailSizes = { whole: 8 * MB, plain: 4 * MB };

/**
 * The files of a version as they fit: all as they are, or an archive of as many as have room, or null. `withoutCsv`: without that of the orders.
 * `bookkeeping`: with that of the sums.
 */
export type MailFiles =
  | { kind: 'files'; attachments: MailAttachment[] }
  | { kind: 'zip'; name: string; withoutCsv: boolean; bookkeeping: boolean; attachments: MailAttachment[] };

type Wanted = { file: StoredVersion; name: string; sizes: MailSizes /** What the rest of the mail takes. */; beside: number };

type SideTable = Exclude<ContentTable, 'audit_file_chunks'>;

/** Those that are left out first come first. */
const SIDES: readonly SideTable[] = ['audit_csv_chunks', 'audit_bookkeeping_chunks'];

/** Chooses how the files of a version fit into a mail. At most as much is in memory as a mail may hold. */
export async function filesForMail(pool: Pool, wanted: Wanted): Promise<MailFiles | null> {
  const whole = await asTheyAre(pool, wanted, SIDES);
  if (whole !== null) return whole;
  for (const sides of [SIDES, SIDES.slice(1), []]) {
    const archive = await archived(pool, wanted, sides);
    if (archive !== null) return archive;
  }
  return null;
}

async function asTheyAre(pool: Pool, { file, name, sizes, beside }: Wanted, sides: readonly SideTable[]): Promise<MailFiles | null> {
  let room = rawBytes(sizes.plain - beside);
  if (file.bytes > room) return null;
  const attachments: MailAttachment[] = [];
  for (const table of ['audit_file_chunks', ...sides] as const) {
    const content = await readWithin(contentOf(pool, table, file), room);
    if (content === null) return null;
    room -= content.byteLength;
    attachments.push({ filename: nameOf(table, name), contentType: table === 'audit_file_chunks' ? 'application/xml' : 'text/csv; charset=utf-8', content });
  }
  return { kind: 'files', attachments };
}

async function archived(pool: Pool, { file, name, sizes, beside }: Wanted, sides: readonly SideTable[]): Promise<MailFiles | null> {
  const limit = rawBytes(sizes.whole - beside);
  const tables = ['audit_file_chunks', ...sides] as const;
  if ((await storedBytes(pool, file.id, tables)) > limit * STORED_IS_LARGER) return null;
  const files = tables.map((table): ZippedFile => ({ name: nameOf(table, name), content: contentOf(pool, table, file) }));
  const content = await zipWithin(files, { limit, at: new Date(file.createdAt) });
  if (content === null) return null;
  const archive = name.replace(/xml$/, 'zip');
  const attachments = [{ filename: archive, contentType: 'application/zip', content }];
  return {
    ...{ kind: 'zip', name: archive, attachments },
    withoutCsv: !sides.includes('audit_csv_chunks'),
    bookkeeping: sides.includes('audit_bookkeeping_chunks'),
  };
}

/** An archive is a little smaller than the pieces that are stored, each compressed alone. */
const STORED_IS_LARGER = 1.2;

/** How many bytes in base64 take so many bytes. */
function rawBytes(room: number): number {
  return Math.floor((room * 3 * 76) / (4 * 78)) - 3;
}

/** What a content takes in a mail, with the headers of its part. */
export function attachedBytes(content: Buffer): number {
  return encodedBytes(content.byteLength) + PART_HEADERS;
}

const PART_HEADERS = 500;

function contentOf(pool: Pool, table: ContentTable, { id, bytes }: StoredVersion): AsyncIterable<Uint8Array> {
  return storedContent(pool, table, { id, bytes: table === 'audit_file_chunks' ? bytes : null });
}

/** Its name beside that of the XML. */
function nameOf(table: ContentTable, xml: string): string {
  if (table === 'audit_file_chunks') return xml;
  return table === 'audit_csv_chunks' ? xml.replace(/xml$/, 'csv') : xml.replace(/^audit/, 'bookkeeping').replace(/xml$/, 'csv');
}

const size = rowsOf('the chunks of an audit file', z.object({ bytes: z.number() }));

async function storedBytes(pool: Pool, fileId: string, tables: readonly ContentTable[]): Promise<number> {
  let sum = 0;
  for (const table of tables) {
    const text = `select coalesce(sum(length(content)), 0)::float8 as bytes from compliance.${table} where file_id = $1`;
    sum += (await readOne(pool, size, { text, values: [fileId] })).bytes;
  }
  return sum;
}
