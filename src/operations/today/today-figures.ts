import { backlogUpTo } from '../../bridge/ledger/pending-orders.ts';
import { recordedSince } from '../../bridge/ledger/store-figures.ts';
import { lastWebhooks } from '../../bridge/ledger/traffic-store.ts';
import { type StoreOnTrial, storesOnTrial } from '../../bridge/ledger/trial-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { sofiaDay } from '../../service/law/calendar.ts';
import { sumWords } from '../orders/sum-words.ts';
import { sofiaMidnight } from '../reconciliation/window.ts';

/** More orders are not counted on each look. */
const MOST_WAITING = 10_000;

/** `waiting`: orders that orderbridge still has to do something about; `isMore`: these, and more. `lastWebhook` null: no store is connected. */
export type TodayFigures = {
  waiting: { orders: number; isMore: boolean; oldestSeconds: number | null };
  /** Since midnight in Sofia; `total` such as `36.00 EUR + 12.00 USD`, null: there are too many to sum, or none. */
  recorded: { orders: number; total: string | null };
  lastWebhook: { store: string; ageSeconds: number | null } | null;
  onTrial: StoreOnTrial[];
};

/** What happened today, and what is under way. */
export async function todayFigures({ pool, now }: { pool: Pool; now(): Date }): Promise<TodayFigures> {
  const [waiting, recorded, [last], onTrial] = await Promise.all([
    backlogUpTo(pool, MOST_WAITING),
    recordedSince(pool, sofiaMidnight(sofiaDay(now().toISOString()))),
    lastWebhooks(pool, 1),
    storesOnTrial(pool),
  ]);
  return {
    waiting: { orders: waiting.pending, isMore: waiting.pending >= MOST_WAITING, oldestSeconds: waiting.oldestSeconds },
    recorded: { orders: recorded.count, total: sumWords(recorded.totals ?? []) },
    lastWebhook: last === undefined ? null : { store: last.name, ageSeconds: last.ageSeconds },
    onTrial,
  };
}
