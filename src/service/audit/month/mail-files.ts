import { z } from 'zod';
import { encodedBytes, type MailAttachment } from '../../../platform/mail/mail-message.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { readWithin, type ZippedFile, zipWithin } from '../../../platform/zip-within.ts';
import { storedContent } from '../file/stored-content.ts';
import type { StoredVersion } from './read-versions.ts';

/** In bytes of the mail as it is sent: the most, and beyond how much the files go in an archive. */
export type MailSizes = { whole: number; plain: number };

const MB = 1024 * 1024;
/** Servers that take less than 10 MB are rare. */
export const MAIL_SIZES: MailSizes = { whole: 8 * MB, plain: 4 * MB };

/** The files of a version as they fit: both as they are, an archive of both or of the XML alone, or null. */
export type MailFiles = { kind: 'files'; attachments: MailAttachment[] } | { kind: 'zip'; name: string; withoutCsv: boolean; attachments: MailAttachment[] };

type Wanted = { file: StoredVersion; name: string; sizes: MailSizes /** What the rest of the mail takes. */; beside: number };

/** Chooses how the files of a version fit into a mail. At most as much is in memory as a mail may hold. */
export async function filesForMail(pool: Pool, wanted: Wanted): Promise<MailFiles | null> {
  return (await asTheyAre(pool, wanted)) ?? (await archived(pool, wanted, false)) ?? (await archived(pool, wanted, true));
}

async function asTheyAre(pool: Pool, { file, name, sizes, beside }: Wanted): Promise<MailFiles | null> {
  const room = rawBytes(sizes.plain - beside);
  if (file.bytes > room) return null;
  const xml = await readWithin(xmlOf(pool, file), room);
  const csv = xml === null ? null : await readWithin(csvOf(pool, file), room - xml.byteLength);
  if (xml === null || csv === null) return null;
  const attachments = [
    { filename: name, contentType: 'application/xml', content: xml },
    { filename: csvName(name), contentType: 'text/csv; charset=utf-8', content: csv },
  ];
  return { kind: 'files', attachments };
}

async function archived(pool: Pool, { file, name, sizes, beside }: Wanted, withoutCsv: boolean): Promise<MailFiles | null> {
  const limit = rawBytes(sizes.whole - beside);
  if ((await storedBytes(pool, file.id, withoutCsv)) > limit * STORED_IS_LARGER) return null;
  const xml: ZippedFile = { name, content: xmlOf(pool, file) };
  const files = withoutCsv ? [xml] : [xml, { name: csvName(name), content: csvOf(pool, file) }];
  const content = await zipWithin(files, { limit, at: new Date(file.createdAt) });
  if (content === null) return null;
  const archive = name.replace(/xml$/, 'zip');
  return { kind: 'zip', name: archive, withoutCsv, attachments: [{ filename: archive, contentType: 'application/zip', content }] };
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

function xmlOf(pool: Pool, { id, bytes }: StoredVersion): AsyncIterable<Uint8Array> {
  return storedContent(pool, 'audit_file_chunks', { id, bytes });
}

function csvOf(pool: Pool, { id }: StoredVersion): AsyncIterable<Uint8Array> {
  return storedContent(pool, 'audit_csv_chunks', { id, bytes: null });
}

function csvName(name: string): string {
  return name.replace(/xml$/, 'csv');
}

const size = rowsOf('the chunks of an audit file', z.object({ bytes: z.number() }));

async function storedBytes(pool: Pool, fileId: string, withoutCsv: boolean): Promise<number> {
  const { bytes } = await readOne(pool, size, {
    text: `select (select coalesce(sum(length(content)), 0) from compliance.audit_file_chunks where file_id = $1)::float8
      + (select coalesce(sum(length(content)), 0) from compliance.audit_csv_chunks where file_id = $1 and not $2)::float8 as bytes`,
    values: [fileId, withoutCsv],
  });
  return bytes;
}
