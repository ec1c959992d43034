import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import type { Pool, Queryable } from '../../../platform/postgres/postgres.ts';
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

const compressed = promisify(gzip);
const CHUNK_BYTES = 1024 * 1024;

/** The table of the chunks: of the file itself, or of one of its CSVs. */
type Table = 'audit_file_chunks' | 'audit_csv_chunks' | 'audit_bookkeeping_chunks';

/**
 * Streams bytes into the database, as gzip members of 1 MB before compression, in two buffers: one member is compressed and stored while the next is
 * being made; `add` waits for the previous one. `bytes` and `sha256` are of the uncompressed content.
 */
export class ChunkWriter {
  readonly #tx: Queryable;
  readonly #table: Table;
  readonly #fileId: string;
  readonly #hash = createHash('sha256');
  #filling = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  #spare = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  #size = 0;
  #bytes = 0;
  #n = 0;
  #storing: Promise<void> = Promise.resolve();

  constructor(tx: Queryable, table: Table, fileId: string) {
    this.#tx = tx;
    this.#table = table;
    this.#fileId = fileId;
  }

  async add(block: Buffer): Promise<void> {
    this.#hash.update(block);
    this.#bytes += block.byteLength;
    for (let at = 0; at < block.byteLength; ) {
      const copied = block.copy(this.#filling, this.#size, at);
      at += copied;
      this.#size += copied;
      if (this.#size === CHUNK_BYTES) await this.#flush();
    }
  }

  async end(): Promise<{ bytes: number; sha256: string }> {
    await this.#flush();
    await this.#storing;
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Waits for a pending insert, so that the transaction can be rolled back. */
  async abandon(): Promise<void> {
    await this.#storing.catch(() => undefined);
  }

  async #flush(): Promise<void> {
    await this.#storing;
    if (this.#size === 0) return;
    const whole = this.#filling.subarray(0, this.#size);
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.#size = 0;
    this.#n += 1;
    this.#storing = this.#store(whole, this.#n);
    // Rethrown by the next `add` or `end`; this prevents an unhandled rejection until then.
    this.#storing.catch(() => undefined);
  }

  async #store(whole: Buffer, n: number): Promise<void> {
    const content = await compressed(whole);
    await this.#tx.query(`insert into compliance.${this.#table} (file_id, n, content) values ($1, $2, $3)`, [this.#fileId, n, content]);
  }
}
