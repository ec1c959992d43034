import type { OrderNews, Snapshot } from '../../order/facts.ts';
import { addUp, isZero, subtract } from '../amounts.ts';
import type { Missing, StoreAccess, StoreMeans } from '../contract.ts';
import { readAt } from '../read-at.ts';
import { orderRefunds } from './order-refunds.ts';
import { type WooOrder, wooOrder } from './payload.ts';
import { readAnswer } from './read-answer.ts';
import { type Rest, restOf } from './rest.ts';
import { changedAt, newsOf, type WooNews } from './snapshot.ts';

const ALL_DECIMALS = 'dp=6';

/**
 * Fetches from the store the lines of refunds, whether a trashed order is back or gone, and the order as it is now, with all decimals of its
 * amounts. Refunds that it no longer lists are left out. Throws `Failure('storefront.unreachable')`, or `storefront.refused` if it refuses the
 * key, with words that say what to do.
 */
export async function complete(access: StoreAccess, missing: Missing, means: StoreMeans): Promise<OrderNews> {
  const rest = restOf(access, means);
  const news = await fetchOrder(rest, missing, means.now);
  // What was read of the order is the newest state of it: no later webhook would have the lines of its refunds fetched.
  const listed = (news.snapshot?.refunds ?? []).map(({ id }) => id);
  const refundIds = [...new Set([...missing.refundIds, ...listed])];
  if (refundIds.length === 0) return news;
  const refunds = await orderRefunds(rest, { orderId: missing.orderId, refundIds });
  return { ...news, refunds };
}

function isWhole({ order, exact }: Missing): boolean {
  return order === true || exact === true;
}

async function fetchOrder(rest: Rest, missing: Missing, now: number): Promise<OrderNews> {
  const { orderId, deleted, order: inDoubt, exact } = missing;
  if (!isWhole(missing) && !deleted) return { orderId };
  const answer = await rest.find(exact ? `orders/${orderId}?${ALL_DECIMALS}` : `orders/${orderId}`);
  // Gone for good; that is no news of a deletion that a webhook has reported, unless the order was said to have changed since.
  if (!answer.found) return deleted && inDoubt !== true ? { orderId } : { orderId, deleted: true };
  const order = readAnswer(wooOrder, answer.body);
  const news = exact ? await exactNews(rest, order, now) : newsOf(order, readAt(changedAt(order), now));
  const isBack = deleted && news.snapshot.lifecycle !== 'trashed';
  return isBack ? { ...news, restored: true } : news;
}

// A shop without decimals may add up only as it shows its amounts: then nothing more exact can be known.
async function exactNews(rest: Rest, order: WooOrder, now: number): Promise<WooNews> {
  const news = newsOf(order, { allDecimals: true, exact: true, ...readAt(changedAt(order), now) });
  if (addsUp(news.snapshot)) return news;
  const answer = await rest.find(`orders/${order.id}`);
  if (!answer.found) return news;
  const asShown = readAnswer(wooOrder, answer.body);
  return newsOf(asShown, { exact: true, ...readAt(changedAt(asShown), now) });
}

function addsUp({ lines, total, mayBeOff, problems }: Snapshot): boolean {
  const sum = addUp(lines.map(({ gross, discount }) => subtract(gross, discount)));
  return problems.length === 0 && (mayBeOff !== undefined || isZero(subtract(sum, total)));
}
