import { isDeepStrictEqual } from 'node:util';
import { limits } from '../../contract/limits.ts';
import { convertFixed, decimalsOf, exactMoney, formatMoney, isTied, larger } from '../../contract/money.ts';
import type { OutstandingDto, OutstandingMonth } from '../../contract/outstanding-dto.ts';
import type { TaxRecord } from '../../contract/record.ts';
import { totalsOf } from '../../contract/totals.ts';
import type { Reply } from '../order/decisions/answer.ts';
import { desired, fiscalSettings } from '../order/decisions/desired.ts';
import { minorOrZero } from '../order/facts/effective-refunds.ts';
import type { Facts } from '../order/facts/facts.ts';
import type { FiscalSettings, Frozen, Terms } from '../order/facts/settings.ts';
import { type OrderView, viewOf } from '../order/facts/view.ts';

/** A shop, and what its compliance service was told last. `at` null: nothing. `error`: why it took nothing the last time. */
export type ReportedShop = { shopId: string; destinationId: string; at: string | null; months: OutstandingMonth[] | null; error: string | null };

/** What is kept after a look; `reported` null: the service has what it had. */
export type OutstandingReported = { reported: OutstandingDto | null; error: string | null; nextMs: number };

export type ReportDeps = {
  ledger: {
    /** The paid orders of a shop that should be recorded and are not, in pages. */
    paidOrders(shopId: string): AsyncIterable<PaidOrder[]>;
    looked(shop: ReportedShop, looked: OutstandingReported): Promise<void>;
  };
  /** Never throws for errors of the service or the network. */
  put(shop: ReportedShop, list: OutstandingDto): Promise<Reply>;
  monthOf: ListingMonth;
  /** How often a shop is looked at, ms. */
  everyMs: number;
  /** ms since 1970 */
  now(): number;
};

/** told: the service has the list. same: it has it already. no-place: it has no place for it. failed: retried later. */
export type Reported = { kind: 'reported'; orders: number } | { kind: 'same' | 'no-place' } | { kind: 'failed'; why: string };

const DAY_MS = 24 * 3_600_000;
/** What is told daily is never older than a day. */
const REPEAT_MS = 23 * 3_600_000;
const LONGEST_RETRY_MS = 3_600_000;

/** A service that is not ours has no such address, or the address takes no such method. */
const NO_PLACE: readonly number[] = [404, 405, 410, 501];

/** Counts the paid orders of a shop that are not recorded, and tells its compliance service if that changed, or a day is over. */
export async function reportOutstanding(deps: ReportDeps, shop: ReportedShop): Promise<Reported> {
  const began = deps.now();
  // What changes while it is counted is in the next list, which must be newer.
  const list: OutstandingDto = { at: new Date(began).toISOString(), months: await countedMonths(deps, shop.shopId) };
  const nextMs = Math.max(deps.everyMs, (deps.now() - began) * 20);
  if (isKnown(shop, list)) {
    await deps.ledger.looked(shop, { reported: null, error: null, nextMs });
    return { kind: 'same' };
  }
  const reply = await deps.put(shop, list);
  const { reported, looked } = judged(reply, { list, nextMs });
  await deps.ledger.looked(shop, looked);
  return reported;
}

async function countedMonths({ ledger, monthOf }: ReportDeps, shopId: string): Promise<OutstandingMonth[]> {
  const sums = new OutstandingMonths(monthOf);
  for await (const page of ledger.paidOrders(shopId)) for (const order of page) sums.add(order);
  return sums.list(limits.outstandingMonths);
}

function isKnown({ at, months, error }: ReportedShop, list: OutstandingDto): boolean {
  if (months === null || at === null) return list.months.length === 0 && error === null;
  return error === null && isDeepStrictEqual(months, list.months) && Date.parse(list.at) - Date.parse(at) < REPEAT_MS;
}

