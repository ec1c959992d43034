import { z } from 'zod';
import type { Actor } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable, sealerOf } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { SealBroken, unlessBroken } from '../../../platform/seal.ts';
import type { AcceptedDelivery } from '../../delivery/jobs.ts';
import type { NotedDelivery } from '../../delivery/record-deliveries.ts';
import { openBody } from '../../delivery/sealed-delivery.ts';
import type { Problem } from '../../order/facts/failure.ts';
import { BODY, HAS_NO_BODY, WITH_BODIES } from '../body-columns.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { jsonText } from '../json-columns.ts';
import { DELIVERY_OF_JSON, deliveryColumns } from '../orders/record-store.ts';
import { putInInbox } from './inbox-store.ts';

const delivery = z.object({ id: z.string(), connectionId: z.string(), topic: z.string(), platformDeliveryId: z.string().nullable(), arrivedAt: z.string() });
const cut = { cut: z.boolean() };
const keptDelivery = delivery.extend({ outcome: z.string(), code: z.string().nullable(), detail: z.string().nullable(), kept: z.boolean(), ...cut });
const keptDeliveries = rowsOf('deliveries', keptDelivery);
const replayableDelivery = rowsOf('deliveries', delivery.extend({ store: z.string().nullable(), body: z.instanceof(Buffer).nullable(), ...cut }));
const shownDelivery = rowsOf(
  'deliveries',
  keptDelivery.extend({
    ...{ storeName: z.string(), orderRef: z.int().nullable() },
    ...{ headers: z.record(z.string(), z.string()).nullable(), answerMs: z.int().nullable() },
  }),
);
const dismissed = rowsOf('deliveries', z.object({ id: z.string(), connectionId: z.string(), code: z.string().nullable() }));

/** A kept delivery, as people see it; `kept` while its body can be replayed. `cut`: only what was read of it was kept, until that was recorded. */
export type KeptDelivery = z.output<typeof keptDelivery>;

const COLUMNS = `id, connection_id as "connectionId", topic, platform_delivery_id as "platformDeliveryId", arrived_at as "arrivedAt", outcome, code, detail, ${BODY} is not null as kept, cut`;

/** Keeps a delivery that names no order; an one in review stays until a person has looked at it. */
export async function noteDelivery(pool: Pool, { delivery: noted, outcome, code, detail }: NotedDelivery): Promise<void> {
  await pool.query(
    `insert into deliveries (id, connection_id, topic, platform_delivery_id, store, arrived_at, headers, answer_ms, cut, outcome, code, detail, body)
     select id, connection_id, topic, platform_delivery_id, store, arrived_at, case when body is not null then headers end, answer_ms, cut, $2, $3, $4, decode(body, 'base64')
     from jsonb_to_record($1) as x(${DELIVERY_OF_JSON})
     on conflict (id) do nothing`,
    [jsonText(deliveryColumns(pool, noted.cut === true && outcome !== 'review' ? { ...noted, body: null } : noted)), outcome, code, detail],
  );
}

export async function deliveriesOfOrder(pool: Pool, orderRef: number): Promise<KeptDelivery[]> {
  return readRows(pool, keptDeliveries, { text: `select ${COLUMNS} from ${WITH_BODIES} where order_ref = $1 order by arrived_at, id`, values: [orderRef] });
}

const changeRows = rowsOf('deliveries', z.object({ ids: z.array(z.string()) }));
const MOST_OF_A_CHANGE = 16;

/** For each order the deliveries of its last change, the newest first: those since it is pending, or, if it is not, the last one. */
export async function deliveriesOfChanges(pool: Pool, orderRefs: readonly number[]): Promise<string[][]> {
  const rows = await readRows(pool, changeRows, {
    name: 'deliveries-of-changes',
    text: `select array(select d.id::text from deliveries d where d.order_ref = o.id and d.outcome = 'merged' and d.arrived_at >= coalesce(o.dirty_since, '-infinity')
        order by d.arrived_at desc, d.id desc limit case when o.dirty_since is null then 1 else ${MOST_OF_A_CHANGE} end) as ids
      from unnest($1::bigint[]) with ordinality as x(id, at) left join orders o using (id) order by at`,
    values: [orderRefs],
  });
  return rows.map(({ ids }) => ids);
}

export async function deliveriesInReview(pool: Pool): Promise<KeptDelivery[]> {
  return readRows(pool, keptDeliveries, { text: `select ${COLUMNS} from ${WITH_BODIES} where outcome = 'review' order by arrived_at limit 10000` });
}

export type ReplayableDelivery = z.output<typeof replayableDelivery.schema>;

const REPLAYABLE = `id, connection_id as "connectionId", topic, platform_delivery_id as "platformDeliveryId", store, arrived_at as "arrivedAt", ${BODY} as body, cut`;

