import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Authorship, authorOf } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, type RowShape, readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { SealedPlace, Sealer } from '../../../platform/seal.ts';
import type { Pause, PauseInput, Scope } from '../../delivery/pauses.ts';
import type { UnknownOrderAnswer } from '../../delivery/unknown-order-answers.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { openJson } from '../json-columns.ts';
import { storedCode } from '../order-columns.ts';

const credentials = z.object({ apiKey: z.string(), apiSecret: z.string() });
export type Credentials = z.output<typeof credentials>;

/** A compliance API address with one key; `baseUrl` null is the embedded service. */
export type Destination = { id: string; baseUrl: string | null; credentials: Credentials };

/** A destination for people; `keyEnd`: the last characters of its key, null if it does not open. */
export type ListedDestination = Pick<Destination, 'id' | 'baseUrl'> & { keyEnd: string | null; createdAt: string };

export type DestinationStore = {
  /** The destination of this address and key, made if it is new; a changed secret replaces the old one. */
  ensure(baseUrl: string | null, credentials: Credentials): Promise<string>;
  /** The embedded service's destination; its key is made once, by the first call. */
  ensureEmbedded(makeKey: () => Promise<Credentials>): Promise<string>;
  /** Destinations that call with the key of this digest (SHA-256, in hexadecimal) call with another one from now on; returns their addresses. */
  replaceKey(digest: string, credentials: Credentials): Promise<(string | null)[]>;
  /** Destinations of the same address over http are called over https from now on, with all keys. */
  callEncrypted(baseUrl: string): Promise<void>;
  find(id: string): Promise<Destination | null>;
  /** Those of these whose credentials open. */
  opened(ids: readonly string[]): Promise<Destination[]>;
  /** Every one, the oldest first. */
  list(): Promise<ListedDestination[]>;
  /** Has the embedded service ever been used? */
  hasEmbedded(): Promise<boolean>;
  /** How it answers the delete of an order that never existed; null: not known. */
  unknownOrderAnswerOf(id: string): Promise<UnknownOrderAnswer | null>;
  keepUnknownOrderAnswer(id: string, keys: readonly string[]): Promise<void>;
  /** Pauses grow: `waitMs` gets the number of failures in a row. A pause that already reaches further stays. `leftMs`: by the clock of the database. */
  pause(what: PauseInput, waitMs: (failures: number) => number): Promise<Pause & { leftMs: number }>;
  /** True if this call ended the pause. */
  resume(scope: Scope): Promise<boolean>;
  pauses(): Promise<Pause[]>;
  /** Those whose pause was over so long ago, and is still kept: their probe was lost. */
  overdue(seconds: number): Promise<Scope[]>;
};

const pauseRow = z.object({
  destination_id: z.string(),
  shop_id: z.string().nullable(),
  call_type: z.enum(['records', 'receipts']),
  code: storedCode,
  detail: z.string(),
  failures: z.int(),
  since: z.string(),
  until: z.string(),
  spreads: z.boolean(),
});

const idRow = rowsOf('destinations', z.object({ id: z.string() }));
const callerRows = rowsOf('destinations', z.object({ id: z.string(), baseUrl: z.string().nullable() }));
const usedRow = rowsOf('destinations', z.object({ used: z.boolean() }));
const failuresRow = rowsOf('pauses', z.object({ failures: z.int(), running: z.boolean() }));
const unknownOrderRow = rowsOf('destinations', z.object({ keys: z.array(z.string()), seenAt: z.string() }));
const pauseRows = rowsOf('pauses', pauseRow);
const scopeRows = rowsOf('pauses', z.object({ destinationId: z.string(), shopId: z.string().nullable(), callType: pauseRow.shape.call_type }));
const madePauseRows = rowsOf('pauses', pauseRow.extend({ leftMs: z.number() }));

const OF_SCOPE = 'destination_id = $1 and shop_id is not distinct from $2 and call_type = $3';

