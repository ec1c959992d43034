import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { keepSecretFile, openDataDir, readIfThere } from '../platform/data-dir.ts';
import type { Secret } from './secret.ts';
import { parseKey } from './variable-forms.ts';

/** In DATA_DIR. */
export const KEY_FILE = 'encryption.key';

/** The 32 bytes that stored secrets are sealed with: the configured ones, else those of DATA_DIR/encryption.key, which is made once. */
export async function loadEncryptionKey({ config, dataDir }: { config: { encryptionKey: Secret | null }; dataDir: string }): Promise<Buffer> {
  if (config.encryptionKey !== null) return required(config.encryptionKey.reveal(), 'ENCRYPTION_KEY');
  const path = join(await openDataDir(dataDir), KEY_FILE);
  const text = await keepSecretFile(path, () => `${randomBytes(32).toString('hex')}\n`);
  return required(text, path);
}

/** The key that DATA_DIR keeps; null if it keeps none. */
export async function keptKey(dataDir: string): Promise<Buffer | null> {
  const path = join(dataDir, KEY_FILE);
  const text = await readIfThere(path);
  return text === undefined ? null : required(text, path);
}

function required(text: string, source: string): Buffer {
  const key = parseKey(text);
  if (key === undefined) throw new Error(`${source} is not a key of 32 bytes in hex or base64; put back the one that was used before`);
  return key;
}
