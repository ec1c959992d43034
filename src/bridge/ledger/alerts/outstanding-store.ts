import { z } from 'zod';
import { outstandingDto } from '../../../contract/outstanding-dto.ts';
import { jobsOf } from '../../../platform/jobs/job-store.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { isoText, readEach, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { noFacts } from '../../order/facts/facts.ts';
import type { OutstandingReported, ReportedShop, Unrecorded } from '../../reconciliation/report-outstanding.ts';
import { storedFacts, storedMapping } from '../order-columns.ts';

const shopRow = z.object({
  shopId: z.string(),
  destinationId: z.string(),
  at: z.string().nullable(),
  months: outstandingDto.shape.months.nullable(),
  error: z.string().nullable(),
});
const shopRows = rowsOf('outstanding_reports', shopRow);

const COLUMNS = `shop_id as "shopId", destination_id as "destinationId", ${isoText('at')} as at, months, error`;

// The connection of a shop that is live, or was last.
const DESTINATION = `(select c.destination_id from connections c where c.shop_id = s.shop_id order by c.closed_at is not null, c.created_at desc limit 1)`;

// Another service was told nothing yet.
const INTO = `insert into outstanding_reports as t (shop_id, destination_id) select s.shop_id, ${DESTINATION} from shops s
  on conflict (shop_id) do update set destination_id = excluded.destination_id, at = null, months = null, error = null
    where t.destination_id <> excluded.destination_id`;

const WAITING = `o.record is null and (o.state in ('review', 'unconfirmed') or (o.state = 'queued' and o.revision > o.recorded_revision and o.revision > o.review_revision))`;

/** Shops with such an order, or that had one. */
const WITH_ORDERS = `select distinct o.shop_id from orders o where o.record is null and o.state in ('review', 'unconfirmed')
    union select distinct o.shop_id from orders o where (o.revision > o.recorded_revision and o.revision > o.review_revision) and ${WAITING}
    union select shop_id from outstanding_reports`;
// One that somebody deleted comes back.
const NEW_OR_WITHOUT = `select shop_id::text as key from written
    union select s.shop_id::text from shops s where not exists (select from jobs j where j.kind = 'outstanding' and j.key = s.shop_id::text)`;
const jobsOfNew = (shops: string) => `with shops as (${shops}), written as (${INTO} returning t.shop_id) ${jobsOf('outstanding', NEW_OR_WITHOUT)}`;

/** Takes in shops that have their first such order, those that are of another service now, and those whose job was deleted. */
export async function addShops(pool: Pool): Promise<void> {
  await pool.query(jobsOfNew(WITH_ORDERS));
}

/** Takes in a shop, whether or not it has such an order. */
export async function addShop(pool: Pool, shopId: string): Promise<void> {
  await pool.query(jobsOfNew('select distinct c.shop_id from connections c where c.shop_id = $1'), [shopId]);
}

/** Null: it is of no connection. */
export function reportedShop(pool: Pool, shopId: string): Promise<ReportedShop | null> {
  return readRow(pool, shopRows, { text: `select ${COLUMNS} from outstanding_reports where shop_id = $1`, values: [shopId] });
}

export async function noteLooked(pool: Pool, { shopId }: ReportedShop, { reported, error }: Omit<OutstandingReported, 'nextMs'>): Promise<void> {
  await pool.query('update outstanding_reports set at = coalesce($2, at), months = coalesce($3::jsonb, months), error = $4 where shop_id = $1', [
    shopId,
    reported?.at ?? null,
    reported === null ? null : JSON.stringify(reported.months),
    error,
  ]);
}

const ids = rowsOf('orders', z.object({ id: z.int() }));
const orderRows = rowsOf(
  'orders',
  z.object({
    id: z.int(),
    orderId: z.string(),
    connectionId: z.string(),
    facts: storedFacts,
    mapping: storedMapping.nullable(),
    isOurs: z.boolean(),
    code: z.string(),
  }),
);

// What is being recorded in the usual way is not worth a word. Both parts find their few rows by an index.
const IDS = `
  select o.id from orders o where o.shop_id = $1 and o.record is null and o.state in ('review', 'unconfirmed')
  union
  select o.id from connections c join orders o on o.connection_id = c.id
    where c.shop_id = $1 and o.shop_id = $1 and o.revision > o.recorded_revision and o.revision > o.review_revision and o.record is null and o.state = 'queued'
      and o.dirty_since < now() - $2 * interval '1 ms'`;

const ORDERS = `
  select o.id, o.order_id as "orderId", o.connection_id as "connectionId", f.facts, o.mapping, o.backfilled as "isOurs",
    case o.state when 'review' then coalesce(o.review_code, 'queued') when 'unconfirmed' then 'unconfirmed' else coalesce((
      select p.code from pauses p join connections c on c.id = o.connection_id
        where p.destination_id = c.destination_id and (p.shop_id is null or p.shop_id = o.shop_id) and p.call_type = 'records' order by p.since limit 1), 'queued') end as code
  from orders o join order_facts f on f.order_ref = o.id where o.id = any($1) and o.record is null and o.state in ('review', 'unconfirmed', 'queued')`;

const PAGE = 200;

/** The orders of a shop that have no record, and wait for a person or for longer than `graceMs`, in pages. One that can't be read is left out: `doctor` names it. */
export async function* unrecordedOrders(pool: Pool, shopId: string, graceMs: number): AsyncGenerator<(Unrecorded & { id: number; connectionId: string })[]> {
  const all = await readRows(pool, ids, { text: IDS, values: [shopId, graceMs] });
  for (let at = 0; at < all.length; at += PAGE) {
    const page = all.slice(at, at + PAGE).map(({ id }) => id);
    const { readable } = await readEach(pool, orderRows, { text: ORDERS, values: [page] });
    yield readable.map(({ facts, ...order }) => ({ ...order, facts: { ...facts, customer: noFacts.customer } }));
  }
}
