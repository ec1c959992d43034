import { isDeepStrictEqual } from 'node:util';
import { limits } from '../../contract/limits.ts';
import type { OutstandingDto, OutstandingMonth } from '../../contract/outstanding-dto.ts';
import type { Reply } from '../order/outcome.ts';
import { type ListingMonth, OutstandingMonths } from './outstanding-months.ts';
import type { PaidOrder } from './unrecorded-order.ts';

/** A shop, and what its compliance service was told last. `at` null: nothing. `error`: why it took nothing the last time. */
export type ToldShop = { shopId: string; destinationId: string; at: string | null; months: OutstandingMonth[] | null; error: string | null };

/** What is kept after a look; `reported` null: the service has what it had. */
export type Looked = { reported: OutstandingDto | null; error: string | null; nextMs: number };

export type ReportDeps = {
  ledger: {
    /** The paid orders of a shop that should be recorded and are not, in pages. */
    paidOrders(shopId: string): AsyncIterable<PaidOrder[]>;
    looked(shop: ToldShop, looked: Looked): Promise<void>;
  };
  /** Never throws for errors of the service or the network. */
  put(shop: ToldShop, list: OutstandingDto): Promise<Reply>;
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
export async function reportOutstanding(deps: ReportDeps, shop: ToldShop): Promise<Reported> {
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

function isKnown({ at, months, error }: ToldShop, list: OutstandingDto): boolean {
  if (months === null || at === null) return list.months.length === 0 && error === null;
  return error === null && isDeepStrictEqual(months, list.months) && Date.parse(list.at) - Date.parse(at) < REPEAT_MS;
}

function judged(reply: Reply, { list, nextMs }: { list: OutstandingDto; nextMs: number }): { reported: Reported; looked: Looked } {
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