/** With its body, as it was compressed. Throws `SealBroken`. */
export async function findDelivery(pool: Pool, id: string): Promise<ReplayableDelivery | null> {
  const found = await readRow(pool, replayableDelivery, {
    text: `select ${REPLAYABLE} from ${WITH_BODIES} where id = $1`,
    values: [id],
  });
  return found === null ? null : opened(pool, found);
}

function opened<Row extends { id: string; body: Buffer | null }>(db: Queryable, row: Row): Row {
  return row.body === null ? row : { ...row, body: openBody(sealerOf(db), { id: row.id, body: row.body }) };
}

/** The webhooks of an order that came until this one was, the oldest first; body null: nobody knows any more what it said, or it does not open. */
export async function bodiesUntil(pool: Pool, { id, orderRef }: { id: string; orderRef: number }, limit: number): Promise<ReplayableDelivery[]> {
  const rows = await readRows(pool, replayableDelivery, {
    text: `select ${REPLAYABLE} from ${WITH_BODIES}
      where order_ref = $1 and outcome <> 'ignored' and (arrived_at, id) <= (select arrived_at, id from deliveries where id = $2) order by arrived_at, id limit $3`,
    values: [orderRef, id, limit],
  });
  return rows.map((row) => {
    try {
      return opened(pool, row);
    } catch (thrown) {
      if (thrown instanceof SealBroken) return { ...row, body: null };
      throw thrown;
    }
  });
}

/** Removes a delivery that could be read at last from the list of ones in review. */
export async function markReplayed(pool: Pool, id: string): Promise<void> {
  await pool.query(`update deliveries set outcome = 'replayed', decided_at = now(), code = null, detail = null where id = $1 and outcome = 'review'`, [id]);
}

/** A delivery with the order that it was about. */
export type ShownDelivery = z.output<typeof shownDelivery.schema>;

