import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';

type Table = 'audit_file_chunks' | 'audit_csv_chunks';
/** `bytes`: how many there must be; null where that is not kept. */
type Stored = { id: string; bytes: number | null };

/**
 * The bytes of a file or its CSV as they were made, a chunk in memory at a time. Fails if a part is missing: half a file must not look like one.
 */
export async function* storedContent(pool: pg.Pool, table: Table, { id, bytes }: Stored): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const piece of Readable.from(storedMembers(pool, table, id)).compose(createGunzip())) {
    sent += piece.byteLength;
    yield piece;
  }
  if (bytes !== null && sent !== bytes) throw new Error(`audit file ${id} has ${sent} of its ${bytes} bytes; was its shop deleted meanwhile?`);
}

/** The same as it is kept: gzip members, which follow each other as one gzip file. */
export async function* storedMembers(pool: pg.Pool, table: Table, fileId: string): AsyncGenerator<Buffer> {
  const { rows } = await pool.query<{ n: number }>(`select n::int as n from compliance.${table} where file_id = $1 order by n`, [fileId]);
  for (const { n } of rows) {
    const chunk = await pool.query<{ content: Buffer }>(`select content from compliance.${table} where file_id = $1 and n = $2`, [fileId, n]);
    if (chunk.rows[0] === undefined) return;
    yield chunk.rows[0].content;
  }
}
