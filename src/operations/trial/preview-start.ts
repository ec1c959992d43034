import type { Connection } from '../../bridge/connections/connection.ts';
import { startFrom } from '../../bridge/connections/go-on.ts';
import { leftOutOrders } from '../../bridge/ledger/left-out-orders.ts';
import { viewOf } from '../../bridge/order/view.ts';
import { wantedOf } from '../../bridge/order/wanted.ts';
import type { Money } from '../../bridge/reconciliation/difference.ts';
import { moneyOf, paidByList } from '../../bridge/reconciliation/order-words.ts';
import type { ReadableStore, ReadPageDeps } from '../../bridge/reconciliation/read-page.ts';
import type { Said } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { sumWords } from '../orders/sum-words.ts';
import { listedPages } from '../reconciliation/listed-pages.ts';
import { notRead } from '../reconciliation/read-store.ts';
import { termsOf } from '../reconciliation/sightings.ts';

export type PreviewDeps = Pick<ReadPageDeps, 'knownHeads'> & {
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
  whyUnknown: Said | null;
};

const WAIT_MS = 5_000;

/** What would be recorded if this connection were recorded from then on. Reads only. */
export async function previewStart(deps: PreviewDeps, connection: Connection, from: string): Promise<StartPreview> {
  const started: Connection = { ...connection, trialSince: null, ...startFrom(connection, from) };
  const [known, unknown] = await Promise.all([inLedger(deps.pool, started), inStore(deps, started, from)]);
  return { from, ...known, ...unknown };
}

async function inLedger(pool: Pool, started: Connection): Promise<Pick<StartPreview, 'known' | 'asked'>> {
  const terms = termsOf(started);
  const sums: Money[] = [];
  const codes = new Map<string, number>();
  for await (const page of leftOutOrders(pool, started.id)) {
    for (const order of page) {
      // A backfill took it in from before: it counts whenever it was paid.
      const wanted = wantedOf({ ...order, standing: null, previous: null }, terms);
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

type Unknown = Pick<StartPreview, 'unknown' | 'whyUnknown'>;

async function inStore(deps: PreviewDeps, started: Connection, from: string): Promise<Unknown> {
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
  for await (const { heads } of listedPages(store, { since: from, after: null })) {
    const ids = heads.map(({ orderId }) => orderId);
    const known = await deps.knownHeads(store.connection, ids);
    for (const head of heads) {
      const money = known.has(head.orderId) ? null : paidByList(head, started);
      if (money !== null) sums.set(head.orderId, money);
    }
  }
  return [...sums.values()];
}
