import { type Connection, termsOf } from '../../bridge/connections/connection.ts';
import { startFrom } from '../../bridge/connections/new-connection.ts';
import { leftOutOrders } from '../../bridge/ledger/orders/left-out-orders.ts';
import { wantedOf } from '../../bridge/order/decisions/wanted.ts';
import { viewOf } from '../../bridge/order/facts/view.ts';
import type { Money } from '../../bridge/reconciliation/difference.ts';
import { moneyOf, paidByList } from '../../bridge/reconciliation/order-findings.ts';
import type { ReadableStore, ReadPageDeps } from '../../bridge/reconciliation/read-page.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { instantOf, isDay } from '../../contract/day.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { addDays, sofiaDay } from '../../service/law/calendar.ts';
import { sumWords } from '../orders/sum-words.ts';
import { listedPages, notRead } from '../reconciliation/read-store.ts';
import { sofiaMidnight } from '../reconciliation/window.ts';
import { Refusal } from '../refusal.ts';

type PreviewDeps = Pick<ReadPageDeps, 'knownSummaries'> & {
  pool: Pool;
  /** Null: there is no access to it, or its platform lists no orders. */
  openStore(connection: Connection, waitMs: number): Promise<ReadableStore | null>;
};

/** Orders and what they come to, such as `36.00 EUR`; null: nothing. */
export type Counted = { orders: number; sum: string | null };

/**
 * What starting would record. `known`: orders that came as webhooks. `asked`: those of them that a person would be asked about, by the first code.
 * `unknown`: orders that only the store has, by its list; null: it can't be read, and `whyUnknown` says why if it should be.
 */
export type StartPreview = {
  from: string;
  known: Counted;
  asked: { code: string; orders: number }[];
  unknown: Counted | null;
  whyUnknown: LocalizedText | null;
};

const WAIT_MS = 5_000;

/** What would be recorded if this connection were recorded from then on. Reads only. */
export async function previewStart(deps: PreviewDeps, connection: Connection, from: string): Promise<StartPreview> {
  const started: Connection = { ...connection, trialSince: null, ...startFrom(connection, from) };
  const [known, unknown] = await Promise.all([inLedger(deps.pool, started), inStore(deps, started, from)]);
  return { from, ...known, ...unknown };
}

async function inLedger(pool: Pool, started: Connection): Promise<Pick<StartPreview, 'known' | 'asked'>> {
  const terms = termsOf(started, storefrontOf(storefronts, started.platform));
  const sums: Money[] = [];
  const codes = new Map<string, number>();
  for await (const page of leftOutOrders(pool, started.id)) {
    for (const order of page) {
      // A backfill took it in from before: it counts whenever it was paid.
      const wanted = wantedOf({ ...order, current: null, previous: null }, terms);
      if (wanted.kind === 'record') sums.push(moneyOf(wanted.record));
      if (wanted.kind === 'problems' && isSince(order, started.recordFrom)) codes.set(wanted.problems[0].code, (codes.get(wanted.problems[0].code) ?? 0) + 1);
    }
  }
  return { known: { orders: sums.length, sum: sumWords(sums) }, asked: [...codes].map(([code, orders]) => ({ code, orders })) };
}

function isSince({ facts }: { facts: Parameters<typeof viewOf>[0] }, from: string): boolean {
  const paidAt = viewOf(facts)?.paidAt;
  return paidAt !== undefined && Date.parse(paidAt) >= Date.parse(from);
}

async function inStore(deps: PreviewDeps, started: Connection, from: string): Promise<Pick<StartPreview, 'unknown' | 'whyUnknown'>> {
  if (started.access === null || Date.parse(from) > Date.now()) return { unknown: null, whyUnknown: null };
  try {
    const store = await deps.openStore(started, WAIT_MS);
    if (store === null) return { unknown: null, whyUnknown: null };
    const sums = await unknownIn(deps, started, { store, from });
    return { unknown: { orders: sums.length, sum: sumWords(sums) }, whyUnknown: null };
  } catch (thrown) {
    return { unknown: null, whyUnknown: notRead(thrown).why };
  }
}

async function unknownIn(deps: PreviewDeps, started: Connection, { store, from }: { store: ReadableStore; from: string }): Promise<Money[]> {
  const sums = new Map<string, Money>();
  for await (const { summaries } of listedPages(store, { since: from, after: null })) {
    const ids = summaries.map(({ orderId }) => orderId);
    const known = await deps.knownSummaries(store.connection, ids);
    for (const summary of summaries) {
      const money = known.has(summary.orderId) ? null : paidByList(summary, started);
      if (money !== null) sums.set(summary.orderId, money);
    }
  }
  return [...sums.values()];
}

const FORMS: LocalizedText = {
  en: 'now, month, a day such as 2026-11-01, or a moment with its offset',
  bg: 'now, month, ден като 2026-11-01 или момент с отместване',
};
/** Earlier orders are in months that are long filed; a later day is a slip of the pen. */
const MOST_BACK = 366;
const MOST_AHEAD = 31;

/** From when on a store is recorded, as somebody typed it: an ISO instant. A day begins at midnight in Bulgaria. */
export function startMoment(typed: string, now: Date): string {
  const today = sofiaDay(now.toISOString());
  // Stores tell when an order was paid to the second.
  if (typed === 'now') return `${now.toISOString().slice(0, 19)}.000Z`;
  if (typed === 'month') return sofiaMidnight(`${today.slice(0, 7)}-01`);
  const at = isDay(typed) ? sofiaMidnight(typed) : instantOf(typed);
  if (at === null) throw noMoment(typed);
  if (at < sofiaMidnight(addDays(today, -MOST_BACK)) || at > sofiaMidnight(addDays(today, MOST_AHEAD))) {
    throw new Refusal('invalid', {
      en: `${typed} is more than a year ago, or more than a month ahead`,
      bg: `${typed} е преди повече от година или след повече от месец`,
      advice: 'orders from before are taken in with `orderbridge backfill`',
    });
  }
  return at;
}

export const START_WAYS = ['now', 'month', 'day'] as const;

/** What is selected in the form of a start. `day` counts only if it is the way. */
export type StartChoice = { way: (typeof START_WAYS)[number]; day: string };

export function startChoice(text: (name: string) => string): StartChoice {
  return { way: START_WAYS.find((one) => one === text('from')) ?? 'now', day: text('day') };
}

/** From when on a store would be recorded by this choice: an ISO instant. */
export function chosenMoment({ way, day }: StartChoice, now: Date): string {
  if (way === 'day' && !isDay(day)) throw noMoment(day);
  return startMoment(way === 'day' ? day : way, now);
}

/** What a page counted, as its form says it: a choice is started only if it is the one that was counted. “now” is when the form is sent. */
export function countedAs({ way }: StartChoice, from: string): string {
  return way === 'now' ? way : from;
}

function noMoment(typed: string): Refusal {
  return new Refusal('invalid', { en: `“${typed}” is no moment: give ${FORMS.en}`, bg: `„${typed}“ не е момент: дайте ${FORMS.bg}` });
}
