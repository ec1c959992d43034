import { z } from 'zod';
import { type Authorship, authorOf } from '../../../platform/audit-log/audit-log.ts';
import { jobsOf } from '../../../platform/jobs/job-store.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { Connection } from '../../connections/connection.ts';
import { ITS_STATE_COMES_MS, type ReadingLedger } from '../../reconciliation/reading-deps.ts';
import { type StoreSync, storeSync } from '../../reconciliation/sync-run.ts';
import type { SoughtOrder } from '../../storefronts/store-reader.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { jsonText } from '../json-columns.ts';

const text = z.string();
const readingRows = rowsOf('store_syncs', storeSync);
const soughtRows = rowsOf('orders', z.object({ orderId: text, placedAt: text.nullable() }));

// New stores are read in the course of a period, so that many of them do not come at once. Their rows are written before their jobs, as elsewhere: the join
// waits for them.
const ADD = `with readable as (select c.id from connections c where c.closed_at is null and c.store_access is not null and c.platform = any($1)
    and not exists (select from jobs j where j.kind = 'sync' and j.key = c.id)),
  added as (insert into store_syncs (connection_id) select id from readable order by id on conflict do nothing returning connection_id)
  insert into jobs (kind, key, due_at) select 'sync', r.id, now() + random() * $2 * interval '1 ms'
    from readable r left join added a on a.connection_id = r.id order by r.id, a.connection_id on conflict do nothing`;

/** Writes the jobs of stores that can be read and have none. */
export async function addStores(pool: Pool, { platforms, periodMs }: { platforms: readonly string[]; periodMs: number }): Promise<void> {
  await pool.query(ADD, [platforms, periodMs]);
}

const syncOf = (stores: string): string => jobsOf('sync', `select connection_id as key from (${stores}) stores`);

const BEGIN = `insert into store_syncs as w (connection_id, reader) values ($1, $2) on conflict (connection_id) do update set reader = excluded.reader
  returning w.connection_id as "connectionId", w.watermark, w.sync_runs as "syncRuns", w.windows, w.wanted, w.last, w.read_at as "readAt"`;

/** How far a store was read. `lease`: of the job that reads it now, whose writes are the only ones from then on. */
export function beginReading(pool: Pool, connectionId: string, lease: string): Promise<StoreSync> {
  return readOne(pool, readingRows, { text: BEGIN, values: [connectionId, lease] });
}

// Windows that were wanted meanwhile stay.
const SAVE = `update store_syncs w set watermark = $3, sync_runs = $4, windows = $5, last = $7, read_at = $8,
    wanted = coalesce((select jsonb_agg(one) from jsonb_array_elements(w.wanted) one where not $6::jsonb @> jsonb_build_array(one)), '[]'),
    missed = missed + $9::int, missed_at = case when $9::int > 0 then now() else missed_at end
  where connection_id = $1 and reader = $2`;

/** The reading of a store by the job with this lease. */
export function createReadingLedger(pool: Pool, lease: string): ReadingLedger {
  return {
    save: async ({ connectionId, watermark, syncRuns, windows, last, readAt }, missed) => {
      // The windows that were taken on are no longer wanted.
      const [known, taken] = [[watermark, json(syncRuns), json(windows)], json(syncRuns.window?.wanted ?? [])];
      const { rowCount } = await pool.query(SAVE, [connectionId, lease, ...known, taken, last === null ? null : json(last), readAt, missed]);
      return rowCount === 1;
    },
    noteListed: async (connectionId, orderIds) => {
      await pool.query('insert into sync_listed (connection_id, order_id) select $1, unnest($2::text[]) on conflict do nothing', [connectionId, orderIds]);
    },
    forgetListed: async (connectionId) => {
      await pool.query('delete from sync_listed where connection_id = $1', [connectionId]);
    },
    absent: (connection, window) => absentOrders(pool, connection, window),
    saidToChange: (connection, window) => saidToChange(pool, connection, window),
  };
}

function json(value: unknown): string {
  return jsonText(value);
}