export function createDestinationStore(pool: Pool, sealer: Sealer): DestinationStore {
  const rows = destinationRows(sealer);
  return {
    ensure: (baseUrl, key) => ensure(pool, sealer, { baseUrl, credentials: key }),
    replaceKey: (digest, key) => inTransaction(pool, (tx) => replaceKey(tx, sealer, { digest, key })),
    callEncrypted: async (baseUrl) => {
      if (baseUrl.startsWith('https://')) await pool.query(CALL_ENCRYPTED, [baseUrl, baseUrl.replace('https:', 'http:')]);
    },
    ensureEmbedded: (makeKey) => inTransaction(pool, (tx) => ensureEmbedded(tx, sealer, makeKey)),
    find: (id) => readRow(pool, rows, { text: `${SEALED} where id = $1`, values: [id] }),
    opened: async (ids) => {
      const sealed = await readRows(pool, sealedRows, { text: `${SEALED} where id = any($1)`, values: [ids] });
      return sealed.flatMap(({ credentials: text, ...same }) => {
        const key = openOrNull(sealer, text, same.id);
        return key === null ? [] : { ...same, credentials: key };
      });
    },
    list: () =>
      readRows(pool, listedRows(sealer), {
        text: `select id, base_url as "baseUrl", credentials, ${isoText('created_at')} as "createdAt" from destinations order by created_at, id`,
      }),
    hasEmbedded: async () => (await readOne(pool, usedRow, { text: 'select exists (select 1 from destinations where base_url is null) as used' })).used,
    unknownOrderAnswerOf: (id) =>
      readRow(pool, unknownOrderRow, {
        text: 'select absent_keys as keys, absent_seen_at as "seenAt" from destinations where id = $1 and absent_keys is not null and absent_seen_at is not null',
        values: [id],
      }),
    keepUnknownOrderAnswer: async (id, keys) => {
      await pool.query('update destinations set absent_keys = $2, absent_seen_at = now() where id = $1', [id, JSON.stringify(keys)]);
    },
    pause: (what, waitMs) => pause(pool, what, waitMs),
    resume: async ({ destinationId, shopId, callType }) => {
      const { rowCount } = await pool.query(`delete from pauses where ${OF_SCOPE}`, [destinationId, shopId, callType]);
      return (rowCount ?? 0) > 0;
    },
    pauses: async () => (await readRows(pool, pauseRows, { text: 'select * from pauses order by since' })).map(toPause),
    overdue: (seconds) =>
      readRows(pool, scopeRows, {
        text: `select destination_id as "destinationId", shop_id as "shopId", call_type as "callType" from pauses where until < now() - $1 * interval '1 s' order by since`,
        values: [seconds],
      }),
  };
}

const SEALED = 'select id, base_url as "baseUrl", credentials from destinations';
const sealedRow = z.object({ id: z.string(), baseUrl: z.string().nullable(), credentials: z.string() });
const sealedRows = rowsOf('destinations', sealedRow);

function destinationRows(sealer: Sealer): RowShape<Destination> {
  return rowsOf(
    'destinations',
    sealedRow.transform(({ credentials: sealed, ...same }, context) => ({
      ...same,
      credentials: openJson({ sealer, sealed, place: placeOf(same.id) }, credentials, context),
    })),
  );
}

const SHOWN_OF_KEY = 4;

function listedRows(sealer: Sealer): RowShape<ListedDestination> {
  return rowsOf(
    'destinations',
    sealedRow
      .extend({ createdAt: z.string() })
      .transform(({ credentials: sealed, ...same }) => ({ ...same, keyEnd: openOrNull(sealer, sealed, same.id)?.apiKey.slice(-SHOWN_OF_KEY) ?? null })),
  );
}

// One that does not open must not hide the others.
function openOrNull(sealer: Sealer, sealed: string, id: string): Credentials | null {
  try {
    return credentials.parse(JSON.parse(sealer.open(sealed, placeOf(id))));
  } catch {
    return null;
  }
}

function placeOf(id: string): SealedPlace {
  return { table: 'bridge.destinations', column: 'credentials', id };
}

// One that is there over https already keeps its place, and the other one its records.
const CALL_ENCRYPTED = `update destinations d set base_url = $1 where base_url = $2
  and not exists (select 1 from destinations twin where twin.base_url = $1 and twin.key_digest = d.key_digest)`;

