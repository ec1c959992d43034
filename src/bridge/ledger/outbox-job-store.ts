import { z } from 'zod';
import { jobsOf } from '../../platform/jobs/job-store.ts';
import type { Pool, Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { type OrderOfJob, OUTBOX_KINDS, type OutboxJobDeps, type OutboxKind, orderOfJob } from '../delivery/outbox-jobs.ts';

/** SQL that writes jobs to forget the buyers of these orders; `orders` gives their `order_ref`. */
export const forgetBuyersOf = (orders: string): string => ofOrders('forget-buyer', orders);

/** SQL that writes jobs to tell when these orders were delivered, where settings want it; `ids` gives their `id`. */
export const reportDeliveryOf = (ids: string): string =>
  ofOrders(
    'delivered',
    `select o.id as order_ref from orders o join connections c on c.id = o.connection_id where o.id in (${ids}) and c.settings ->> 'monthBy' = 'delivery'`,
  );

const ofOrders = (kind: OutboxKind, orders: string): string => jobsOf(kind, `select order_ref::text as key from (${orders}) of_orders`);

// Erased because somebody asked for it: the record may be older than that, and have the buyer.
const ERASED = 'select c.order_ref from customers c where c.order_ref = $1 and c.erased_at is not null and not c.by_age';

/** Writes the outbox jobs of a record that the order has since now, and that no attempt of it made as it is. */
export async function outboxJobsOfRecord(tx: Queryable, orderRef: number): Promise<void> {
  await tx.query(forgetBuyersOf(ERASED), [orderRef]);
  await tx.query(reportDeliveryOf(`select id from orders where id = $1 and delivered_at is not null`), [orderRef]);
}

const orderOfJobRows = rowsOf('orders', orderOfJob);

const LAST_RECORD =
  'select s.compliance_id, s.destination_id from steps s where s.order_ref = o.id and s.compliance_id is not null order by s.seq desc limit 1';
/** Until a person may have resolved an order. */
const UNCONFIRMED_MS = 60_000;
// A pause may end with each probe. Jobs wait for as long again as it has lasted: a hundred thousand of them are not looked at with each probe.
const PAUSE_LEFT = `least(greatest(p.until - now(), now() - p.since, interval '10 seconds'), interval '1 hour')`;

// A claim that began before the erasure may still send the buyer: it must be over, and its fence is raised in case it only seems to be. Every later
// claim reads the erasure. The service keeps the address of a deleted record's buyer for a notice, so it is told of the last one, too.
const ORDERS_OF_JOBS = `with wanted as materialized (
    select o.id, last.compliance_id as last_record, last.destination_id as last_destination,
      case when o.state = 'unconfirmed' and o.open_step is not null then ${UNCONFIRMED_MS}
        else coalesce(
          ($3::jsonb ->> coalesce(o.record_destination, last.destination_id)::text)::float8,
          (select extract(epoch from max(${PAUSE_LEFT})) * 1000 from pauses p
            where p.destination_id = coalesce(o.record_destination, last.destination_id) and p.call_type = 'records'
              and (p.shop_id is null or p.shop_id = o.shop_id))) end::float8 as waits_ms
    from orders o left join lateral (${LAST_RECORD}) last on $2 = 'forget-buyer' where o.id = any($1)),
  free as materialized (
    select o.id from orders o where o.id in (select id from wanted where waits_ms is null) and o.open_step is null
      and (o.lease_until is null or o.lease_until < now()) order by o.id for no key update of o skip locked),
  fenced as (update orders o set fence = o.fence + 1, lease_until = null from free where o.id = free.id
    returning o.id, o.compliance_id, o.record_destination, o.delivered_at)
  select o.id as "orderId", o.connection_id as "connectionId",
    case when f.compliance_id is null then t.last_destination else f.record_destination end as "destinationId",
    coalesce(f.compliance_id, t.last_record) as "complianceId", f.compliance_id is null and t.last_record is not null as "isDeleted",
    f.delivered_at as "deliveredAt", t.waits_ms as "waitsMs", f.id is not null as "isFree"
  from wanted t join orders o on o.id = t.id left join fenced f on f.id = t.id order by t.id`;

/** The records of which services are to be told: see `OutboxJobDeps`. */
export function ordersOfJobs(pool: Pool, ...[kind, ids, failing]: Parameters<OutboxJobDeps['orders']>): Promise<OrderOfJob[]> {
  return readRows(pool, orderOfJobRows, { text: ORDERS_OF_JOBS, values: [ids, kind, JSON.stringify(failing)] });
}

const undoneRow = z.object({
  kind: z.enum(OUTBOX_KINDS),
  problem: z.enum(['unsupported', 'failed']),
  destinationId: z.string().nullable(),
  count: z.int(),
  since: z.string(),
  records: z.array(z.string()),
  detail: z.string().nullable(),
});
const undoneRows = rowsOf('jobs', undoneRow);

/** What a compliance service could not be told, by the reason; `records`: a few of its ids. */
export type UndoneOutboxJobs = z.output<typeof undoneRow>;

/** SQL for why an outbox job is not done; one without an error may yet be. */
export const PROBLEM = `case when j.due_at is null then 'unsupported' when j.error is not null then 'failed' end`;

export function undoneOutboxJobs(pool: Pool): Promise<UndoneOutboxJobs[]> {
  return readRows(pool, undoneRows, {
    text: `select j.kind, ${PROBLEM} as problem, coalesce(o.record_destination, last.destination_id) as "destinationId", count(*)::int as count,
        min(j.made_at) as since, (array_agg(coalesce(o.compliance_id, last.compliance_id) order by j.made_at))[1:5] as records, max(j.error) as detail
      from jobs j join orders o on o.id = j.key::bigint
        left join lateral (${LAST_RECORD}) last on o.compliance_id is null and j.kind = 'forget-buyer'
      where j.kind = any($1) and j.error is not null and (o.compliance_id is not null or last.compliance_id is not null)
      group by 1, 2, 3 order by 5`,
    values: [OUTBOX_KINDS],
  });
}
