import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync } from 'node:zlib';

const elsewhere = promisify(zstdCompress);
/** Up to this size it takes less than a millisecond, several times less than handing it to another thread. */
const AT_ONCE = 128 * 1024;

/** zstd: small bodies on this thread, large ones on another. */
export async function compress(body: Buffer): Promise<Buffer> {
  return body.length <= AT_ONCE ? zstdCompressSync(body) : elsewhere(body);
}