async function ensure(db: Queryable, sealer: Sealer, { baseUrl, credentials: key }: Omit<Destination, 'id'>): Promise<string> {
  const sealedFor = (id: string) => sealer.seal(JSON.stringify(key), placeOf(id));
  const own = randomUUID();
  // A row that is there keeps its id, for which the credentials must be sealed.
  const { id } = await readOne(db, idRow, {
    text: `insert into destinations (id, base_url, key_digest, credentials) values ($1, $2, $3, $4)
       on conflict (base_url, key_digest) do update set key_digest = excluded.key_digest returning id`,
    values: [own, baseUrl, digestOf(key), sealedFor(own)],
  });
  if (id !== own) await db.query('update destinations set credentials = $2 where id = $1', [id, sealedFor(id)]);
  return id;
}

async function replaceKey(tx: Queryable, sealer: Sealer, { digest, key }: { digest: string; key: Credentials }): Promise<(string | null)[]> {
  const callers = await readRows(tx, callerRows, {
    text: 'select id, base_url as "baseUrl" from destinations where key_digest = $1 for update',
    values: [digest],
  });
  for (const { id } of callers)
    await tx.query('update destinations set key_digest = $2, credentials = $3 where id = $1', [
      id,
      digestOf(key),
      sealer.seal(JSON.stringify(key), placeOf(id)),
    ]);
  return callers.map(({ baseUrl }) => baseUrl);
}

function digestOf({ apiKey }: Credentials): string {
  return createHash('sha256').update(apiKey).digest('hex');
}

async function ensureEmbedded(tx: Queryable, sealer: Sealer, makeKey: () => Promise<Credentials>): Promise<string> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('orderbridge embedded destination'))`);
  const known = await readRow(tx, idRow, { text: 'select id from destinations where base_url is null order by created_at limit 1' });
  return known?.id ?? ensure(tx, sealer, { baseUrl: null, credentials: await makeKey() });
}

async function pause(pool: Pool, { destinationId, shopId, callType, code, detail, spreads = false }: PauseInput, waitMs: (failures: number) => number) {
  const before = await readRow(pool, failuresRow, {
    text: `select failures, until > now() as running from pauses where ${OF_SCOPE}`,
    values: [destinationId, shopId, callType],
  });
  // Calls that were under way when the pause began say nothing new.
  const failures = before === null ? 1 : before.failures + (before.running ? 0 : 1);
  const row = await readOne(pool, madePauseRows, {
    text: `insert into pauses (destination_id, shop_id, call_type, code, detail, failures, until, spreads) values ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 ms', $8)
       on conflict (destination_id, shop_id, call_type) do update set code = excluded.code, detail = excluded.detail, failures = excluded.failures,
         until = greatest(pauses.until, excluded.until), spreads = excluded.spreads returning *, extract(epoch from until - now())::float8 * 1000 as "leftMs"`,
    values: [destinationId, shopId, callType, code, detail, failures, Math.round(waitMs(failures)), spreads],
  });
  return { ...toPause(row), leftMs: row.leftMs };
}

function toPause({ destination_id: destinationId, shop_id: shopId, call_type: callType, ...same }: z.output<typeof pauseRow>): Pause {
  return { destinationId, shopId, callType, ...same };
}

/** `shopId`: of that shop alone; undefined: all pauses of the destination. */
type EndedPauses = { destinationId: string; shopId: string | undefined; said: Authorship };

/** Ends pauses of a destination because a person says so, and writes each to the audit log. */
export function endPauses(pool: Pool, { destinationId, shopId, said }: EndedPauses): Promise<Pause[]> {
  return inTransaction(pool, async (tx) => {
    const rows = await readRows(tx, pauseRows, {
      text: 'delete from pauses where destination_id = $1 and ($2::uuid is null or shop_id = $2) returning *',
      values: [destinationId, shopId ?? null],
    });
    const ended = rows.map(toPause);
    await writeBridgeActs(
      tx,
      ended.map(({ destinationId: subject, shopId: shop, callType, code, since, until, failures }) => ({
        ...authorOf(said),
        ...{ act: 'destination.resumed' as const, subject, before: { shop, callType, code, since, until, failures }, after: null },
      })),
    );
    return ended;
  });
}