// A row changes when its snapshot does, and not before: that leaves out most orders without reading their facts. A store's clock may be off.
const ABSENT = `select coalesce(o.platform_id, o.order_id) as "orderId", f.facts -> 'snapshot' ->> 'placedAt' as "placedAt" from orders o join order_facts f on f.order_ref = o.id
  where o.shop_id = $1 and o.platform = $2 and o.store = $3 and o.updated_at >= $4::timestamptz - interval '1 day'
    and f.facts -> 'snapshot' ->> 'updatedAt' >= $5 and f.facts -> 'snapshot' ->> 'updatedAt' < $6
    and f.facts -> 'snapshot' ->> 'lifecycle' in ('live', 'cancelled')
    and not coalesce(f.facts ->> 'deletedAt' > coalesce(greatest(f.facts ->> 'snapshotSeenAt', f.facts ->> 'restoredAt'), ''), false)
    and not exists (select from sync_listed l where l.connection_id = $7 and l.order_id = coalesce(o.platform_id, o.order_id))
  order by o.id limit $8`;

// What the store deleted is in no list: only a look says so.
const UNLISTED = `select u.order_id as "orderId", null as "placedAt" from unread_orders u where u.connection_id = $1 and u.changed_at < $2
  and not exists (select from sync_listed l where l.connection_id = $1 and l.order_id = u.order_id) order by u.order_id limit $3`;

async function absentOrders(
  pool: Pool,
  { id, shopId, platform, store }: Connection,
  { since, until, size }: { since: string; until: string; size: number },
): ReturnType<ReadingLedger['absent']> {
  const known = { text: ABSENT, values: [shopId, platform, store, since, since, until, id, size] };
  const absent = store === null ? [] : await readRows(pool, soughtRows, known);
  return absent.length > 0 ? absent : readRows(pool, soughtRows, { text: UNLISTED, values: [id, until, size] });
}

const isoTime = (path: string): string => `(f.facts #>> '{${path}}')::timestamptz`;

// An attempt looks up by itself what is gone, and was said to have changed since.
const SAID_TO_CHANGE = `with delivered as materialized (select distinct order_ref from deliveries where connection_id = $1 and arrived_at >= $2::text::timestamptz and order_ref is not null)
  select coalesce(o.platform_id, o.order_id) as "orderId", f.facts #>> '{snapshot,placedAt}' as "placedAt"
  from delivered join orders o on o.id = delivered.order_ref join order_facts f on f.order_ref = o.id
  where f.facts ->> 'changedAt' >= $2 and f.facts ->> 'changedAt' < $3
    and ${isoTime('changedAt')} > coalesce(greatest(${isoTime('snapshotSeenAt')}, ${isoTime('snapshot,readAt')}), '-infinity') + $4 * interval '1 ms'
    and coalesce(f.facts #>> '{snapshot,lifecycle}', '') <> 'trashed'
    and not coalesce(f.facts ->> 'deletedAt' > coalesce(greatest(f.facts ->> 'snapshotSeenAt', f.facts ->> 'restoredAt'), ''), false)
    and not exists (select from unread_orders u where u.connection_id = $1 and u.order_id = coalesce(o.platform_id, o.order_id)
      and u.changed_at > f.facts ->> 'changedAt')
  order by o.id`;

async function saidToChange(pool: Pool, { id }: Connection, { since, until }: { since: string; until: string }): Promise<SoughtOrder[]> {
  return readRows(pool, soughtRows, { text: SAID_TO_CHANGE, values: [id, since, until, ITS_STATE_COMES_MS] });
}

/**
 * Begins what is being read of a store anew, from its start, as soon as it can be; what was handed over stays. Anyone who reads it now stops. Returns whether
 * anything was being read.
 */
export async function readAnew(db: Queryable, connectionId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `with anew as (update store_syncs set sync_runs = '{}', wanted = wanted || coalesce(sync_runs #> '{window,wanted}', '[]'), reader = null
      where connection_id = $1 and jsonb_strip_nulls(sync_runs) <> '{}' returning connection_id) ${syncOf('select connection_id from anew')}`,
    [connectionId],
  );
  return rowCount === 1;
}

/** What waited is read at once. */
export async function readAtOnce(pool: Pool, connectionId: string): Promise<void> {
  await pool.query(syncOf('select connection_id from store_syncs where connection_id = $1'), [connectionId]);
}

// A pause that a store asked for is kept elsewhere.
const SOON = `update jobs set due_at = least(due_at, now() + random() * $1 * interval '1 ms')
  where id in (select id from jobs where kind = 'sync' and lease is null for update skip locked)`;
