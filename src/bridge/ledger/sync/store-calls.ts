import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { Slot, Store, StoreCallLedger, StorePause } from '../../delivery/store-calls.ts';
import { storedCode } from '../order-columns.ts';
import { readAnew, readAtOnce } from './sync-store.ts';

const pauseRow = z.object({
  host: z.string(),
  connectionId: z.string().nullable(),
  code: storedCode,
  detail: z.string(),
  failures: z.int(),
  since: z.string(),
  until: z.string(),
  leftMs: z.number(),
});
const pauseRows = rowsOf('store_calls', pauseRow);
const takenRow = rowsOf('store_slots', z.object({ slot: z.int().nullable(), failures: z.int() }));
const failuresRow = rowsOf('store_calls', z.object({ failures: z.int(), running: z.boolean() }));

const COLUMNS = 'host, connection_id as "connectionId", code, detail, failures, since, until, extract(epoch from until - now())::float8 * 1000 as "leftMs"';
// Orders that wait for a store call it again within minutes: nothing waits for one that was not called for an hour since, and a new failure is its first.
const IS_KNOWN = `until > now() - interval '1 hour'`;
const OF_STORE = `host = $1 and (connection_id is null or connection_id = $2) and ${IS_KNOWN}`;
/** Two calls that come at once may look at the same slot. */
const ATTEMPTS = 3;

/** How stores are called, by all processes. */
export function createStoreCallLedger(pool: Pool): StoreCallLedger {
  return {
    pauseOf: ({ host, connectionId }) =>
      readRow(pool, pauseRows, {
        text: `select ${COLUMNS} from store_calls where ${OF_STORE} and until > now() order by until desc limit 1`,
        values: [host, connectionId],
      }),
    take: (store, leaseMs) => take(pool, store, leaseMs),
    renew: async ({ host, slot, holder }, leaseMs) => {
      await pool.query(`update store_slots set lease_until = now() + $4 * interval '1 ms' where host = $1 and slot = $2 and holder = $3`, [
        ...[host, slot, holder],
        leaseMs,
      ]);
    },
    release: async ({ host, slot, holder }) => {
      await pool.query('delete from store_slots where host = $1 and slot = $2 and holder = $3', [host, slot, holder]);
    },
    pause: (what, waitMs) => pause(pool, what, waitMs),
    works: async ({ host, connectionId }, withKey) => {
      await pool.query('delete from store_calls where host = $1 and (connection_id is null or ($3 and connection_id = $2))', [host, connectionId, withKey]);
    },
  };
}

/** The stores that are paused, or whose next call will show whether they work again: by host, or of one connection. */
export function storePauses(pool: Pool): Promise<StorePause[]> {
  return readRows(pool, pauseRows, { text: `select ${COLUMNS} from store_calls where ${IS_KNOWN} order by since` });
}

/** A person says that the store can be called now, or with which key. Returns whether a reading of it was begun anew for that. */
export async function callStoreAgain(pool: Pool, { host, connectionId }: Store): Promise<boolean> {
  await pool.query('delete from store_calls where connection_id = $2 or (host = $1 and connection_id is null)', [host, connectionId]);
  await readAtOnce(pool, connectionId);
  await pool.query('update watches set refused_at = null where connection_id = $1', [connectionId]);
  // Another address may not know the place where a page of this one ended.
  return readAnew(pool, connectionId);
}

/** Another key is there: that an earlier one was refused is no reason not to call. */
export async function forgetRefusal(pool: Pool, { host, connectionId }: Store): Promise<void> {
  await pool.query('delete from store_calls where host = $1 and connection_id = $2', [host, connectionId]);
}

async function take(pool: Pool, { host, connectionId }: Store, leaseMs: number): Promise<Slot | 'full'> {
  const holder = randomUUID();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { slot, failures } = await readOne(pool, takenRow, {
      name: 'take slot',
      text: `with known as (select coalesce(max(failures), 0) as failures, max(until) as until from store_calls where ${OF_STORE}),
        taken as (insert into store_slots as s (host, slot, holder, lease_until)
          select $1, n, $3, now() + $4 * interval '1 ms' from known, generate_series(1, case when known.failures > 0 then 1 else 2 end) n
          where (known.until is null or known.until <= now())
            and not exists (select 1 from store_slots x where x.host = $1 and x.slot = n and x.lease_until > now())
          order by random() limit 1
          on conflict (host, slot) do update set holder = excluded.holder, lease_until = excluded.lease_until where s.lease_until <= now()
          returning slot)
        select (select slot from taken) as slot, failures from known`,
      values: [host, connectionId, holder, leaseMs],
    });
    if (slot !== null) return { host, slot, holder, failures };
  }
  return 'full';
}

async function pause(pool: Pool, { host, connectionId, code, detail }: Parameters<StoreCallLedger['pause']>[0], waitMs: (failures: number) => number) {
  const before = await readRow(pool, failuresRow, {
    text: `select failures, until > now() as running from store_calls where host = $1 and connection_id is not distinct from $2 and ${IS_KNOWN}`,
    values: [host, connectionId],
  });
  // The other call that was under way when the pause began says nothing new.
  const failures = before === null ? 1 : before.failures + (before.running ? 0 : 1);
  return readOne(pool, pauseRows, {
    text: `insert into store_calls as known (host, connection_id, code, detail, failures, since, until) values ($1, $2, $3, $4, $5, now(), now() + $6 * interval '1 ms')
       on conflict (host, connection_id) do update set code = excluded.code, detail = excluded.detail, failures = excluded.failures,
         since = case when known.${IS_KNOWN} then known.since else excluded.since end, until = greatest(known.until, excluded.until)
       returning ${COLUMNS}`,
    values: [host, connectionId, code, detail, failures, Math.round(waitMs(failures))],
  });
}
