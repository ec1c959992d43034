import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';

type Table = 'audit_file_chunks' | 'audit_csv_chunks';

/** The bytes of a file or its CSV as they were made, a chunk in memory at a time. */
export async function* storedContent(pool: pg.Pool, table: Table, fileId: string): AsyncGenerator<Uint8Array> {
  yield* Readable.from(storedMembers(pool, table, fileId)).compose(createGunzip());
}

/** The same as it is kept: gzip members, which follow each other as one gzip file. */
export async function* storedMembers(pool: pg.Pool, table: Table, fileId: string): AsyncGenerator<Buffer> {
  for (let n = 1; ; n += 1) {
    const { rows } = await pool.query<{ content: Buffer }>(`select content from compliance.${table} where file_id = $1 and n = $2`, [fileId, n]);
    if (rows[0] === undefined) return;
    yield rows[0].content;
  }
}