const CHANGES_SOON = `update store_syncs set windows = jsonb_set(windows, '{changesDue}', to_jsonb(iso))
  from (select key, to_char(due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as iso from jobs where kind = 'sync' and lease is null) soon
  where connection_id = key and windows ->> 'changesDue' > iso`;

/** No store is read later than a period from now, whatever the period was when that was written down; many of them do not come at once. */
export async function readSoon(pool: Pool, periodMs: number): Promise<void> {
  await pool.query(SOON, [periodMs]);
  await pool.query(CHANGES_SOON);
}

/**
 * Has a store read from `since` (ISO instant) on as soon as it can be, its deletions too; one without access is not. `why`: for people, as in
 * "its webhooks were repaired".
 */
export async function wantWindow(db: Queryable, connectionId: string, { since, why }: { since: string; why: string }): Promise<void> {
  await db.query(
    `with known as (insert into store_syncs (connection_id, wanted) select id, $2 from connections where id = $1 and store_access is not null
      on conflict (connection_id) do update set wanted = store_syncs.wanted || excluded.wanted returning connection_id) ${syncOf('select connection_id from known')}`,
    [connectionId, jsonText([{ since, why, at: new Date().toISOString() }])],
  );
}

/** The same when orders paid from `since` (ISO instant) on count, as no webhook may have told of them. */
export function wantSince(db: Queryable, connectionId: string, since: string): Promise<void> {
  return wantWindow(db, connectionId, { since: new Date(since).toISOString(), why: 'orders paid from then on count' });
}

/** The same when a change makes orders count that did not: its start is earlier, a gap was cut, or it can be read for the first time. */
export async function wantNewlyCounted(db: Queryable, before: Connection, after: Connection): Promise<void> {
  const isAll = after.recordFrom < before.recordFrom || before.access === null;
  const cut = before.gaps.findIndex(({ until }, nth) => until !== after.gaps[nth]?.until);
  const since = isAll ? after.recordFrom : (after.gaps[cut]?.until ?? before.gaps[cut]?.from);
  if (since !== undefined) await wantSince(db, after.id, since);
}

const waitRow = rowsOf('jobs', z.object({ count: z.int(), seconds: z.number(), isRead: z.boolean() }));

/**
 * How many stores are due to be read, and how long the first has been; of those that failed the last time, only what has been due for longer than a period.
 * `isRead`: a process reads stores now.
 */
export function storesThatWait(pool: Pool, periodMs: number): Promise<z.output<typeof waitRow.schema>> {
  const waits = `filter (where due_at <= now() - case when error is null then 0 else $1 end * interval '1 ms')`;
  return readOne(pool, waitRow, {
    text: `select count(*) ${waits}::int as count, coalesce(extract(epoch from now() - min(due_at) ${waits}), 0)::float8 as seconds,
      coalesce(bool_or(lease is not null and due_at > now()), false) as "isRead" from jobs where kind = 'sync'`,
    values: [periodMs],
  });
}

const lagRow = rowsOf('store_syncs', z.object({ seconds: z.number() }));

/** How long ago the store was read whose last reading is the longest ago, in seconds; 0 if none can be read. */
export async function longestUnread(pool: Pool): Promise<number> {
  const { seconds } = await readOne(pool, lagRow, {
    text: `select coalesce(max(extract(epoch from now() - coalesce(w.read_at, w.added_at))), 0)::float8 as seconds
      from store_syncs w join connections c on c.id = w.connection_id where c.closed_at is null`,
  });
  return seconds;
}

const readState = storeSync.pick({ connectionId: true, watermark: true, last: true, readAt: true }).extend({
  addedAt: text,
  missed: z.int(),
  missedAt: text.nullable(),
  warning: text.nullable(),
  nextAt: text,
  isLeased: z.boolean(),
  isDue: z.boolean(),
});
const stateRows = rowsOf('store_syncs', readState);

/**
 * How a store was read: for lists. `missed`: paid orders that no webhook announced. `warning`: of what is being read. `isLeased`: a process reads it now.
 * `isDue`: it waits for one, and did not fail the last time.
 */
export type StoreReadState = z.output<typeof readState>;

