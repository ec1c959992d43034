import { setTimeout as sleep } from 'node:timers/promises';
import type { DueNotice, Notify } from '../bridge/delivery/notify.ts';
import { decidedState, type OrderInReview, releaseFromReview } from '../bridge/ledger/review/release-from-review.ts';
import type { OrderState } from '../bridge/order/decisions/order-state.ts';
import type { Actor } from '../platform/audit-log/audit-log.ts';
import type { Pool } from '../platform/postgres/postgres.ts';

/** Up to so many are released together. */
const AT_ONCE = 20;
/** How many are tried, one after the other, before the rest stay in review. */
const TRIES = 3;
const PAGE = 1_000;
const LOOK_MS = 100;

/** How long the outcome of one order is waited for. `onTry`: which goes first. */
export type FirstTry = { waitMs: number; signal?: AbortSignal | undefined; onTry?: ((order: OrderInReview) => void) | undefined };

/** An order that went first. `state` null: it was not decided in time. */
export type TriedOrder = { order: OrderInReview; state: OrderState | null; code: string | null; detail: string | null };

/** Orders of one connection that stay in review, since those that went first were not recorded. */
export type NotReleased = { connectionId: string; codes: readonly string[]; orders: number; tried: readonly TriedOrder[] };

export type ReleasedFirst = { released: readonly OrderInReview[]; notReleased: readonly NotReleased[] };

/** Orders that are similar, and probably end the same, the oldest first. */
export type SimilarOrders = { connectionId: string; orders: readonly OrderInReview[] };

type Deps = { pool: Pool; notify: Notify };

export type OneFirst = {
  groups: readonly SimilarOrders[];
  by: Actor;
  why?: string | undefined;
  /** Null: all at once. */
  firstTry: FirstTry | null;
  /** Once the service refuses one, no other is tried. Absent: up to three are. `isOutdated`: what it refused was made with earlier settings. */
  endsAtRefusal?: { isOutdated(order: OrderInReview): Promise<boolean> };
};

/**
 * Releases orders in review. Of more than 20, one of each group goes first, and the rest follow once it is recorded. If the command is killed meanwhile,
 * the rest need review as they were.
 */
export async function releaseOneFirst(deps: Deps, { groups, ...how }: OneFirst): Promise<ReleasedFirst> {
  const total = groups.reduce((sum, { orders }) => sum + orders.length, 0);
  const firstTry = total > AT_ONCE ? how.firstTry : null;
  const each = await Promise.all(groups.map((group) => releaseGroup(deps, group, { ...how, firstTry })));
  return { released: each.flatMap(({ released }) => released), notReleased: each.flatMap(({ notReleased }) => notReleased) };
}

type How = Omit<OneFirst, 'groups'>;

async function releaseGroup(deps: Deps, { connectionId, orders }: SimilarOrders, { firstTry, ...how }: How): Promise<ReleasedFirst> {
  if (firstTry === null || orders.length === 1) return { released: await releaseAll(deps, orders, how), notReleased: [] };
  const tried: TriedOrder[] = [];
  while (tried.length < TRIES && !isClear(tried, how.endsAtRefusal !== undefined)) {
    const order = orders[tried.length];
    if (order === undefined) break;
    firstTry.onTry?.(order);
    tried.push(await tryOne(deps, order, { ...how, firstTry }));
  }
  const [first, rest] = [orders.slice(0, tried.length), orders.slice(tried.length)];
  if (mayFollow(tried)) return { released: [...first, ...(await releaseAll(deps, rest, how))], notReleased: [] };
  const codes = [...new Set(rest.map(({ code }) => code))];
  return { released: first, notReleased: rest.length === 0 ? [] : [{ connectionId, codes, orders: rest.length, tried }] };
}

/** Releases one order, and waits for what becomes of it. */
export async function tryOne(deps: Deps, order: OrderInReview, how: How & { firstTry: FirstTry }): Promise<TriedOrder> {
  await releaseAll(deps, [order], how);
  const tried = await outcomeOf(deps.pool, order, how.firstTry);
  // A worker may hear of new settings a moment after the order.
  if (!isRefused(tried) || (await how.endsAtRefusal?.isOutdated(order)) !== true) return tried;
  await releaseAll(deps, [{ ...order, code: 'compliance.refused' }], how);
  return outcomeOf(deps.pool, order, how.firstTry);
}

/** What those that were tried say of the rest needs no other one. */
function isClear(tried: readonly TriedOrder[], endsAtRefusal: boolean): boolean {
  const last = tried.at(-1);
  if (last === undefined) return false;
  return isMade(last) || last.state === null || last.state === 'unconfirmed' || (endsAtRefusal && isRefused(last));
}

/** One was recorded, or none was an issue: the settings may leave them all out. */
function mayFollow(tried: readonly TriedOrder[]): boolean {
  return tried.some(isMade) || tried.every(({ state }) => state === 'ignored' || state === 'waiting');
}

function isRefused({ code }: TriedOrder): boolean {
  return code === 'compliance.refused';
}

function isMade({ state }: TriedOrder): boolean {
  return state === 'recorded' || state === 'removed';
}

/** Releases them in pages, each by itself. */
async function releaseAll({ pool, notify }: Deps, orders: readonly OrderInReview[], how: Pick<How, 'by' | 'why'>): Promise<OrderInReview[]> {
  const notified: DueNotice[] = [];
  for (let from = 0; from < orders.length; from += PAGE) {
    const page = await releaseFromReview(pool, orders.slice(from, from + PAGE), how);
    notified.push(...page);
    notify(page);
  }
  const ids = new Set(notified.map(({ id }) => id));
  return orders.filter(({ id }) => ids.has(id));
}

async function outcomeOf(pool: Pool, order: OrderInReview, { waitMs, signal }: FirstTry): Promise<TriedOrder> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const decided = await decidedState(pool, order.id);
    if (decided !== null) return { order, state: decided.state, code: decided.review?.code ?? null, detail: decided.review?.detail ?? null };
    if (performance.now() >= deadline || signal?.aborted === true) return { order, state: null, code: null, detail: null };
    await sleep(LOOK_MS);
  }
}
