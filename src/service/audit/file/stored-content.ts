import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';

/** The file itself, the CSV of its orders, and that of its sums for bookkeeping. */
export type ContentTable = 'audit_file_chunks' | 'audit_csv_chunks' | 'audit_bookkeeping_chunks';
const chunkNumbers = rowsOf('the chunks of an audit file', z.object({ n: z.int() }));
const chunks = rowsOf('the chunks of an audit file', z.object({ content: z.instanceof(Buffer) }));

/** `bytes`: the expected size; null where it is not stored. */
type Stored = { id: string; bytes: number | null };

/**
 * The bytes of a file or one of its CSVs as they were made, a chunk in memory at a time. Fails if a part is missing: half a file must not look whole.
 */
export async function* storedContent(pool: Pool, table: ContentTable, { id, bytes }: Stored): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const piece of Readable.from(storedMembers(pool, table, id)).compose(createGunzip())) {
    sent += piece.byteLength;
    yield piece;
  }
  if (bytes !== null && sent !== bytes) throw new Error(`audit file ${id} has ${sent} of its ${bytes} bytes; was its shop deleted meanwhile?`);
}

/** The same as it is stored: gzip members, which together are one gzip file. */
async function* storedMembers(pool: Pool, table: ContentTable, fileId: string): AsyncGenerator<Buffer> {
  const rows = await readRows(pool, chunkNumbers, { text: `select n::int as n from compliance.${table} where file_id = $1 order by n`, values: [fileId] });
  for (const { n } of rows) {
    const chunk = await readRow(pool, chunks, { text: `select content from compliance.${table} where file_id = $1 and n = $2`, values: [fileId, n] });
    if (chunk === null) return;
    yield chunk.content;
  }
}
