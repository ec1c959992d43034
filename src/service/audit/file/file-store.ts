import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Queryable } from '../../../platform/postgres/postgres.ts';

const compressed = promisify(gzip);
const CHUNK_BYTES = 1024 * 1024;

/** Which chunks are written: the file itself, or the table beside it. */
type Table = 'audit_file_chunks' | 'audit_csv_chunks';

/**
 * Puts bytes into the database as they come, as gzip members of about 1 MB before compression. One member is compressed and stored while the next is
 * being made; `add` waits for the one before. `bytes` and `sha256` are of the uncompressed whole.
 */
export class ChunkWriter {
  readonly #tx: Queryable;
  readonly #table: Table;
  readonly #fileId: string;
  readonly #hash = createHash('sha256');
  #pending: Buffer[] = [];
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
    this.#pending.push(block);
    this.#size += block.byteLength;
    this.#bytes += block.byteLength;
    if (this.#size >= CHUNK_BYTES) await this.#flush();
  }

  async end(): Promise<{ bytes: number; sha256: string }> {
    await this.#flush();
    await this.#storing;
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Waits for what is under way, so that the transaction can be rolled back. */
  async abandon(): Promise<void> {
    await this.#storing.catch(() => undefined);
  }

  async #flush(): Promise<void> {
    await this.#storing;
    if (this.#size === 0) return;
    const whole = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#size = 0;
    this.#n += 1;
    this.#storing = this.#store(whole, this.#n);
    // Thrown at the next `add` or at the end; until then nobody listens.
    this.#storing.catch(() => undefined);
  }

  async #store(whole: Buffer, n: number): Promise<void> {
    const content = await compressed(whole);
    await this.#tx.query(`insert into compliance.${this.#table} (file_id, n, content) values ($1, $2, $3)`, [this.#fileId, n, content]);
  }
}
