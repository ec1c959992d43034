import { createHash } from 'node:crypto';
import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Sealer } from '../../platform/seal.ts';
import type { Absence } from '../delivery/absences.ts';
import type { Pause, PauseInput, Scope } from '../delivery/pauses.ts';
import { sealedJson } from './sealed-json.ts';
import { storedCode } from './stored-order.ts';

const credentials = z.object({ apiKey: z.string(), apiSecret: z.string() });
export type Credentials = z.output<typeof credentials>;

/** A compliance API address with one key; `baseUrl` null is the embedded service. */
export type Destination = { id: string; baseUrl: string | null; credentials: Credentials };

export type DestinationStore = {
  /** The destination of this address and key, made if it is new; a changed secret replaces the old one. */
  ensure(baseUrl: string | null, credentials: Credentials): Promise<string>;
  /** The embedded service's destination; its key is made once, by the first call. */
  ensureEmbedded(makeKey: () => Promise<Credentials>): Promise<string>;
  find(id: string): Promise<Destination | null>;
  /** Has the embedded service ever been used? */
  hasEmbedded(): Promise<boolean>;
  /** How it answers the delete of an order that never existed; null: not known. */
  absenceOf(id: string): Promise<Absence | null>;
  keepAbsence(id: string, keys: readonly string[]): Promise<void>;
  /** Pauses grow: `waitMs` gets the number of failures in a row. A pause that already reaches further stays. */
  pause(what: PauseInput, waitMs: (failures: number) => number): Promise<Pause>;
  /** True if this call ended the pause. */
  resume(scope: Scope): Promise<boolean>;
  pauses(): Promise<Pause[]>;
};

const pauseRow = z.object({
  destination_id: z.string(),
  shop_id: z.string().nullable(),
  lane: z.enum(['records', 'receipts']),
  code: storedCode,
  detail: z.string(),
  failures: z.int(),
  since: z.string(),
  until: z.string(),
  spreads: z.boolean(),
});

const idRow = rowsOf('destinations', z.object({ id: z.string() }));
const usedRow = rowsOf('destinations', z.object({ used: z.boolean() }));
const failuresRow = rowsOf('pauses', z.object({ failures: z.int(), running: z.boolean() }));
const absenceRow = rowsOf('destinations', z.object({ keys: z.array(z.string()), seenAt: z.string() }));
const pauseRows = rowsOf('pauses', pauseRow);

const OF_SCOPE = 'destination_id = $1 and shop_id is not distinct from $2 and lane = $3';

export function createDestinationStore(pool: Pool, sealer: Sealer): DestinationStore {
  const rows = rowsOf('destinations', z.object({ id: z.string(), base_url: z.string().nullable(), credentials: sealedJson(sealer, credentials) }));
  return {
    ensure: (baseUrl, key) => ensure(pool, sealer, { baseUrl, credentials: key }),
    ensureEmbedded: (makeKey) => inTransaction(pool, (tx) => ensureEmbedded(tx, sealer, makeKey)),
    find: async (id) => {
      const row = await readRow(pool, rows, { text: 'select id, base_url, credentials from destinations where id = $1', values: [id] });
      return row === null ? null : { id: row.id, baseUrl: row.base_url, credentials: row.credentials };
    },
    hasEmbedded: async () => (await readOne(pool, usedRow, { text: 'select exists (select 1 from destinations where base_url is null) as used' })).used,
    absenceOf: (id) =>
      readRow(pool, absenceRow, {
        text: 'select absent_keys as keys, absent_seen_at as "seenAt" from destinations where id = $1 and absent_keys is not null and absent_seen_at is not null',
        values: [id],
      }),
    keepAbsence: async (id, keys) => {
      await pool.query('update destinations set absent_keys = $2, absent_seen_at = now() where id = $1', [id, JSON.stringify(keys)]);
    },
    pause: (what, waitMs) => pause(pool, what, waitMs),
    resume: async ({ destinationId, shopId, lane }) => {
      const { rowCount } = await pool.query(`delete from pauses where ${OF_SCOPE}`, [destinationId, shopId, lane]);
      return (rowCount ?? 0) > 0;
    },
    pauses: async () => (await readRows(pool, pauseRows, { text: 'select * from pauses order by since' })).map(toPause),
  };
}

async function ensure(db: Queryable, sealer: Sealer, { baseUrl, credentials: key }: Omit<Destination, 'id'>): Promise<string> {
  const digest = createHash('sha256').update(key.apiKey).digest('hex');
  const { id } = await readOne(db, idRow, {
    text: `insert into destinations (base_url, key_digest, credentials) values ($1, $2, $3)
       on conflict (base_url, key_digest) do update set credentials = excluded.credentials returning id`,
    values: [baseUrl, digest, sealer.seal(JSON.stringify(key))],
  });
  return id;
}

async function ensureEmbedded(tx: Queryable, sealer: Sealer, makeKey: () => Promise<Credentials>): Promise<string> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('orderbridge embedded destination'))`);
  const known = await readRow(tx, idRow, { text: 'select id from destinations where base_url is null order by created_at limit 1' });
  return known?.id ?? ensure(tx, sealer, { baseUrl: null, credentials: await makeKey() });
}

async function pause(pool: Pool, { destinationId, shopId, lane, code, detail, spreads = false }: PauseInput, waitMs: (failures: number) => number) {
  const before = await readRow(pool, failuresRow, {
    text: `select failures, until > now() as running from pauses where ${OF_SCOPE}`,
    values: [destinationId, shopId, lane],
  });
  // Calls that were under way when the pause began say nothing new.
  const failures = before === null ? 1 : before.failures + (before.running ? 0 : 1);
  const row = await readOne(pool, pauseRows, {
    text: `insert into pauses (destination_id, shop_id, lane, code, detail, failures, until, spreads) values ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 ms', $8)
       on conflict (destination_id, shop_id, lane) do update set code = excluded.code, detail = excluded.detail, failures = excluded.failures,
         until = greatest(pauses.until, excluded.until), spreads = excluded.spreads returning *`,
    values: [destinationId, shopId, lane, code, detail, failures, Math.round(waitMs(failures)), spreads],
  });
  return toPause(row);
}

function toPause({ destination_id: destinationId, shop_id: shopId, ...same }: z.output<typeof pauseRow>): Pause {
  return { destinationId, shopId, ...same };
}
