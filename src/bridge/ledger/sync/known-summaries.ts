import { z } from 'zod';
import { decimalsOf, formatMoney, parseMoney, sum } from '../../../contract/money.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { Connection } from '../../connections/connection.ts';
import type { AcceptedDelivery } from '../../delivery/jobs.ts';
import { type Facts, isDeleted, noFacts, type Snapshot } from '../../order/facts/facts.ts';
import type { KnownSummary } from '../../reconciliation/compare-summary.ts';
import { storedFacts } from '../order-columns.ts';

const summaryRows = rowsOf('orders', z.object({ platformId: z.string(), facts: storedFacts }));

/** What is known of these orders of a connection's store, by the platform's id; an order of which only a part is known counts as stale. */
export async function knownSummaries(
  pool: Pool,
  { shopId, platform, store }: Pick<Connection, 'shopId' | 'platform' | 'store'>,
  orderIds: readonly string[],
): Promise<Map<string, KnownSummary[]>> {
  if (store === null || orderIds.length === 0) return new Map();
  const rows = await readRows(pool, summaryRows, {
    text: `select coalesce(platform_id, order_id) as "platformId", facts from orders join order_facts on order_ref = id
      where shop_id = $1 and platform = $2 and store = $3
        and ((platform_id is null and order_id = any($4)) or platform_id = any($4))`,
    values: [shopId, platform, store, orderIds],
  });
  const summaries = rows.map(({ platformId, facts }) => ({ platformId, summary: knownSummaryOf({ ...facts, customer: noFacts.customer }) }));
  return new Map([...Map.groupBy(summaries, ({ platformId }) => platformId)].map(([id, of]) => [id, of.map(({ summary }) => summary)]));
}

/** An order of which only a part is known has no moment of change. */
export function knownSummaryOf(facts: Facts): KnownSummary {
  const { snapshot } = facts;
  if (snapshot === null) {
    const nothing = { updatedAt: '', status: '', lifecycle: 'live', currency: '', total: '', kept: null, seenAt: '', refundIds: null } as const;
    return { ...nothing, isDeleted: (facts.deletedAt ?? facts.deletedOn) != null };
  }
  const { updatedAt, readAt, status, lifecycle, currency, total, refunds } = snapshot;
  const state = { updatedAt, status, lifecycle, currency, total, kept: keptOf(snapshot), seenAt: seenAtOf(facts), ...(readAt === undefined ? {} : { readAt }) };
  return { ...state, refundIds: refunds?.map(({ id }) => id) ?? null, isDeleted: isDeleted(facts, snapshot) };
}

function seenAtOf({ snapshot, snapshotSeenAt }: Facts): string {
  const [seenAt, readAt] = [snapshotSeenAt ?? '', snapshot?.readAt ?? ''];
  return readAt > seenAt ? readAt : seenAt;
}

function keptOf({ payment, kept, total, refunds, currency }: Snapshot): string | null {
  if (payment !== 'paid') return null;
  if (kept !== undefined || refunds === null) return kept ?? null;
  const decimals = decimalsOf(currency);
  const amounts = [total, ...refunds.map(({ amount }) => amount)].map((amount) => parseMoney(amount, decimals));
  const [paid, ...back] = amounts.filter((amount) => amount !== undefined);
  return paid === undefined || amounts.includes(undefined) ? null : formatMoney(paid - sum(back), decimals);
}

const found = rowsOf('sync_handed', z.object({ found: z.boolean() }));

const RECORDED = 'exists (select from deliveries d where d.id = h.delivery_id)';
/** What a queue lost is handed over again by the next reading, under other ids. */
const LOST = `h.at < now() - interval '1 hour'`;

/** Notes what reading a store is about to hand to the recorder. */
export async function noteHanded(pool: Pool, deliveries: readonly Pick<AcceptedDelivery, 'id' | 'connectionId'>[]): Promise<void> {
  await pool.query(
    `with done as (delete from sync_handed h where h.connection_id = any($2) and (${RECORDED} or ${LOST}))
     insert into sync_handed (delivery_id, connection_id) select * from unnest($1::uuid[], $2::text[])`,
    [deliveries.map(({ id }) => id), deliveries.map(({ connectionId }) => connectionId)],
  );
}

/** Is something that was read from these stores in the last ten minutes still to be recorded? */
export async function isHandedOver(pool: Pool, connectionIds: readonly string[]): Promise<boolean> {
  const row = await readOne(pool, found, {
    text: `select exists (select from sync_handed h where h.connection_id = any($1) and h.at > now() - interval '10 minutes' and not ${RECORDED}) as found`,
    values: [connectionIds],
  });
  return row.found;
}
