import type { Connection } from '../../bridge/connections/connection.ts';
import { newestOrders } from '../../bridge/ledger/left-out-orders.ts';
import type { NothingReason } from '../../bridge/order/desired.ts';
import { moneyOf } from '../../bridge/reconciliation/order-words.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { sumWords } from '../orders/sum-words.ts';
import { termsIfStarted, wantedFor } from './rehearse.ts';

/** An order that came as a webhook. `sum`: what would be recorded; null: nothing, and `code` or `why` says why. */
export type CameOrder = { number: string; at: string | null; sum: string | null; code: string | null; why: NothingReason | null };

const SHOWN = 5;

/** The newest orders that came, the newest first, and what would become of them. */
export async function cameByNow({ pool }: { pool: Pool }, connection: Connection): Promise<CameOrder[]> {
  const terms = termsIfStarted(connection);
  return (await newestOrders(pool, connection.id, SHOWN)).map(({ platformId, facts }): CameOrder => {
    const wanted = wantedFor({ orderId: platformId, facts }, terms);
    return {
      number: facts.snapshot?.number ?? platformId,
      at: facts.snapshotSeenAt,
      sum: wanted.kind === 'record' ? sumWords([moneyOf(wanted.record)]) : null,
      code: wanted.kind === 'problems' ? wanted.problems[0].code : null,
      why: wanted.kind === 'nothing' ? wanted.why : null,
    };
  });
}
