import { z } from 'zod';
import { type Authorship, authorOf } from '../../../platform/audit-log/audit-log.ts';
import type { DataKey } from '../../../platform/keyring.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { PROCESS_RUNS, type RunningProcess, valuesOf } from '../../../platform/postgres/processes.ts';
import { isoText, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { newKey, openOrNull, SealBroken, type SealedPlace, type SealingKey, sqlKeyId } from '../../../platform/seal.ts';
import { writeBridgeActs } from '../bridge-acts.ts';

/** `sealedWith`, `madeUnder`: ids of ENCRYPTION_KEYS. */
export type StoredDataKey = z.output<typeof stored>;

const stored = z.object({
  id: z.string(),
  purpose: z.string(),
  sealed: z.string(),
  sealedWith: z.string(),
  madeUnder: z.string(),
  state: z.enum(['coming', 'current', 'retired']),
  sealedAt: z.string(),
});
const dataKeyRows = rowsOf('data_keys', stored);

const DATA_KEYS = `select id, purpose, sealed, ${sqlKeyId('sealed')} as "sealedWith", made_under as "madeUnder", state, ${isoText('sealed_at')} as "sealedAt"
  from data_keys order by purpose, sealed_at, id`;

export function readDataKeys(db: Queryable): Promise<StoredDataKey[]> {
  return readRows(db, dataKeyRows, { text: DATA_KEYS });
}

/** Says that the process runs, and reads the data keys, in one statement: anyone who sees the one knows that it knows the other. */
export function processRuns(db: Queryable, here: RunningProcess): Promise<StoredDataKey[]> {
  return readRows(db, dataKeyRows, { text: `with ${PROCESS_RUNS} ${DATA_KEYS}`, values: valuesOf(here) });
}

/** Those that open with one of ENCRYPTION_KEYS, and those that do not. */
export function openDataKeys(keys: readonly StoredDataKey[], masters: readonly SealingKey[]): { opened: DataKey[]; unopened: StoredDataKey[] } {
  const opened: DataKey[] = [];
  const unopened: StoredDataKey[] = [];
  for (const one of keys) {
    const key = keyOf(one, masters);
    if (key === null) unopened.push(one);
    else opened.push({ id: one.id, purpose: one.purpose, key, isCurrent: one.state === 'current' });
  }
  return { opened, unopened };
}

/**
 * Makes a key for each purpose that has none, sealed with the one of ENCRYPTION_KEYS that the others are sealed with: each process that runs knows that
 * one. Without others it is the newest.
 */
export async function makeMissingKeys(db: Queryable, { purposes, masters }: { purposes: readonly string[]; masters: readonly SealingKey[] }): Promise<void> {
  const there = await readDataKeys(db);
  const missing = purposes.filter((purpose) => !there.some((one) => one.purpose === purpose && one.state === 'current'));
  const master = masters.find(({ id }) => there.some(({ sealedWith }) => sealedWith === id)) ?? masters[0];
  if (master === undefined) return;
  for (const purpose of missing) await insert(db, { purpose, master, state: 'current' });
}

/** Seals all data keys with the newest of ENCRYPTION_KEYS: nothing stored needs the others any more. Returns how many it sealed anew. */
export function sealDataKeysAnew(pool: Pool, masters: readonly SealingKey[], said: Authorship): Promise<number> {
  return inTransaction(pool, async (tx) => {
    await tx.query('lock table data_keys in share row exclusive mode');
    const [newest] = masters;
    const others = (await readDataKeys(tx)).filter(({ sealedWith }) => sealedWith !== newest?.id);
    if (newest === undefined || others.length === 0) return 0;
    for (const one of others) {
      const key = keyOf(one, masters);
      if (key === null) throw new SealBroken(true, `the data key ${one.id} does not open: ENCRYPTION_KEYS lacks ${one.sealedWith}, which it was sealed with`);
      await tx.query('update data_keys set sealed = $2, sealed_at = now() where id = $1', [one.id, sealed(one, key, newest)]);
    }
    await writeBridgeActs(tx, [{ ...authorOf(said), act: 'keys.rotated', subject: newest.id, after: { dataKeys: others.length } }]);
    return others.length;
  });
}

/** Makes a coming key for each purpose but `lasting` whose current one was made under another of ENCRYPTION_KEYS than this, unless there is one. */
export function addComingKeys(pool: Pool, newest: SealingKey, lasting: string): Promise<void> {
  return inTransaction(pool, async (tx) => {
    await tx.query('lock table data_keys in share row exclusive mode');
    await tx.query(`delete from data_keys where state = 'coming' and made_under <> $1`, [newest.id]);
    const there = await readDataKeys(tx);
    const stays = (purpose: string) => purpose === lasting || there.some((one) => one.purpose === purpose && one.state === 'coming');
    const leaked = there.filter(({ purpose, state, madeUnder }) => state === 'current' && madeUnder !== newest.id && !stays(purpose));
    for (const { purpose } of leaked) await insert(tx, { purpose, master: newest, state: 'coming' });
  });
}

/** From now on coming keys seal, and those before them only open. */
export function useComingKeys(pool: Pool, said: Authorship): Promise<void> {
  return inTransaction(pool, async (tx) => {
    await tx.query(`update data_keys set state = 'retired' where state = 'current' and purpose in (select purpose from data_keys where state = 'coming')`);
    const { rowCount } = await tx.query(`update data_keys set state = 'current' where state = 'coming'`);
    if (rowCount) await writeBridgeActs(tx, [{ ...authorOf(said), act: 'keys.replaced', subject: 'data_keys', after: { dataKeys: rowCount } }]);
  });
}

const renewedRow = rowsOf('acts', z.object({ leakedAt: z.string(), renewed: z.array(z.string()) }));

// The acts of connections say which of their secrets they changed. A merchant who was invited before may have given the keys before, too.
const RENEWED = `with leak as (select id, at from acts where act = 'keys.replaced' order by id desc limit 1), later as (select a.* from acts a join leak on a.id > leak.id)
  select ${isoText('at')} as "leakedAt", array(
    select connection_id || ' ' || k from later cross join unnest(array['secret', 'storeKeys']) k where connection_id is not null and (after ? k or (act = 'store.granted' and k = 'storeKeys'))
      and not (act = 'store.connected' and exists (select from onboardings o join leak on o.created_at <= leak.at where o.connection_id = later.connection_id))
    union select subject from later where act in ('app.added', 'app.secret-rotated', 'endpoint.added', 'endpoint.secret-rotated', 'person.factor-set')) as renewed from leak`;

/** When data keys were replaced last because one had leaked, and what got another secret since: "CONNECTION secret", "CONNECTION storeKeys", an app, an endpoint, a person. Null: never. */
export function renewedSinceLeak(db: Queryable): Promise<z.output<typeof renewedRow.schema> | null> {
  return readRow(db, renewedRow, { text: RENEWED });
}

async function insert(db: Queryable, { purpose, master, state }: { purpose: string; master: SealingKey; state: 'coming' | 'current' }): Promise<void> {
  const { id, key } = newKey();
  await db.query(
    `insert into data_keys (id, purpose, sealed, made_under, state) values ($1, $2, $3, $4, $5)
     on conflict (purpose) where state = 'current' do nothing`,
    [id, purpose, sealed({ id, purpose }, key, master), master.id, state],
  );
}

/** Null: it does not open. */
function keyOf(one: StoredDataKey, masters: readonly SealingKey[]): Buffer | null {
  const master = masters.find(({ id }) => id === one.sealedWith);
  const key = master === undefined ? null : openOrNull(master.sealer, one.sealed, placeOf(one));
  return key === null ? null : Buffer.from(key, 'base64');
}

function sealed(one: Pick<StoredDataKey, 'id' | 'purpose'>, key: Buffer, { sealer }: SealingKey): string {
  return sealer.seal(key.toString('base64'), placeOf(one));
}

/** Of its purpose, too: SQL can't make it the key of another one. */
function placeOf({ id, purpose }: Pick<StoredDataKey, 'id' | 'purpose'>): SealedPlace {
  return { table: 'bridge.data_keys', column: 'sealed', id: `${id} ${purpose}` };
}
