import { setTimeout as sleep } from 'node:timers/promises';
import { addComingKeys, readDataKeys, type StoredDataKey, sealDataKeysAnew, useComingKeys } from '../../bridge/ledger/keys/data-keys.ts';
import { columnsThere, countSealed, type SealedColumn, sealPageAnew } from '../../bridge/ledger/keys/sealed-rows.ts';
import { fillSearchAnew } from '../../bridge/ledger/orders/order-search.ts';
import type { Authorship } from '../../platform/audit-log/audit-log.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { named, processTime, runningProcesses, SILENT_SECONDS } from '../../platform/postgres/processes.ts';
import type { SealingKey } from '../../platform/seal.ts';
import { Refusal } from '../refusal.ts';
import { MARKS, SEALED_COLUMNS } from './sealed-columns.ts';

/** The keys of a process. `masters`: its ENCRYPTION_KEYS, newest first. `refresh` reads the data keys, as the process does every `everyMs`. */
export type ProcessKeys = { masters: readonly SealingKey[]; sealer: Keyring; refresh(): Promise<void>; everyMs: number };
type Deps = { pool: Pool; keys: ProcessKeys };

/** `broken`: rows whose text does not open, because it was moved or changed; they stay as they are. */
type Rotated = { newest: string; dataKeys: number; sealed: number; broken: string[] };

/** Beyond it something seals with an old key that nobody knows of. */
const PASSES = 20;

/**
 * Seals the data keys with the newest of ENCRYPTION_KEYS. `isLeaked`: then makes new data keys of those that were made under another one, and seals with them
 * what those sealed. Both may be broken off anywhere and begun again, and run beside processes that seal and open.
 */
export async function rotateKeys(
  { pool, keys }: Deps,
  { isLeaked, onSealed, ...said }: Authorship & { isLeaked: boolean; onSealed?(column: string, count: number): void },
): Promise<Rotated> {
  const newest = await newestKnown(pool, keys);
  if (!(await isWanted(pool, { newest, isLeaked }))) throw nothingToDo(newest);
  const dataKeys = await sealDataKeysAnew(pool, keys.masters, said);
  if (!isLeaked) return { newest: newest.id, dataKeys, sealed: 0, broken: [] };
  await addComingKeys(pool, newest, MARKS);
  await everyProcessRead(pool, keys);
  await useComingKeys(pool, said);
  await everyProcessRead(pool, keys);
  await fillSearchAnew(pool);
  return { newest: newest.id, dataKeys, ...(await sealAllAnew({ pool, keys }, onSealed)) };
}

async function newestKnown(pool: Pool, { masters }: ProcessKeys): Promise<SealingKey> {
  const [newest] = masters;
  if (newest === undefined) throw new Refusal('misconfigured', 'no key of ENCRYPTION_KEYS opens the data keys');
  const without = (await runningProcesses(pool)).filter(({ knows }) => !knows.includes(newest.id));
  if (without.length === 0) return newest;
  throw new Refusal('conflict', {
    english: `the newest key, ${newest.id}, is not known to ${named(without)}; nothing was changed`,
    advice: `give it to each as the first of ENCRYPTION_KEYS, the old one after it, restart it, and run this again; one that was killed counts for ${SILENT_SECONDS} s`,
  });
}

async function isWanted(pool: Pool, { newest, isLeaked }: { newest: SealingKey; isLeaked: boolean }): Promise<boolean> {
  const stored = await readDataKeys(pool);
  if (stored.some(({ sealedWith }) => sealedWith !== newest.id)) return true;
  if (!isLeaked) return false;
  return (
    stored.some(({ purpose, state, madeUnder }) => state === 'coming' || (state === 'current' && purpose !== MARKS && madeUnder !== newest.id)) ||
    (await countLeft(pool, retired(stored))) > 0
  );
}

function retired(stored: readonly StoredDataKey[]): string[] {
  return stored.flatMap(({ id, state }) => (state === 'retired' ? [id] : []));
}

function nothingToDo({ id }: SealingKey): Refusal {
  return new Refusal('conflict', {
    english: `nothing is sealed with another key than ${id}, the first of ENCRYPTION_KEYS`,
    advice: 'put a new key before it (`openssl rand -hex 32`), restart each process with both, and run this again',
  });
}

/** Waits until each process that runs has read the data keys as they are now. */
async function everyProcessRead(pool: Pool, keys: ProcessKeys): Promise<void> {
  const { everyMs } = keys;
  const since = await processTime(pool);
  await keys.refresh();
  const deadline = Date.now() + 4 * everyMs;
  for (;;) {
    const late = (await runningProcesses(pool)).filter(({ seenAt }) => seenAt <= since);
    // One that started meanwhile may lack the newest key.
    if (late.length === 0) return void (await newestKnown(pool, keys));
    if (Date.now() > deadline) {
      throw new Refusal('unavailable', {
        english: `${named(late)} did not read the new data keys`,
        advice: `run this again, which goes on from here; one that was killed counts for ${SILENT_SECONDS} s`,
      });
    }
    await sleep(everyMs / 10);
  }
}

/** Until nothing is found any more: a transaction that was open meanwhile may have sealed with an old key. */
async function sealAllAnew(
  { pool, keys }: Deps,
  onSealed: (column: string, count: number) => void = () => undefined,
): Promise<Pick<Rotated, 'sealed' | 'broken'>> {
  const ids = retired(await readDataKeys(pool));
  const columns = await columnsThere(pool, SEALED_COLUMNS);
  let sealed = 0;
  for (let pass = 0; pass < PASSES; pass += 1) {
    const broken: string[] = [];
    for (const column of columns) {
      const found = await sealColumnAnew({ pool, keys }, { column, ids });
      if (found.sealed > 0) onSealed(`${column.table}.${column.column}`, found.sealed);
      sealed += found.sealed;
      broken.push(...found.broken);
    }
    if ((await countLeft(pool, ids)) <= broken.length) return { sealed, broken };
    await sleep(keys.everyMs / 5);
  }
  throw new Refusal('unavailable', { english: 'texts are still sealed with old data keys', advice: 'run this again' });
}

async function sealColumnAnew(
  { pool, keys }: Deps,
  { column, ids }: { column: SealedColumn; ids: readonly string[] },
): Promise<Pick<Rotated, 'sealed' | 'broken'>> {
  const all = { sealed: 0, broken: [] as string[] };
  let after: string | null = null;
  for (;;) {
    const page = await sealPageAnew(pool, keys.sealer, { column, ids, after });
    if (page === null) return all;
    all.sealed += page.sealed;
    all.broken.push(...page.broken.map((id) => `${column.table}.${column.column} of ${id}`));
    after = page.last;
  }
}

/** How many texts these data keys sealed. */
async function countLeft(pool: Pool, ids: readonly string[]): Promise<number> {
  const counts = await countSealed(pool, SEALED_COLUMNS);
  return ids.reduce((left, id) => left + (counts.get(id) ?? 0), 0);
}
