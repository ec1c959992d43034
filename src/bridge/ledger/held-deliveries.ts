import { z } from 'zod';
import { inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { AcceptedDelivery } from '../delivery/jobs.ts';
import type { Problem } from '../order/failure.ts';
import { putInInbox } from './inbox-store.ts';

const hostRows = rowsOf('deliveries', z.object({ connectionId: z.string(), host: z.string(), deliveries: z.int(), firstAt: z.string(), lastAt: z.string() }));
const heldRows = rowsOf(
  'deliveries',
  z.object({
    ...{ id: z.string(), connectionId: z.string(), topic: z.string(), platformDeliveryId: z.string().nullable(), store: z.string().nullable() },
    ...{ arrivedAt: z.string(), body: z.instanceof(Buffer).nullable() },
  }),
);
const counts = rowsOf('deliveries', z.object({ count: z.int() }));

/** The deliveries that are held for one host of a connection, with the times of the first and the last. */
export type HeldHost = z.output<typeof hostRows.schema>;
export type HeldDelivery = z.output<typeof heldRows.schema>;

/** What becomes of a held delivery: it goes on, needs nothing, or can't be read. */
export type Reread = { delivery: AcceptedDelivery } | { ignored: string } | { problem: Problem };

export async function heldHosts(pool: Pool): Promise<HeldHost[]> {
  return readRows(pool, hostRows, {
    text: `select connection_id as "connectionId", store as host, count(*) as deliveries, min(arrived_at) as "firstAt", max(arrived_at) as "lastAt"
     from deliveries where outcome = 'held' group by connection_id, store order by min(arrived_at), store`,
  });
}

/** How many hosts wait for a person. */
export async function countHeldHosts(pool: Pool): Promise<number> {
  const text = `select count(*) as count from (select distinct connection_id, store from deliveries where outcome = 'held') held`;
  return (await readOne(pool, counts, { text })).count;
}

export type Page = { connectionId: string; host: string; size: number };

/** A page of a host's held deliveries, in the order of their arrival, goes to the inbox in one transaction: a crash loses and doubles none. */
export async function releaseHeld(pool: Pool, { connectionId, host, size }: Page, read: (held: HeldDelivery) => Promise<Reread>): Promise<Reread[]> {
  return inTransaction(pool, async (tx) => {
    const rows = await readRows(tx, heldRows, {
      text: `select id, connection_id as "connectionId", topic, platform_delivery_id as "platformDeliveryId", store, arrived_at as "arrivedAt", body
       from deliveries where connection_id = $1 and store = $2 and outcome = 'held' order by arrived_at, id limit $3 for update`,
      values: [connectionId, host, size],
    });
    const results: Reread[] = [];
    for (const row of rows) {
      const reread = await read(row);
      if ('delivery' in reread) await putInInbox(tx, reread.delivery);
      const { code = null, detail = null } = 'problem' in reread ? reread.problem : {};
      await tx.query('update deliveries set outcome = $2, code = $3, detail = $4 where id = $1', [
        row.id,
        'problem' in reread ? 'review' : 'replayed',
        code,
        detail,
      ]);
      results.push(reread);
    }
    return results;
  });
}

/** Drops the bodies of a page of a host's held deliveries, and counts them with the host. Returns how many. */
export async function dismissHeld(pool: Pool, { connectionId, host, size }: Page): Promise<number> {
  const text = `with gone as (
      update deliveries set outcome = 'dismissed', body = null where id in (
        select id from deliveries where connection_id = $1 and store = $2 and outcome = 'held' limit $3)
      returning id),
    counted as (
      update connection_hosts set dismissed = dismissed + (select count(*) from gone) where connection_id = $1 and host = $2)
    select count(*) as count from gone`;
  return (await readOne(pool, counts, { text, values: [connectionId, host, size] })).count;
}
