import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync } from 'node:zlib';

const elsewhere = promisify(zstdCompress);
/** Up to here it takes less than a millisecond, and handing it to another thread costs several times that. */
const AT_ONCE = 128 * 1024;

/** zstd: small bodies here and now, large ones on another thread. */
export async function compress(body: Buffer): Promise<Buffer> {
  return body.length <= AT_ONCE ? zstdCompressSync(body) : elsewhere(body);
}
