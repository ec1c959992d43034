import { z } from 'zod';
import type { Pool, Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { OutboxJob, OutboxJobLedger } from '../delivery/run-outbox-jobs.ts';

const outboxJobRow = z.object({
  orderId: z.int(),
  kind: z.enum(['forget-buyer', 'delivered']),
  madeAt: z.string(),
  attempts: z.int(),
  shopId: z.string(),
  connectionId: z.string(),
  destinationId: z.string().nullable(),
  complianceId: z.string().nullable(),
  isDeleted: z.boolean(),
  deliveredAt: z.string().nullable(),
  isFree: z.boolean(),
}) satisfies z.ZodType<OutboxJob>;
const outboxJobRows = rowsOf('outbox_jobs', outboxJobRow);

/** SQL that makes outbox jobs to forget the buyers of these orders; `orders` gives their `order_ref`. */
export const forgetBuyersOf = (orders: string): string => anew('forget-buyer', orders);

/** SQL that makes outbox jobs to tell when these orders were delivered, where settings want it; `ids` gives their `id`. */
export const reportDeliveryOf = (ids: string): string =>
  anew(
    'delivered',
    `select o.id as order_ref from orders o join connections c on c.id = o.connection_id where o.id in (${ids}) and c.settings ->> 'monthBy' = 'delivery'`,
  );

// One that is there is due again, whatever became of it: what is under way does not end it, since it is made anew.
function anew(kind: OutboxJob['kind'], orders: string): string {
  return `insert into outbox_jobs (order_ref, kind) select order_ref, '${kind}' from (${orders}) due order by order_ref
    on conflict (order_ref, kind) do update set next_at = now(), made_at = now(), attempts = 0, problem = null, detail = null`;
}

// Erased because somebody asked for it: the record may be older than that, and have the buyer.
const ERASED = 'select c.order_ref from customers c where c.order_ref = $1 and c.erased_at is not null and not c.by_age';

/** Makes the outbox jobs of a record that the order has since now, and that no attempt of it made as it is. */
export async function outboxJobsOfRecord(tx: Queryable, orderRef: number): Promise<void> {
  await tx.query(forgetBuyersOf(ERASED), [orderRef]);
  await tx.query(reportDeliveryOf(`select id from orders where id = $1 and delivered_at is not null`), [orderRef]);
}

/** If the process dies, it is due again after this. */
const LEASE = `interval '2 minutes'`;
const PAUSED = `exists (select from pauses p where p.destination_id = place.destination and p.call_type = 'records' and (p.shop_id is null or p.shop_id = o.shop_id))`;

const LAST_RECORD =
  'select s.compliance_id, s.destination_id from steps s where s.order_ref = o.id and s.compliance_id is not null order by s.seq desc limit 1';

// A claim that began before the erasure may still send the buyer: it must be over, and its fence is raised in case it only seems to be. Every later
// claim reads the erasure. The service keeps the address of a deleted record's buyer for a notice, so it is told of the last one, too. All filters are by
// where an outbox job would go: one that the caller puts back for its destination, and that is taken at once again, would make a busy loop.
const TAKE = `with due as materialized (
    select e.order_ref, e.kind, last.compliance_id as last_record, last.destination_id as last_destination
    from outbox_jobs e join orders o on o.id = e.order_ref left join lateral (${LAST_RECORD}) last on e.kind = 'forget-buyer'
      cross join lateral (select coalesce(o.record_destination, last.destination_id) as destination) place
    where e.next_at <= now() and not (o.state = 'unconfirmed' and o.open_step is not null)
      and (place.destination is null or (place.destination <> all ($2::uuid[]) and not ${PAUSED}))
    order by e.next_at, e.order_ref limit $1 for update of e skip locked),
  free as materialized (
    select o.id from orders o where o.id in (select order_ref from due) and o.open_step is null and (o.lease_until is null or o.lease_until < now())
    order by o.id for no key update of o skip locked),
  fenced as (update orders o set fence = o.fence + 1, lease_until = null from free where o.id = free.id
    returning o.id, o.compliance_id, o.record_destination, o.delivered_at),
  taken as (update outbox_jobs e set next_at = now() + ${LEASE}, attempts = e.attempts + 1 from due where e.order_ref = due.order_ref and e.kind = due.kind
    returning e.order_ref, e.kind, e.attempts, e.made_at, due.last_record, due.last_destination)
  select t.order_ref as "orderId", t.kind, t.made_at::text as "madeAt", t.attempts, o.shop_id as "shopId", o.connection_id as "connectionId",
    case when f.compliance_id is null then t.last_destination else f.record_destination end as "destinationId",
    coalesce(f.compliance_id, t.last_record) as "complianceId", f.compliance_id is null and t.last_record is not null as "isDeleted",
    f.delivered_at as "deliveredAt", f.id is not null as "isFree"
  from taken t join orders o on o.id = t.order_ref left join fenced f on f.id = t.order_ref order by t.order_ref`;

// The count of attempts is the fence: who lost the lease writes nothing. It begins anew with news, so what was overtaken by them is known by its age.
const THIS = 'order_ref = $1 and kind = $2 and attempts = $3 and made_at = $4::timestamptz';
const fenceOf = ({ orderId, kind, attempts, madeAt }: OutboxJob) => [orderId, kind, attempts, madeAt];

export function createOutboxJobStore(pool: Pool): OutboxJobLedger {
  return {
    take: ({ size, except }) => readRows(pool, outboxJobRows, { text: TAKE, values: [size, except] }),
    async done(outboxJob) {
      await pool.query(`delete from outbox_jobs where ${THIS}`, fenceOf(outboxJob));
    },
    async later(outboxJob, { ms, why }) {
      const isTried = why !== null;
      await pool.query(
        `update outbox_jobs set next_at = now() + $5 * interval '1 ms', attempts = case when $6 then attempts else attempts - 1 end,
           problem = case when $6 then 'failed' else problem end, detail = coalesce($7, detail) where ${THIS}`,
        [...fenceOf(outboxJob), Math.round(ms), isTried, why],
      );
    },
    async unsupported(outboxJob) {
      await pool.query(`update outbox_jobs set next_at = null, problem = 'unsupported', detail = null where ${THIS}`, fenceOf(outboxJob));
    },
    async supported(kinds) {
      await pool.query(`update outbox_jobs set next_at = now(), problem = null where problem = 'unsupported' and kind = any($1)`, [kinds]);
    },
  };
}

const undoneRow = z.object({
  kind: outboxJobRow.shape.kind,
  problem: z.enum(['unsupported', 'failed']),
  destinationId: z.string().nullable(),
  count: z.int(),
  since: z.string(),
  records: z.array(z.string()),
  detail: z.string().nullable(),
});
const undoneRows = rowsOf('outbox_jobs', undoneRow);

/** What a compliance service could not be told, by the reason; `records`: a few of its ids. */
export type UndoneOutboxJobs = z.output<typeof undoneRow>;

export function undoneOutboxJobs(pool: Pool): Promise<UndoneOutboxJobs[]> {
  return readRows(pool, undoneRows, {
    text: `select e.kind, e.problem, o.record_destination as "destinationId", count(*)::int as count, min(e.made_at) as since,
        (array_agg(o.compliance_id order by e.made_at))[1:5] as records, max(e.detail) as detail
      from outbox_jobs e join orders o on o.id = e.order_ref where e.problem is not null and o.compliance_id is not null
      group by 1, 2, 3 order by 5`,
  });
}

/** The law gives a month to carry out such a request; who was not asked by then is not asked by this list. Returns how many. */
export async function dropUnsupported(pool: Pool, now: Date): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from outbox_jobs where (order_ref, kind) in (
       select order_ref, kind from outbox_jobs where problem = 'unsupported' and made_at < $1::timestamptz - interval '30 days' limit 1000)`,
    [now],
  );
  return rowCount ?? 0;
}
