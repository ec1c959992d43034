import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';

/** The bytes of an audit file as they were made, a chunk in memory at a time. Fails if a part is missing: half a file must not look like one. */
export async function* auditContent(pool: pg.Pool, { id, bytes }: { id: string; bytes: number }): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const piece of Readable.from(chunks(pool, id)).compose(createGunzip())) {
    sent += piece.byteLength;
    yield piece;
  }
  if (sent !== bytes) throw new Error(`audit file ${id} has ${sent} of its ${bytes} bytes; was its shop deleted meanwhile?`);
}

// The members follow each other as one gzip stream.
async function* chunks(pool: pg.Pool, id: string): AsyncGenerator<Buffer> {
  const { rows } = await pool.query<{ n: number }>('select n::int as n from compliance.audit_file_chunks where file_id = $1 order by n', [id]);
  for (const { n } of rows) {
    const chunk = await pool.query<{ content: Buffer }>('select content from compliance.audit_file_chunks where file_id = $1 and n = $2', [id, n]);
    if (chunk.rows[0] === undefined) return;
    yield chunk.rows[0].content;
  }
}