export async function deliveryOfId(pool: Pool, id: string): Promise<ShownDelivery | null> {
  return readRow(pool, shownDelivery, {
    text: `select d.id, d.connection_id as "connectionId", c.name as "storeName", d.topic, d.platform_delivery_id as "platformDeliveryId", d.arrived_at as "arrivedAt",
        d.outcome, d.code, d.detail, ${BODY} is not null as kept, d.cut, d.order_ref as "orderRef", coalesce(d.headers, b.headers) as headers, d.answer_ms as "answerMs"
      from ${WITH_BODIES} join connections c on c.id = d.connection_id where d.id = $1`,
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

// A day at a time; of bodies that are kept for two months and more, a thirtieth of that.
const KEEP_DAYS = `select keep_days_of_bodies((($2::timestamptz - $1 * interval '1 day') at time zone 'UTC')::date, floor($1 / 30)::int)`;
const DROP_REST = `delete from bodies_rest where ctid in (select ctid from bodies_rest where kept_at < $2::timestamptz - $1 * interval '1 day' limit 1000)`;

// None by the bounds of their days, unless these are wider, as KEEP_DELIVERIES_DAYS was lowered, or could not be dropped. Ids begin with the ms since 1970 at
// which they were made: their index has the oldest first.
const DROP_LATE = `delete from bodies where kept_at < $1 and delivery_id = any(array(
  select delivery_id from bodies where kept_at < $1 and delivery_id < $2 order by delivery_id limit 1000 for update skip locked))`;
const DAY_MS = 86_400_000;

/**
 * Drops bodies and headers older than their retention time: of orders whole days at once, those of too wide ones and of others a page at a time; those that wait
 * for a person stay. Another process that drops or erases some of them is not waited for. Returns how many of others there were.
 */
export async function dropOldBodies(pool: Pool, { days, decidedDays, now }: KeptFor): Promise<number> {
  await pool.query(DROP_REST, [days, now]);
  const lateMs = now.getTime() - (days + Math.max(1, Math.floor(days / 30))) * DAY_MS;
  await pool.query(DROP_LATE, [new Date(lateMs), Math.floor(lateMs).toString(16).padStart(12, '0').padEnd(32, '0')]);
  const { rowCount } = await pool.query(
    `with found as materialized (
       (select id from deliveries where body is not null and decided_at is null and outcome not in ('review', 'quarantined')
         and arrived_at < $3::timestamptz - $1 * interval '1 day' limit 1000)
       union all
       (select id from deliveries where body is not null and decided_at < $3::timestamptz - $2 * interval '1 day' limit 1000)),
     old as (select id from deliveries join found using (id) order by id for update of deliveries skip locked)
     update deliveries d set body = null, headers = null from old where d.id = old.id`,
    [days, decidedDays, now],
  );
  // The last, since it throws while it can't.
  await pool.query(KEEP_DAYS, [days, now]);
  return rowCount ?? 0;
}

const hostRows = rowsOf('deliveries', z.object({ connectionId: z.string(), host: z.string(), deliveries: z.int(), firstAt: z.string(), lastAt: z.string() }));
const quarantinedRows = rowsOf(
  'deliveries',
  z.object({
    ...{ id: z.string(), connectionId: z.string(), topic: z.string(), platformDeliveryId: z.string().nullable(), store: z.string().nullable() },
    ...{ arrivedAt: z.string(), body: z.instanceof(Buffer).nullable(), ...cut },
  }),
);
const counts = rowsOf('deliveries', z.object({ count: z.int() }));

/** The deliveries that are quarantined for one host of a connection, with the times of the first and the last. */
export type QuarantinedHost = z.output<typeof hostRows.schema>;
export type QuarantinedDelivery = z.output<typeof quarantinedRows.schema>;

/** What becomes of a quarantined delivery: it goes on, needs nothing, or can't be read. */
export type Reread = { delivery: AcceptedDelivery } | { ignored: string } | { problem: Problem };

export async function quarantinedHosts(pool: Pool): Promise<QuarantinedHost[]> {
  return readRows(pool, hostRows, {
    text: `select connection_id as "connectionId", store as host, count(*) as deliveries, min(arrived_at) as "firstAt", max(arrived_at) as "lastAt"
     from deliveries where outcome = 'quarantined' group by connection_id, store order by min(arrived_at), store`,
  });
}

/** How many hosts wait for a person. */
export async function countQuarantinedHosts(pool: Pool): Promise<number> {
  const text = `select count(*) as count from (select distinct connection_id, store from deliveries where outcome = 'quarantined') quarantined`;
  return (await readOne(pool, counts, { text })).count;
}

type Page = { connectionId: string; host: string; size: number };

/** A page of a host's quarantined deliveries, in the order of their arrival, goes to the inbox in one transaction: a crash loses and doubles none. */
export async function releaseQuarantined(
  pool: Pool,
  { connectionId, host, size }: Page,
  read: (quarantined: QuarantinedDelivery) => Promise<Reread>,
): Promise<Reread[]> {
  return inTransaction(pool, async (tx) => {
    const rows = await readRows(tx, quarantinedRows, {
      text: `select id, connection_id as "connectionId", topic, platform_delivery_id as "platformDeliveryId", store, arrived_at as "arrivedAt", body, cut
       from deliveries where connection_id = $1 and store = $2 and outcome = 'quarantined' order by arrived_at, id limit $3 for update`,
      values: [connectionId, host, size],
    });
    const results: Reread[] = [];
    for (const row of rows) {
      const open = unlessBroken(() => opened(tx, row));
      const reread =
        open === null
          ? { problem: { code: 'payload.unreadable' as const, detail: 'body: it does not open, it was changed in the database' } }
          : await read(open);
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

/** Drops the bodies of a page of a host's quarantined deliveries, and counts them with the host. Returns how many. */
export async function dismissQuarantined(pool: Pool, { connectionId, host, size }: Page): Promise<number> {
  const text = `with gone as (
      update deliveries set outcome = 'dismissed', body = null, headers = null where id in (
        select id from deliveries where connection_id = $1 and store = $2 and outcome = 'quarantined' limit $3)
      returning id),
    counted as (
      update connection_hosts set dismissed = dismissed + (select count(*) from gone) where connection_id = $1 and host = $2)
    select count(*) as count from gone`;
  return (await readOne(pool, counts, { text, values: [connectionId, host, size] })).count;
}

/** Of each connection at a time, and of all together. */
const OF_EACH = 200;
const MOST = 2_000;

// By the index of each connection's webhooks: what is too young is not looked at. The store of an order that is locked is not waited for.
const DROP = `with old as (
    select d.id from connections c cross join lateral (
      select id from deliveries d where connection_id = c.id and arrived_at < $2::timestamptz - $1 * interval '1 day'
        and body is null and ${HAS_NO_BODY} and outcome not in ('review', 'quarantined') order by arrived_at limit ${OF_EACH}) of_one join deliveries d on d.id = of_one.id
    limit ${MOST} for update of d skip locked)
  delete from deliveries d using old where d.id = old.id`;

/**
 * Forgets that webhooks came, longer ago than so many days, whose bodies are gone and for which nobody waits, a page at a time. Their orders, facts and
 * steps stay. Returns how many.
 */
export async function dropOldArrivals(pool: Pool, { days, now }: { days: number; now: Date }): Promise<number> {
  const { rowCount } = await pool.query(DROP, [days, now]);
  return rowCount ?? 0;
}
