import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { outstandingDto } from '../../../contract/outstanding-dto.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { isoText, readEach, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { noFacts } from '../../order/facts/facts.ts';
import type { Looked, ToldShop, Unrecorded } from '../../reconciliation/report-outstanding.ts';
import { storedFacts, storedMapping } from '../order-columns.ts';

const shopRow = z.object({
  shopId: z.string(),
  destinationId: z.string(),
  at: z.string().nullable(),
  months: outstandingDto.shape.months.nullable(),
  error: z.string().nullable(),
});
const shopRows = rowsOf('outstanding_reports', shopRow);

/** A shop that only this process tells of, until its lease is over. */
export type LeasedShop = ToldShop & { holder: string };

export type OutstandingStore = {
  /** Takes in shops that have their first such order, and those that are of another service now. */
  add(): Promise<void>;
  /** Shops whose time has come, the longest due first. */
  takeDue(size: number): Promise<LeasedShop[]>;
  /** This shop, whether or not its time has come. leased: another process has it. unknown: it is of no connection. */
  take(shopId: string): Promise<LeasedShop | 'leased' | 'unknown'>;
  looked(shop: LeasedShop, looked: Looked): Promise<void>;
};

/** Counting a hundred thousand orders takes about a minute. */
const LEASE = `interval '5 minutes'`;
const COLUMNS = `t.shop_id as "shopId", t.destination_id as "destinationId", ${isoText('t.at')} as at, t.months, t.error`;
const FREE = '(t.lease_until is null or t.lease_until < now())';

// The connection of a shop that is live, or was last.
const DESTINATION = `(select c.destination_id from connections c where c.shop_id = s.shop_id order by c.closed_at is not null, c.created_at desc limit 1)`;

// Another service was told nothing yet.
const INTO = `insert into outstanding_reports as t (shop_id, destination_id) select s.shop_id, ${DESTINATION} from shops s
  on conflict (shop_id) do update set destination_id = excluded.destination_id, at = null, months = null, error = null, next_at = now()
    where t.destination_id <> excluded.destination_id`;

const WAITING = `o.record is null and (o.state in ('review', 'unconfirmed') or (o.state = 'queued' and o.revision > o.recorded_revision and o.revision > o.review_revision))`;

const NEW = `with shops as (
    select distinct o.shop_id from orders o where o.record is null and o.state in ('review', 'unconfirmed')
    union select distinct o.shop_id from orders o where (o.revision > o.recorded_revision and o.revision > o.review_revision) and ${WAITING}
    union select shop_id from outstanding_reports)
  ${INTO}`;

const TAKE_DUE = `with due as (select t.shop_id from outstanding_reports t where t.next_at <= now() and ${FREE} order by t.next_at limit $2 for update skip locked)
  update outstanding_reports t set holder = $1, lease_until = now() + ${LEASE} from due where t.shop_id = due.shop_id returning ${COLUMNS}`;

export function createOutstandingStore(pool: Pool): OutstandingStore {
  const holder = randomUUID();
  return {
    async add() {
      await pool.query(NEW);
    },
    async takeDue(size) {
      const shops = await readRows(pool, shopRows, { text: TAKE_DUE, values: [holder, size] });
      return shops.map((shop) => ({ ...shop, holder }));
    },
    async take(shopId) {
      await pool.query(`with shops as (select distinct c.shop_id from connections c where c.shop_id = $1) ${INTO}`, [shopId]);
      const { rowCount } = await pool.query('select from outstanding_reports where shop_id = $1', [shopId]);
      if (rowCount === 0) return 'unknown';
      const shop = await readRow(pool, shopRows, {
        text: `update outstanding_reports t set holder = $2, lease_until = now() + ${LEASE} where t.shop_id = $1 and ${FREE} returning ${COLUMNS}`,
        values: [shopId, holder],
      });
      return shop === null ? 'leased' : { ...shop, holder };
    },
    async looked({ shopId, ...leased }, { reported, error, nextMs }) {
      await pool.query(
        `update outstanding_reports set at = coalesce($3, at), months = coalesce($4::jsonb, months), error = $5, next_at = now() + $6 * interval '1 ms',
           holder = null, lease_until = null where shop_id = $1 and holder = $2`,
        [shopId, leased.holder, reported?.at ?? null, reported === null ? null : JSON.stringify(reported.months), error, Math.round(nextMs)],
      );
    },
  };
}

type UnrecordedOf = Unrecorded & { id: number; connectionId: string };

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
export async function* unrecordedOrders(pool: Pool, shopId: string, graceMs: number): AsyncGenerator<UnrecordedOf[]> {
  const all = await readRows(pool, ids, { text: IDS, values: [shopId, graceMs] });
  for (let at = 0; at < all.length; at += PAGE) {
    const page = all.slice(at, at + PAGE).map(({ id }) => id);
    const { readable } = await readEach(pool, orderRows, { text: ORDERS, values: [page] });
    yield readable.map(({ facts, ...order }) => ({ ...order, facts: { ...facts, customer: noFacts.customer } }));
  }
}
