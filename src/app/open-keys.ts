import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { databaseReadOnly, keysNotRead, sealedUnopened } from '../bridge/bridge-events.ts';
import { makeMissingKeys, openDataKeys, processRuns, readDataKeys, type StoredDataKey } from '../bridge/ledger/keys/data-keys.ts';
import { LEDGER_SCHEMA, LEDGER_VERSION } from '../bridge/ledger/migrate-ledger.ts';
import type { Config } from '../config/config.ts';
import { KEY_FILE, keptKeys, loadEncryptionKeys } from '../config/encryption-key.ts';
import type { ProcessKeys } from '../operations/keys/rotate-keys.ts';
import { MARKS, PURPOSES, purposeOf } from '../operations/keys/sealed-columns.ts';
import { Refusal } from '../operations/refusal.ts';
import { codeOf } from '../platform/error-words.ts';
import { JOBS_VERSION } from '../platform/jobs/job-store.ts';
import { type Keyring, keyring } from '../platform/keyring.ts';
import type { Log } from '../platform/log.ts';
import { NewerDatabase, upgradeEnds } from '../platform/postgres/migrate.ts';
import { fenced, type Pool, sealBy } from '../platform/postgres/postgres.ts';
import { processEnds, type RunningProcess, tooOldFor, UNSEEN_MS } from '../platform/postgres/processes.ts';
import { repeat } from '../platform/repeat.ts';
import { type SealedPlace, type SealingKey, sealingKey } from '../platform/seal.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import { SERVICE_VERSION } from '../service/database/service-tables.ts';

/** A database that hangs must not keep the process. */
const END_MS = 1_000;
/** On a connection whose server is gone a statement waits for a quarter of an hour. */
const BEAT_MS = 10_000;
const READ_ONLY = '25006';

/**
 * `note`: what was not taken, for the person who started this. `problem`: a data key does not open with ENCRYPTION_KEYS, so that nothing is opened or
 * sealed, and a server must not start.
 */
export type Keys = ProcessKeys & {
  note: string | null;
  problem: string | null;
  /** The same connections, for all else: not once the program is too old for the tables, which it looks for first after a while in which it was not seen. */
  fenced(pool: Pool): Pool;
  /** Says from now on which role the process has; that it runs it has said since this was opened. */
  announce(role: string, pid?: number | null): Promise<void>;
} & AsyncDisposable;

type KeyConfig = Pick<Config, 'database' | 'dataDir' | 'encryptionKeys' | 'encryptionKeysOfEnvFile'>;

/** How often a process says that it runs, and reads the data keys. */
const EVERY_MS = 5_000;
/** Of the schemas that this program was made for. */
const VERSIONS = { jobs: JOBS_VERSION, [LEDGER_SCHEMA]: LEDGER_VERSION, compliance: SERVICE_VERSION };

/** `onTooOld`: for the schema, which was upgraded while this process ran. */
type KeyDeps = { pool: Pool; log: Log; config: KeyConfig; onTooOld(schema: string): void };

/** The keys that seal what is stored, and that follow when they are replaced. */
export async function openKeys({ pool, log, config, onTooOld }: KeyDeps, everyMs = EVERY_MS): Promise<Keys> {
  let stored = await readDataKeys(pool);
  let chosen = await chooseKeys(stored, config);
  if (chosen.problem === null && !PURPOSES.every((purpose) => stored.some((one) => one.purpose === purpose && one.state === 'current'))) {
    await makeMissingKeys(pool, { purposes: PURPOSES, masters: chosen.masters });
    stored = await readDataKeys(pool);
    chosen = await chooseKeys(stored, config);
  }
  const sealer = keyring({ purposeOf, digests: 'lookup', marks: MARKS, onUnknown: () => beats.now(), onBroken: unopenedLog(log), problem: chosen.problem });
  sealBy(pool, sealer);
  const { masters, problem } = chosen;
  const here: RunningProcess = { id: randomUUID(), role: 'command', host: hostname(), pid: null, knows: masters.map(({ id }) => id), versions: VERSIONS };
  const seen: Seen = { at: Date.now(), outgrown: null, isReadOnly: false };
  let reading: Promise<void> | null = null;
  // One after the other: an earlier answer must not come last.
  const refresh = (): Promise<void> => {
    const begin = () => (problem === null ? read({ pool, log, sealer, masters, here, seen, onTooOld }) : Promise.resolve());
    reading = reading === null ? begin() : reading.then(begin);
    return reading;
  };
  // One that was killed is forgotten, too, a little later.
  const end = (after: Promise<void>) =>
    withTimeout(
      END_MS,
      after.then(() => processEnds(pool, here.id)),
    ).catch(() => undefined);
  if (problem === null) {
    sealer.take(openDataKeys(stored, masters).opened);
    // An upgrade either sees it, or is seen by it, before its first statement; a command that is soon done, too.
    await refresh();
    await upgradeEnds(pool).catch(async (thrown: unknown) => {
      await end(Promise.resolve());
      throw thrown;
    });
    await refresh();
  }
  const beats = repeat(refresh, everyMs);
  const fence = fenceOf(seen, refresh);
  return {
    ...chosen,
    sealer,
    everyMs,
    refresh,
    fenced(unfenced) {
      const others = fenced(unfenced, () => (problem === null ? fence() : null));
      sealBy(others, sealer);
      return others;
    },
    async announce(role, pid = null) {
      Object.assign(here, { role, pid });
      await refresh();
    },
    async [Symbol.asyncDispose]() {
      await end(beats.end());
    },
  };
}

