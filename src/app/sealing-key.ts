import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { KEY_FILE, keptKey, loadEncryptionKey } from '../config/encryption-key.ts';
import { Refusal } from '../operations/refusal.ts';
import { type KeyFit, keyFit } from '../platform/postgres/key-fit.ts';
import type { Pool } from '../platform/postgres/postgres.ts';
import { openOnly, type Sealer, sealer } from '../platform/seal.ts';
import { SEALED_API_KEYS } from '../service/keys/api-keys.ts';

/**
 * `note`: what was not taken, for the person who started this. `problem`: nothing that is stored opens with the key, so nothing is sealed with it,
 * and a server must not start.
 */
export type ChosenKey = { sealer: Sealer; note: string | null; problem: string | null };

/** Every sealed column that stays; tokens of stores are made anew. */
const SEALED = [
  { table: 'bridge.connections', column: 'secrets' },
  { table: 'bridge.connections', column: 'store_access' },
  { table: 'bridge.destinations', column: 'credentials' },
  { table: 'bridge.store_apps', column: 'secrets' },
  SEALED_API_KEYS,
];

type SealConfig = Pick<Config, 'database' | 'dataDir' | 'encryptionKey' | 'encryptionKeyOfEnvFile'>;

/** The key for stored secrets: that of the environment, else of `.env` unless it is another database's, else the one that DATA_DIR keeps. */
export async function chooseKey(pool: Pool, config: SealConfig): Promise<ChosenKey> {
  const kept = config.database.kind === 'embedded' ? await keptKey(config.dataDir) : null;
  if (config.encryptionKey === null && kept === null) await refuseLostKey(pool, config);
  const given = sealer(await loadEncryptionKey({ config, dataDir: config.dataDir }));
  const fit = await fitOf(pool, given);
  if (config.encryptionKeyOfEnvFile === true && kept !== null && fit !== 'fits') {
    const ofDataDir = sealer(kept);
    if (ofDataDir.prefix !== given.prefix && (await fitOf(pool, ofDataDir)) !== 'other') return { sealer: ofDataDir, note: notTaken(config), problem: null };
  }
  if (fit !== 'other') return { sealer: given, note: null, problem: null };
  const problem = wrongKey(config);
  return { sealer: openOnly(given, problem), note: null, problem };
}

function fitOf(pool: Pool, candidate: Sealer): Promise<KeyFit> {
  return keyFit(pool, candidate, SEALED);
}

/** Without this, a new key would be made beside secrets that it does not open. */
async function refuseLostKey(pool: Pool, { dataDir }: SealConfig): Promise<void> {
  const nobodys = sealer(Buffer.alloc(32));
  if ((await fitOf(pool, nobodys)) === 'nothing') return;
  const file = join(dataDir, KEY_FILE);
  throw new Refusal(
    'misconfigured',
    {
      en: `${file} is missing, and the stored secrets were encrypted with it, or with an ENCRYPTION_KEY`,
      bg: `${file} липсва, а пазените тайни са шифровани с него или с ENCRYPTION_KEY`,
    },
    {
      advice: {
        en: 'put the file back, or set the ENCRYPTION_KEY that was used before; no new key was made',
        bg: 'върнете файла или задайте предишния ENCRYPTION_KEY; нов ключ не беше създаден',
      },
    },
  );
}

function notTaken({ dataDir }: SealConfig): string {
  return `The ENCRYPTION_KEY in .env is not the key of ${dataDir}, so it is not used: its own key, ${join(dataDir, KEY_FILE)}, is. If .env is for another database, set DATABASE_URL there, too; else take ENCRYPTION_KEY out of it.`;
}

function wrongKey({ database, dataDir, encryptionKeyOfEnvFile, encryptionKey }: SealConfig): string {
  const key = encryptionKey === null ? join(dataDir, KEY_FILE) : `ENCRYPTION_KEY${encryptionKeyOfEnvFile === true ? ' (of .env)' : ''}`;
  const what = database.kind === 'embedded' ? `the secrets in ${dataDir}` : 'the secrets in the database';
  const kept = database.kind === 'embedded' && encryptionKey !== null ? `, or unset it if ${join(dataDir, KEY_FILE)} is that key` : '';
  return `${key} is not the key that ${what} were encrypted with: put back the one that was used before${kept}. Nothing was changed, and no secret can be stored with this key.`;
}
