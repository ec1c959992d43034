import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { keepSecretFile, openDataDir, readIfThere } from '../platform/data-dir.ts';
import type { Secret } from './secret.ts';
import { parseKeys } from './variable-forms.ts';

/** In DATA_DIR. */
export const KEY_FILE = 'encryption.key';

/** The keys of 32 bytes, newest first, that data keys are sealed with: the configured ones, else those of DATA_DIR/encryption.key, which is made once. */
export async function loadEncryptionKeys({ config, dataDir }: { config: { encryptionKeys: Secret | null }; dataDir: string }): Promise<Buffer[]> {
  if (config.encryptionKeys !== null) return required(config.encryptionKeys.reveal(), 'ENCRYPTION_KEYS');
  const path = join(await openDataDir(dataDir), KEY_FILE);
  const text = await keepSecretFile(path, () => `${randomBytes(32).toString('hex')}\n`);
  return required(text, path);
}

/** The keys that DATA_DIR keeps; null if it keeps none. */
export async function keptKeys(dataDir: string): Promise<Buffer[] | null> {
  const path = join(dataDir, KEY_FILE);
  const text = await readIfThere(path);
  return text === undefined ? null : required(text, path);
}

function required(text: string, source: string): Buffer[] {
  const keys = parseKeys(text);
  if (keys === undefined)
    throw new Error(`${source} has something else than keys of 32 bytes in hex or base64, newest first; put back those that were used before`);
  return keys;
}
