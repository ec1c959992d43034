import { z } from 'zod';
import { inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import type { NotedDelivery } from '../delivery/record-deliveries.ts';
import { writeBridgeActs } from './bridge-acts.ts';
import { jsonText } from './json-text.ts';
import { deliveryColumns } from './record-store.ts';

const delivery = z.object({ id: z.string(), connectionId: z.string(), topic: z.string(), platformDeliveryId: z.string().nullable(), arrivedAt: z.string() });
const keptDelivery = delivery.extend({ outcome: z.string(), code: z.string().nullable(), detail: z.string().nullable(), kept: z.boolean() });
const keptDeliveries = rowsOf('deliveries', keptDelivery);
const takenDeliveries = rowsOf(
  'deliveries',
  delivery
    .omit({ connectionId: true })
    .extend({ outcome: z.string(), code: z.string().nullable(), detail: z.string().nullable(), orderId: z.string().nullable(), number: z.string().nullable() }),
);
const replayableDelivery = rowsOf('deliveries', delivery.extend({ store: z.string().nullable(), body: z.instanceof(Buffer).nullable() }));
const shownDelivery = rowsOf('deliveries', keptDelivery.extend({ storeName: z.string(), body: z.instanceof(Buffer).nullable(), orderRef: z.int().nullable() }));
const dismissed = rowsOf('deliveries', z.object({ id: z.string(), connectionId: z.string(), code: z.string().nullable() }));

/** A kept delivery, as people see it; `kept` while its body can be replayed. */
export type KeptDelivery = z.output<typeof keptDelivery>;

const COLUMNS =
  'id, connection_id as "connectionId", topic, platform_delivery_id as "platformDeliveryId", arrived_at as "arrivedAt", outcome, code, detail, body is not null as kept';

/** Keeps a delivery that names no order; an one in review stays until a person has looked at it. */
export async function noteDelivery(pool: Pool, { delivery: noted, outcome, code, detail }: NotedDelivery): Promise<void> {
  await pool.query(
    `insert into deliveries (id, connection_id, topic, platform_delivery_id, store, arrived_at, outcome, code, detail, body)
     select id, connection_id, topic, platform_delivery_id, store, arrived_at, $2, $3, $4, decode(body, 'base64')
     from jsonb_to_record($1) as x(id uuid, connection_id text, topic text, platform_delivery_id text, store text, arrived_at timestamptz, body text)
     on conflict (id) do nothing`,
    [jsonText(deliveryColumns(noted)), outcome, code, detail],
  );
}

export async function deliveriesOfOrder(pool: Pool, orderRef: number): Promise<KeptDelivery[]> {
  return readRows(pool, keptDeliveries, { text: `select ${COLUMNS} from deliveries where order_ref = $1 order by arrived_at, id`, values: [orderRef] });
}

/** A delivery, and the order that it was about, if it was about one. */
export type TakenDelivery = z.output<typeof takenDeliveries.schema>;

/** The last deliveries of a connection, the newest first. */
export async function lastDeliveries(pool: Pool, connectionId: string, limit: number): Promise<TakenDelivery[]> {
  return readRows(pool, takenDeliveries, {
    text: `select d.id, d.topic, d.platform_delivery_id as "platformDeliveryId", d.arrived_at as "arrivedAt", d.outcome, d.code, d.detail,
        o.order_id as "orderId", o.number
      from deliveries d left join orders o on o.id = d.order_ref where d.connection_id = $1 order by d.arrived_at desc, d.id desc limit $2`,
    values: [connectionId, limit],
  });
}

export async function deliveriesInReview(pool: Pool): Promise<KeptDelivery[]> {
  return readRows(pool, keptDeliveries, { text: `select ${COLUMNS} from deliveries where outcome = 'review' order by arrived_at limit 10000` });
}

export type ReplayableDelivery = z.output<typeof replayableDelivery.schema>;

export async function findDelivery(pool: Pool, id: string): Promise<ReplayableDelivery | null> {
  return readRow(pool, replayableDelivery, {
    text: 'select id, connection_id as "connectionId", topic, platform_delivery_id as "platformDeliveryId", store, arrived_at as "arrivedAt", body from deliveries where id = $1',
    values: [id],
  });
}

/** Removes a delivery that could be read at last from the list of ones in review. */
export async function markReplayed(pool: Pool, id: string): Promise<void> {
  await pool.query(`update deliveries set outcome = 'replayed', decided_at = now(), code = null, detail = null where id = $1 and outcome = 'review'`, [id]);
}

/** A delivery with its kept body, compressed with zstd, and the order that it was about. */
export type ShownDelivery = z.output<typeof shownDelivery.schema>;

export async function deliveryOfId(pool: Pool, id: string): Promise<ShownDelivery | null> {
  return readRow(pool, shownDelivery, {
    text: `select d.id, d.connection_id as "connectionId", c.name as "storeName", d.topic, d.platform_delivery_id as "platformDeliveryId", d.arrived_at as "arrivedAt",
        d.outcome, d.code, d.detail, d.body is not null as kept, d.body, d.order_ref as "orderRef"
      from deliveries d join connections c on c.id = d.connection_id where d.id = $1`,
    values: [id],
  });
}

/** A person says that a delivery in review needs nothing: it no longer waits, and its body is kept for KEEP_UNREADABLE_DAYS. False: it is not in review. */
export async function dismissDelivery(pool: Pool, id: string, { by, why }: { by: Actor; why: string }): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const row = await readRow(tx, dismissed, {
      text: `update deliveries set outcome = 'dismissed', decided_at = now() where id = $1 and outcome = 'review' returning id, connection_id as "connectionId", code`,
      values: [id],
    });
    if (row === null) return false;
    const { connectionId, code } = row;
    await writeBridgeActs(tx, [
      { who: by, act: 'delivery.dismissed', connectionId, subject: id, before: { outcome: 'review', code }, after: { outcome: 'dismissed' }, why },
    ]);
    return true;
  });
}

/** `decidedDays`: of those that a person dismissed or replayed, from then on. */
type KeptFor = { days: number; decidedDays: number; now: Date };

/**
 * Drops bodies older than their retention time, a page at a time; those that wait for a person stay. Another process that drops or erases some of them
 * is not waited for. Returns how many.
 */
export async function dropOldBodies(pool: Pool, { days, decidedDays, now }: KeptFor): Promise<number> {
  const { rowCount } = await pool.query(
    `with old as (select id from deliveries where id in (
       (select id from deliveries where body is not null and decided_at is null and outcome not in ('review', 'held')
         and arrived_at < $3::timestamptz - $1 * interval '1 day' limit 1000)
       union all
       (select id from deliveries where body is not null and decided_at < $3::timestamptz - $2 * interval '1 day' limit 1000)) order by id for update skip locked)
     update deliveries d set body = null from old where d.id = old.id`,
    [days, decidedDays, now],
  );
  return rowCount ?? 0;
}