function judged(reply: Reply, { list, nextMs }: { list: OutstandingDto; nextMs: number }): { reported: Reported; looked: OutstandingReported } {
  if (reply.kind === 'answered' && reply.status >= 200 && reply.status < 300) {
    const orders = list.months.reduce((sum, month) => sum + month.orders, 0);
    return { reported: { kind: 'reported', orders }, looked: { reported: list, error: null, nextMs } };
  }
  if (reply.kind === 'answered' && NO_PLACE.includes(reply.status)) {
    return { reported: { kind: 'no-place' }, looked: { reported: null, error: `no place for it: ${reply.status}`, nextMs: DAY_MS } };
  }
  const why = reply.kind === 'answered' ? reply.detail : reply.error;
  // Of many shops of a service that hangs, others would wait.
  const wait = Math.max(nextMs * 5, reply.kind === 'answered' ? (reply.retryAfterMs ?? 0) : 0);
  return { reported: { kind: 'failed', why }, looked: { reported: null, error: why, nextMs: Math.min(wait, LONGEST_RETRY_MS) } };
}

/** The month whose file would list an order of this time of creation, if it were recorded now. */
type ListingMonth = (createdAt: string) => string;

/** Adds up paid orders by month and currency. */
export class OutstandingMonths {
  readonly #monthOf: ListingMonth;
  readonly #sums = new Map<string, { month: string; currency: string; orders: number; total: bigint; oldest: string; codes: Map<string, number> }>();

  constructor(monthOf: ListingMonth) {
    this.#monthOf = monthOf;
  }

  add({ createdAt, soldAt, currency, total, code }: PaidOrder): void {
    const month = this.#monthOf(createdAt);
    const key = `${month} ${currency}`;
    const sum = this.#sums.get(key) ?? { month, currency, orders: 0, total: 0n, oldest: soldAt, codes: new Map() };
    sum.orders += 1;
    sum.total += total;
    if (soldAt < sum.oldest) sum.oldest = soldAt;
    sum.codes.set(code, (sum.codes.get(code) ?? 0) + 1);
    this.#sums.set(key, sum);
  }

  /** The newest months first, codes by name: the same orders give the same list. */
  list(most: number): OutstandingMonth[] {
    return [...this.#sums.values()]
      .toSorted((a, b) => b.month.localeCompare(a.month) || a.currency.localeCompare(b.currency))
      .slice(0, most)
      .map(({ total, currency, codes, ...sum }) => ({
        ...sum,
        currency,
        total: formatMoney(total, decimalsOf(currency)),
        codes: Object.fromEntries([...codes].toSorted(([a], [b]) => a.localeCompare(b))),
      }));
  }
}

/** An order without a record. `code`: why it has none. `isOurs`: recorded whenever it was paid, since a person took it in. */
export type Unrecorded = { orderId: string; facts: Facts; mapping: Frozen | null; code: string; isOurs: boolean };

/** Money in minor units; `createdAt` as the storefront wrote it, `soldAt` an ISO instant. */
export type PaidOrder = { createdAt: string; soldAt: string; currency: string; total: bigint; code: string };

const ALWAYS = '1970-01-01T00:00:00.000Z';

/** The order, if it is paid and should be recorded, or a person must say whether it should; else null. */
export function paidOrder({ orderId, facts, mapping, code, isOurs }: Unrecorded, terms: Terms): PaidOrder | null {
  const settings = fiscalSettings(isOurs ? { ...terms, recordFrom: ALWAYS, gaps: [] } : terms, mapping);
  const wanted = desired({ orderId, facts, settings });
  const view = viewOf(facts);
  if (view === null || wanted.kind === 'nothing') return null;
  const money = wanted.kind === 'record' ? moneyOfRecord(wanted.record) : moneyOfView(view, settings);
  return { createdAt: view.createdAt, soldAt: view.paidAt, code, ...money };
}

type Money = Pick<PaidOrder, 'currency' | 'total'>;

function moneyOfRecord({ currency, precision, lineItems }: TaxRecord): Money {
  return { currency, total: exactMoney(totalsOf({ lines: lineItems, precision }).total, precision) };
}

// Where its record can't be decided: what the platform says was paid and kept.
function moneyOfView({ currency, total, kept, refunds }: OrderView, { convertTo }: Pick<FiscalSettings, 'convertTo'>): Money {
  const back = refunds.reduce((sum, { amount }) => sum + minorOrZero(amount, currency), 0n);
  const left = larger(kept === undefined ? minorOrZero(total, currency) - back : minorOrZero(kept, currency), 0n);
  return convertTo !== null && isTied(currency) ? { currency: convertTo, total: convertFixed(left, currency, convertTo) } : { currency, total: left };
}
