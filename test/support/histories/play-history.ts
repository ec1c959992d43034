import { knownSummaryOf } from '../../../src/bridge/ledger/sync/known-summaries.ts';
import { answerOf } from '../../../src/bridge/order/decisions/answer.ts';
import type { Claim } from '../../../src/bridge/order/decisions/claim.ts';
import { conclude } from '../../../src/bridge/order/decisions/conclude.ts';
import { goesOnWithout, nextAction } from '../../../src/bridge/order/decisions/next-action.ts';
import type { Step } from '../../../src/bridge/order/decisions/step.ts';
import { transitionOf } from '../../../src/bridge/order/decisions/transition.ts';
import { noFacts, type OrderNews } from '../../../src/bridge/order/facts/facts.ts';
import { factsOf, merge } from '../../../src/bridge/order/facts/merge.ts';
import type { Terms } from '../../../src/bridge/order/facts/settings.ts';
import { fingerprint } from '../../../src/bridge/order/facts/view.ts';
import { compareSummary } from '../../../src/bridge/reconciliation/compare-summary.ts';
import { storefrontOf, storefronts } from '../../../src/bridge/storefronts/registry.ts';
import type { ChangedPage } from '../../../src/bridge/storefronts/store-reader.ts';
import { sampleClaim, sampleTerms } from '../samples/sample-claim.ts';
import { type MoneyByRate, plus } from './money-by-rate.ts';
import type { Told, ToldHistory } from './told-history.ts';

/** Where an order ended: what stands at the service, and what a person is asked. */
export type Ended = { stands: MoneyByRate; asked: string | null };

const payments = { 'Cash on Delivery (COD)': 'POSTAL_PAYMENT', cod: 'POSTAL_PAYMENT', bacs: 'BANK_TRANSFER' };
const usualSettings = {
  vatGroups: { '20': 'GROUP_B', '9': 'GROUP_D', '0': 'GROUP_A' },
  payments: Object.fromEntries(Object.entries(payments).map(([gateway, paymentType]) => [gateway, { paymentType }])),
};
const MOST_ACTIONS = 12;
const HOUR = 3_600_000;
const ACCESS = { url: 'https://shop.example', consumerKey: 'ck', consumerSecret: 'cs' };

/** How a history is delivered: the told webhooks in the order of their arrival, and after which of them the order is processed. */
export type Delivering = {
  arrivals: readonly number[];
  attempts: ReadonlySet<number>;
  settings?: Partial<Terms['settings']>;
  /** The store's API gives no answer until the last attempt; `always`: not in that one either. */
  silent?: 'at first' | 'always';
  /** In the end the store is read as a second source, and the order processed once more. */
  isRead?: true;
  /** Each step that is sent. */
  onSend?(kind: Step['kind']): void;
};

/** Delivers a history in the given order of arrival, with an attempt after each delivery that `attempts` names, and a last one an hour later. */
export async function playHistory(history: ToldHistory, { arrivals, attempts, settings = usualSettings, silent, isRead, onSend }: Delivering): Promise<Ended> {
  const storefront = storefrontOf(storefronts, history.platform);
  const { gateways, transactionComesLater, refundsVanish = false } = storefront;
  const terms = sampleTerms({ recordFrom: '2026-01-01T00:00:00.000Z', gateways, transactionComesLater, refundsVanish, settings });
  let order: Claim = sampleClaim({
    facts: noFacts,
    revision: 0,
    state: 'queued',
    key: { shopId: 's', platform: history.platform, store: 'shop', orderId: '1' },
  });
  let now = Math.max(...history.told.map(({ at }) => at));
  for (const [nth, arrival] of arrivals.entries()) {
    now += 1_000;
    const told = history.told[arrival];
    if (told !== undefined) order = withNews(order, told, { history, now });
    if (attempts.has(nth)) order = await attempt(order, { history, terms, now, isSilent: silent !== undefined, onSend });
  }
  order = await attempt(order, { history, terms, now: now + HOUR, isSilent: silent === 'always', onSend });
  if (isRead) {
    order = await read(order, { history, now: now + 2 * HOUR });
    order = await attempt(order, { history, terms, now: now + 2 * HOUR, isSilent: false, onSend });
  }
  return { stands: moneyOf(order), asked: order.review === null ? null : `${order.review.code}: ${order.review.detail}` };
}

type World = { history: ToldHistory; now: number };

function withNews(order: Claim, { topic, body }: Told, { history, now }: World): Claim {
  const normalized = storefrontOf(storefronts, history.platform).normalize({ topic, deliveryId: null, store: null }, structuredClone(body));
  const arrivedAt = new Date(now).toISOString();
  if (normalized.kind === 'refund-deleted') {
    const knows = order.facts.snapshot?.refunds?.some(({ id }) => id === normalized.refundId) ?? false;
    return knows ? raised(order, merge(order.facts, factsOf({ orderId: '1', withdrawn: [normalized.refundId] }, arrivedAt))) : order;
  }
  if (normalized.kind !== 'order') return order;
  return raised(order, merge(order.facts, factsOf(normalized.news, arrivedAt)));
}

