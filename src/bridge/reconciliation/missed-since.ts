import type { Connection } from '../connections/connection.ts';
import type { SubscriptionProblem } from './judge-subscriptions.ts';
import type { KeptProblem, Watch, WatchLedger } from './watch-ledger.ts';

type Seen = {
  watch: Watch;
  connection: Pick<Connection, 'createdAt'>;
  /** What was wrong when the store was listed, and what is now. */
  found: readonly SubscriptionProblem[];
  after: readonly SubscriptionProblem[];
};

/** What was sent shortly before may have been lost as well. */
const MARGIN_MS = 10 * 60_000;

/**
 * From when on orders may have been missed, if webhooks of a topic work again, or the store tried to deliver one that did not come; null: nothing
 * new is known to be missed. The last good moment is that of the last list without a problem, else of the last delivery.
 */
export async function missedSince(ledger: WatchLedger, { watch, connection, found, after }: Seen): Promise<{ since: string; why: string } | null> {
  const broken = new Set(after.filter(loses).map(({ topic }) => topic));
  const healed = [...watch.problems, ...found].filter((one) => loses(one) && !broken.has(one.topic));
  const known = new Set(watch.problems.map(({ words }) => words));
  const lost = after.filter(({ kind, words }) => kind === 'not-arriving' && !known.has(words.en));
  const topics = [...new Set([...healed, ...lost].map(({ topic }) => topic))];
  if (topics.length === 0) return null;
  const good = watch.goodAt ?? (await ledger.lastArrived(watch.connectionId, topics)) ?? connection.createdAt;
  const since = new Date(Date.parse(good) - MARGIN_MS).toISOString();
  return { since, why: `webhooks did not come: ${topics.join(', ')}` };
}

/** Whether orders are missed meanwhile. */
function loses({ kind }: Pick<KeptProblem, 'kind'>): boolean {
  return kind !== 'left-over';
}