/** By connection; those that no process has looked at yet are absent. */
export async function storeReadStates(pool: Pool): Promise<Map<string, StoreReadState>> {
  const rows = await readRows(pool, stateRows, {
    text: `select connection_id as "connectionId", watermark, last, read_at as "readAt", added_at as "addedAt", missed, missed_at as "missedAt",
      coalesce(sync_runs #>> '{changes,warning}', sync_runs #>> '{window,warning}') as warning, coalesce(due_at, added_at) as "nextAt",
      coalesce(lease is not null and due_at > now(), false) as "isLeased", coalesce(due_at <= now() and error is null, false) as "isDue"
      from store_syncs left join jobs on kind = 'sync' and key = connection_id`,
  });
  return new Map(rows.map((row) => [row.connectionId, row]));
}

const found = rowsOf('store_syncs', z.object({ found: z.boolean() }));

/** Is a window that was wanted for this reason still to be read, or being read? */
export async function isWanted(pool: Pool, connectionIds: readonly string[], why: string): Promise<boolean> {
  const row = await readOne(pool, found, {
    text: `select exists (select from store_syncs w where w.connection_id = any($1) and position($2 in (to_jsonb(w) - 'last' - 'windows')::text) > 0) as found`,
    values: [connectionIds, why],
  });
  return row.found;
}

/** Does a process read one of these stores? */
export async function isBeingRead(pool: Pool, connectionIds: readonly string[]): Promise<boolean> {
  const row = await readOne(pool, found, {
    text: `select exists (select from jobs where kind = 'sync' and key = any($1) and lease is not null and due_at > now()) as found`,
    values: [connectionIds],
  });
  return row.found;
}

/** Are orders of a shop still to be submitted for the first time? */
export async function isBeingRecorded(pool: Pool, shopId: string): Promise<boolean> {
  const row = await readOne(pool, found, {
    text: `select exists (select from connections c join orders o on o.connection_id = c.id
      where c.shop_id = $1 and o.shop_id = $1 and o.revision > o.recorded_revision and o.revision > o.review_revision and o.state = 'queued' and o.attempts = 0) as found`,
    values: [shopId],
  });
  return row.found;
}

/** Orders of a connection's store sold from `from` until before `until`; ISO instants. */
type BackfillWindow = { connectionId: string; from: string; until: string };

/** `after`: where to go on in the store's list; null: at its beginning. */
export type Backfill = { id: number; after: string | null; taken: number };

const rows = rowsOf('backfills', z.object({ id: z.int(), after: z.string().nullable(), taken: z.int() }));

/** The unfinished backfill of this window; null: there is none. */
export function unfinishedBackfill(pool: Pool, { connectionId, from, until }: BackfillWindow): Promise<Backfill | null> {
  return readRow(pool, rows, {
    text: 'select id, after, taken from backfills where connection_id = $1 and ended_at is null and sold_from = $2 and sold_until = $3',
    values: [connectionId, from, until],
  });
}

/** Goes on with the unfinished one of this window, or begins one; one of another window is over. */
export async function beginBackfill(pool: Pool, window: BackfillWindow, said: Authorship): Promise<Backfill> {
  const { connectionId, from, until } = window;
  return inTransaction(pool, async (tx) => {
    await tx.query(
      'update backfills set ended_at = now() where connection_id = $1 and ended_at is null and (sold_from, sold_until) is distinct from ($2::timestamptz, $3::timestamptz)',
      [connectionId, from, until],
    );
    await writeBridgeActs(tx, [{ ...authorOf(said), act: 'store.backfilled', connectionId, after: { from, until } }]);
    return readOne(tx, rows, {
      text: `insert into backfills (connection_id, sold_from, sold_until) values ($1, $2, $3)
        on conflict (connection_id) where ended_at is null do update set connection_id = excluded.connection_id returning id, after, taken`,
      values: [connectionId, from, until],
    });
  });
}

/** A page is handed over. */
export async function keepBackfill(pool: Pool, { id, after, taken }: Backfill): Promise<void> {
  await pool.query('update backfills set after = $2, taken = $3 where id = $1', [id, after, taken]);
}

export async function endBackfill(pool: Pool, id: number): Promise<void> {
  await pool.query('update backfills set ended_at = now() where id = $1', [id]);
}