function raised(order: Claim, facts: Claim['facts']): Claim {
  const isNew = fingerprint(order.facts) !== fingerprint(facts) || order.revision === 0;
  return { ...order, facts, ...(isNew ? { revision: order.revision + 1, state: 'queued' as const, review: null, attempts: 0 } : {}) };
}

type Processing = World & { terms: Terms; isSilent: boolean; onSend: Delivering['onSend'] };

async function attempt(start: Claim, processing: Processing): Promise<Claim> {
  const { history, terms, now, onSend = () => undefined } = processing;
  let order = start;
  let mayFetch = history.api !== null;
  for (let actions = 0; actions < MOST_ACTIONS; actions += 1) {
    const action = nextAction({ claim: order, terms, mayFetch, mayResend: true, now });
    if (action.do === 'skip') return order;
    if (action.do === 'fetch') {
      mayFetch = false;
      const known = await asked(order, action.missing, processing);
      if (known === null) return order;
      order = known;
      continue;
    }
    if (action.do !== 'send') return written(order, transitionOf(action, order, { terms, now }));
    const { step, wanted } = action;
    onSend(step.kind);
    const reply = {
      kind: 'answered',
      status: step.kind === 'create' ? 201 : 200,
      id: `r${step.seq}`,
      standingId: null,
      detail: '',
      retryAfterMs: null,
    } as const;
    const transition = conclude({ claim: order, terms, wanted, mayResend: true, workedAt: now, now, random: 0 }, step, answerOf(step, reply));
    order = written(order, transition);
    if (transition.end !== null) return order;
  }
  throw new Error('the order does not come to rest');
}

async function read(order: Claim, { history, now }: World): Promise<Claim> {
  const { api } = storefrontOf(storefronts, history.platform);
  if (api?.changedSince === undefined || api.ordersById === undefined || history.api === null) throw new Error('such a store can’t be read');
  const means = { fetchJson: history.api, now };
  const known = knownSummaryOf(order.facts);
  let [after, isStale]: [string | null, boolean] = [null, false];
  do {
    const page: ChangedPage = await api.changedSince(ACCESS, { since: new Date(0).toISOString(), after, size: 100 }, means);
    isStale ||= page.summaries.some((summary) => compareSummary(summary, [known]) !== 'known');
    after = page.next;
  } while (after !== null);
  if (!isStale) return order;
  const { news } = await api.ordersById(ACCESS, [{ orderId: '1', placedAt: null }], means);
  const arrivedAt = new Date(now).toISOString();
  const back = (one: OrderNews) => (known.isDeleted && one.snapshot?.lifecycle !== 'trashed' ? { ...one, restored: true as const } : one);
  return news.reduce((so, one) => raised(so, merge(so.facts, factsOf(back(one), arrivedAt))), order);
}

type Transition = ReturnType<typeof transitionOf>;

function written(order: Claim, { claim, write }: Transition): Claim {
  return {
    ...claim,
    state: write.state,
    review: write.review === undefined ? order.review : write.review,
    mapping: order.mapping ?? write.mapping ?? null,
    recordedRevision: Math.max(order.recordedRevision, write.recordedRevision ?? 0),
    reviewRevision: Math.max(order.reviewRevision, write.reviewRevision ?? 0),
    openStep: write.openStep === undefined ? claim.openStep : write.openStep,
    previous: write.previous === undefined ? claim.previous : write.previous,
  };
}

type Missing = Extract<ReturnType<typeof nextAction>, { do: 'fetch' }>['missing'];

/** Null: it waits for its store. */
async function asked(order: Claim, missing: Missing, { terms, isSilent, ...world }: Processing): Promise<Claim | null> {
  if (isSilent) return goesOnWithout(order, terms, missing) ? order : null;
  return fetched(order, missing, world);
}

async function fetched(order: Claim, missing: Missing, { history, now }: World): Promise<Claim> {
  const { api } = storefrontOf(storefronts, history.platform);
  if (api === undefined || history.api === null) return order;
  const news = await api.complete(ACCESS, { orderId: '1', ...missing }, { fetchJson: history.api, now });
  return { ...order, facts: merge(order.facts, factsOf(news, new Date(now).toISOString())) };
}

function moneyOf({ current }: Claim): MoneyByRate {
  const lines = current?.record.lineItems ?? [];
  return lines.reduce(
    (all, { vatRate, price, quantity, discount }) => plus(all, vatRate, cents(price) * BigInt(quantity) - cents(discount)),
    new Map() as MoneyByRate,
  );
}

function cents(money: string): bigint {
  return BigInt(money.replace('.', ''));
}