/** Null: this program is not too old for the tables, as far as it knows, and it was seen lately. Else it looks first, and is refused if it is. */
function fenceOf(seen: Seen, refresh: () => Promise<void>): () => Promise<void> | null {
  let looking: Promise<void> | null = null;
  const isKnown = () => seen.outgrown === null && Date.now() - seen.at <= UNSEEN_MS;
  const look = async (): Promise<void> => {
    looking ??= refresh().finally(() => {
      looking = null;
    });
    await looking;
    if (seen.outgrown !== null) throw new NewerDatabase(seen.outgrown);
    if (!isKnown()) throw new Error('the database was not reached for a while; it is used again once it is seen that this program is not too old for it');
  };
  return () => (isKnown() ? null : look());
}

const MOST_NAMED = 10_000;
const HASH = /^[0-9a-f]{64}$/;

/** Names each row once that does not open. */
function unopenedLog(log: Log): (place: SealedPlace) => void {
  const named = new Set<string>();
  return ({ table, column, id }) => {
    const row = `${table}.${column} ${id}`;
    if (named.has(row) || named.size >= MOST_NAMED) return;
    named.add(row);
    sealedUnopened(log, { table, column, id: HASH.test(id) ? null : id });
  };
}

/** When the process was seen last (at least then), the schema that it is too old for, and whether the log has that it can’t be seen, since nothing can be written. */
type Seen = { at: number; outgrown: string | null; isReadOnly: boolean };
type Reading = Pick<KeyDeps, 'pool' | 'log' | 'onTooOld'> & { sealer: Keyring; masters: readonly SealingKey[]; here: RunningProcess; seen: Seen };

/** Keys that no longer open were sealed without waiting for this process: it goes on with those that it knows. */
async function read({ pool, log, sealer, masters, here, seen, onTooOld }: Reading): Promise<void> {
  const at = Date.now();
  try {
    const { opened, unopened } = openDataKeys(await withTimeout(BEAT_MS, processRuns(pool, here)), masters);
    // At once: anyone who sees that this process runs takes it that it has these keys.
    if (unopened.length === 0) sealer.take(opened);
    else keysNotRead(log, new Error(`the data keys are sealed with ${withOf(unopened)} now, which is not among ENCRYPTION_KEYS: add it, and restart`));
    seen.isReadOnly = false;
  } catch (err) {
    if (codeOf(err) !== READ_ONLY) return keysNotRead(log, err);
    if (!seen.isReadOnly) databaseReadOnly(log);
    seen.isReadOnly = true;
  }
  try {
    seen.outgrown = await withTimeout(BEAT_MS, tooOldFor(pool, here.versions));
    seen.at = at;
    if (seen.outgrown !== null) onTooOld(seen.outgrown);
  } catch (err) {
    keysNotRead(log, err);
  }
}

/** ENCRYPTION_KEYS of the environment, else of `.env` unless they are another database's, else those that DATA_DIR keeps. */
async function chooseKeys(stored: readonly StoredDataKey[], config: KeyConfig): Promise<Pick<Keys, 'note' | 'problem' | 'masters'>> {
  const kept = config.database.kind === 'embedded' ? await keptKeys(config.dataDir) : null;
  if (config.encryptionKeys === null && kept === null && stored.length > 0) throw lostKey(config);
  const masters = (await loadEncryptionKeys({ config, dataDir: config.dataDir })).map((key) => sealingKey(key));
  const { unopened } = openDataKeys(stored, masters);
  const isOther = unopened.length > 0;
  if (config.encryptionKeysOfEnvFile === true && kept !== null && (isOther || stored.length === 0)) {
    const ofDataDir = kept.map((key) => sealingKey(key));
    const isSame = ofDataDir.every(({ id }) => masters.some((one) => one.id === id));
    if (!isSame && openDataKeys(stored, ofDataDir).unopened.length === 0) return { masters: ofDataDir, note: notTaken(config), problem: null };
  }
  return { masters, note: null, problem: isOther ? wrongKeys(config, unopened) : null };
}

/** Without this, a new key would be made beside secrets that it does not open. */
function lostKey({ dataDir }: KeyConfig): Refusal {
  const file = join(dataDir, KEY_FILE);
  return new Refusal('misconfigured', {
    en: `${file} is missing, and the stored secrets were encrypted with it, or with ENCRYPTION_KEYS`,
    bg: `${file} липсва, а пазените тайни ключове са шифровани с него или с ENCRYPTION_KEYS`,
    advice: {
      en: 'put the file back, or set the ENCRYPTION_KEYS that were used before; no new key was made',
      bg: 'върнете файла или задайте предишните ENCRYPTION_KEYS; нов ключ не беше създаден',
    },
  });
}

function notTaken({ dataDir }: KeyConfig): string {
  return `ENCRYPTION_KEYS in .env are not the keys of ${dataDir}, so they are not used: its own file, ${join(dataDir, KEY_FILE)}, is. If .env is for another database, set DATABASE_URL there, too; else take ENCRYPTION_KEYS out of it.`;
}

function wrongKeys({ database, dataDir, encryptionKeysOfEnvFile, encryptionKeys }: KeyConfig, unopened: readonly StoredDataKey[]): string {
  const given = encryptionKeys === null ? join(dataDir, KEY_FILE) : `ENCRYPTION_KEYS${encryptionKeysOfEnvFile === true ? ' (of .env)' : ''}`;
  const what = database.kind === 'embedded' ? `the secrets in ${dataDir}` : 'the secrets in the database';
  const kept = database.kind === 'embedded' && encryptionKeys !== null ? `, or unset it if ${join(dataDir, KEY_FILE)} has that key` : '';
  return `${given} lacks the key that ${what} were encrypted with, ${withOf(unopened)}: add the one that was used before after the new one${kept}. Nothing was changed, and no secret can be stored without it.`;
}

function withOf(keys: readonly StoredDataKey[]): string {
  return [...new Set(keys.map(({ sealedWith }) => sealedWith))].join(', ');
}
