import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder under the system's temporary one, deleted when disposed of. `mode` 0711: other accounts may pass through. */
export async function scratchDir(mode = 0o711): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'orderbridge-test-'));
  await chmod(path, mode);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}
