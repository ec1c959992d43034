import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Connection } from '../connections/connection.ts';
import { isDeleted } from '../order/deletion.ts';
import { type Facts, noFacts } from '../order/facts.ts';
import type { KnownHead } from '../reconciliation/compare-head.ts';
import { storedFacts } from './stored-facts.ts';

const headRows = rowsOf('orders', z.object({ platformId: z.string(), facts: storedFacts }));

/** What is known of these orders of a connection's store, by the platform's id; an order of which only a part is known counts as stale. */
export async function knownHeads(
  pool: Pool,
  { shopId, platform, store }: Pick<Connection, 'shopId' | 'platform' | 'store'>,
  orderIds: readonly string[],
): Promise<Map<string, KnownHead[]>> {
  if (store === null || orderIds.length === 0) return new Map();
  const rows = await readRows(pool, headRows, {
    text: `select coalesce(platform_id, order_id) as "platformId", facts from orders join order_facts on order_ref = id
      where shop_id = $1 and platform = $2 and store = $3
        and ((platform_id is null and order_id = any($4)) or platform_id = any($4))`,
    values: [shopId, platform, store, orderIds],
  });
  const heads = rows.map(({ platformId, facts }) => ({ platformId, head: knownHeadOf({ ...facts, customer: noFacts.customer }) }));
  return new Map([...Map.groupBy(heads, ({ platformId }) => platformId)].map(([id, of]) => [id, of.map(({ head }) => head)]));
}

/** An order of which only a part is known has no moment of change. */
export function knownHeadOf(facts: Facts): KnownHead {
  const { snapshot } = facts;
  if (snapshot === null) return { updatedAt: '', status: '', lifecycle: 'live', currency: '', total: '', refundIds: null, isDeleted: facts.deletedAt !== null };
  const { updatedAt, status, lifecycle, currency, total, refunds } = snapshot;
  return { updatedAt, status, lifecycle, currency, total, refundIds: refunds?.map(({ id }) => id) ?? null, isDeleted: isDeleted(facts, snapshot) };
}
