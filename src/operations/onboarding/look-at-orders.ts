import type { Connection } from '../../bridge/connections/connection.ts';
import { newestOrders } from '../../bridge/ledger/left-out-orders.ts';
import { noFacts } from '../../bridge/order/facts.ts';
import { Failure } from '../../bridge/order/failure.ts';
import { factsOf } from '../../bridge/order/merge.ts';
import type { WatchDeps } from '../../bridge/reconciliation/watch-subscriptions.ts';
import type { FetchJson } from '../../bridge/storefronts/contract.ts';
import type { Survey } from '../../bridge/storefronts/onboarding.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { denialOf, type StoreDenial } from '../../bridge/storefronts/store-failure.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { AnswerCache } from '../../platform/answer-cache.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { withPatience } from '../connections/try-access.ts';
import type { SeenOrder } from './rehearse.ts';

/**
 * What a store says of itself; null: it can't be asked. `orders`: its last ones, of so many `days`, or those that came as webhooks. `failed`: it
 * should have said it, and why it did not.
 */
export type LookedAt = { survey: Omit<Survey, 'orders'> | null; orders: SeenOrder[]; days: number; failed: LookFailed | null };

/** Why a store did not say what it should: `refused`, its key; the others as they are called there. */
type LookFailed = 'refused' | 'unreachable' | Exclude<StoreDenial, 'key'>;

export type LookDeps = { pool: Pool; stores: { fetchJson: FetchJson; watch: Pick<WatchDeps, 'means'> }; now(): Date };

const USUAL_DAYS = 30;
const MOST = 200;
const DAY_MS = 86_400_000;
const LONGEST_MS = 40_000;
const KEPT_MS = 10 * 60_000;
/** Pages that renew themselves look at a store that fails no more often. */
const FAILED_MS = 15_000;

/** What stores said, for a few minutes: each page of a merchant is about it, and asking takes many requests. In memory alone, and without the buyers. */
export type Looks = { of(deps: LookDeps, connection: Connection, options?: { again: boolean }): Promise<LookedAt> };

export function openLooks(now: () => number): Looks {
  const kept = new AnswerCache<LookedAt>({ size: 50, freshMs, now });
  return {
    of: (deps, connection, { again } = { again: false }) => {
      if (again) kept.forget(connection.id);
      return kept.get(connection.id, () => lookAtOrders(deps, connection));
    },
  };
}

function freshMs({ survey, failed }: LookedAt): number {
  if (failed !== null) return FAILED_MS;
  return survey === null ? 0 : KEPT_MS;
}

/** Asks a store for its settings and its orders of the last weeks; where it can't be asked, those that came are taken. Records nothing. */
async function lookAtOrders(deps: LookDeps, connection: Connection): Promise<LookedAt> {
  const { survey, surveyDays: days = USUAL_DAYS } = storefrontOf(storefronts, connection.platform).onboarding ?? {};
  if (survey === undefined || connection.access === null) return { survey: null, orders: await cameFor(deps, connection), days, failed: null };
  const now = deps.now().getTime();
  const means = await deps.stores.watch.means(connection, withPatience(deps.stores.fetchJson, LONGEST_MS));
  try {
    const { orders, ...said } = await survey(connection.access, means, { since: new Date(now - days * DAY_MS).toISOString(), most: MOST });
    const at = new Date(now).toISOString();
    return {
      survey: said,
      orders: orders.map((news) => ({ orderId: news.orderId, facts: { ...factsOf(news, at), customer: noFacts.customer } })),
      ...{ days, failed: null },
    };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { survey: null, orders: await cameFor(deps, connection), days, failed: failedBy(thrown) };
  }
}

function failedBy(failure: Failure): LookFailed {
  const denial = denialOf(failure);
  if (denial !== null && denial !== 'key') return denial;
  return failure.code === 'storefront.refused' ? 'refused' : 'unreachable';
}

async function cameFor({ pool }: LookDeps, { id }: Connection): Promise<SeenOrder[]> {
  return (await newestOrders(pool, id, MOST)).map(({ platformId, facts }) => ({ orderId: platformId, facts }));
}
