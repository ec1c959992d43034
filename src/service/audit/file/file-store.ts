import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Queryable } from '../../../platform/postgres/postgres.ts';

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
