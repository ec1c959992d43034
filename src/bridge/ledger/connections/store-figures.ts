import { z } from 'zod';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { BRIDGE_AUDIT_LOG, type BridgeAct } from '../bridge-acts.ts';
import { LACKS, RECORD_PENDING } from '../orders/pending-orders.ts';

const countRows = rowsOf('orders', z.object({ connectionId: z.string(), count: z.int() }));
const gapRows = rowsOf('orders', z.object({ connectionId: z.string(), code: z.string(), detail: z.string(), count: z.int() }));
const openRow = rowsOf('orders', z.object({ pending: z.int(), review: z.int(), unconfirmed: z.int() }));

/** So many of each are counted over all stores: the rest are “more”. */
export const MOST_COUNTED = 5_000;

const IN_REVIEW: BridgeAct = 'order.needs-review';
const IN_A_DAY = `now() - interval '1 day'`;

type Counted = { counts: ReadonlyMap<string, number>; isMore: boolean };

/** Orders of the last 24 hours by connection, which were recorded, and for which a person was asked; and those that wait for one now. */
export type StoreFigures = { recorded: Counted; asked: Counted; waiting: Counted };

/** However many orders there are, the newest of each are counted. */
export async function storeFigures(pool: Pool): Promise<StoreFigures> {
  const count = async (text: string, ...values: unknown[]): Promise<Counted> => {
    const rows = await readRows(pool, countRows, { text, values: [MOST_COUNTED, ...values] });
    const all = rows.reduce((sum, row) => sum + row.count, 0);
    return { counts: new Map(rows.map((row) => [row.connectionId, row.count])), isMore: all >= MOST_COUNTED };
  };
  const [recorded, asked, waiting] = await Promise.all([count(RECORDED), count(ASKED, IN_REVIEW), count(WAITING)]);
  return { recorded, asked, waiting };
}

// Through the index of each destination: what is newest is read, and no more of it than is counted.
const RECORDED = `select o.connection_id as "connectionId", count(distinct o.id)::int as count from (
    select own.order_ref from destinations d cross join lateral (select s.order_ref, s.began_at, s.kind, s.outcome from steps s
      where s.destination_id = d.id and s.began_at > ${IN_A_DAY} order by s.began_at desc limit $1) own
    where own.kind = 'create' and own.outcome = 'recorded' order by own.began_at desc limit $1) newest join orders o on o.id = newest.order_ref group by 1`;
const ASKED = `select connection_id as "connectionId", count(*)::int as count from (
    select connection_id from ${BRIDGE_AUDIT_LOG.schema}.acts where at > ${IN_A_DAY} and act = $2 and connection_id is not null limit $1) newest group by 1`;
const WAITING = `select connection_id as "connectionId", count(*)::int as count from (
    select connection_id from orders where state in ('review', 'unconfirmed') limit $1) few group by 1`;

/** Values of orders that settings give no meaning, with the words that say so. */
export type SettingGap = z.output<typeof gapRows.schema>;

/** Those for which orders wait, the most wanted first. `connectionId` null: of all stores. */
export function settingGaps(pool: Pool, connectionId: string | null): Promise<SettingGap[]> {
  return readRows(pool, gapRows, {
    text: `select connection_id as "connectionId", review_code as code, review_detail as detail, count(*)::int as count from (
        select connection_id, review_code, review_detail from orders where state = 'review' and review_code in ('payment.unmapped', 'vat.unmapped')
          and review_detail is not null and ($2::text is null or connection_id = $2) limit $1) few
      group by 1, 2, 3 order by count(*) desc, 1, 2, 3`,
    values: [MOST_COUNTED, connectionId],
  });
}

/** A value of orders that the settings give no meaning. `value` null: what is said of it names none. */
export type ValueGap = { kind: 'payment' | 'vat'; value: string | null; orders: number; detail: string };

const named: Readonly<Record<ValueGap['kind'], RegExp>> = {
  payment: /^The payment method “(.*)” has no type\.$/s,
  vat: /^The VAT rate (\S+) % has no group\.$/,
};

export function valueGap({ code, detail, count }: SettingGap): ValueGap {
  const kind = code === 'vat.unmapped' ? 'vat' : 'payment';
  return { kind, value: named[kind].exec(detail)?.[1] ?? null, orders: count, detail };
}

/** What is still to be done of one store, of each at most `MOST_COUNTED`. */
export function openOrders(pool: Pool, connectionId: string): Promise<z.output<typeof openRow.schema>> {
  const some = (where: string) => `(select count(*)::int from (select 1 from orders o where o.connection_id = $1 and ${where} limit $2) few)`;
  return readOne(pool, openRow, {
    text: `select ${some(`${RECORD_PENDING} and ${LACKS} = 0`)} as pending, ${some("o.state = 'review'")} as review, ${some("o.state = 'unconfirmed'")} as unconfirmed`,
    values: [connectionId, MOST_COUNTED],
  });
}
