import { z } from 'zod';
import { absolute, addUp, asMoney, subtract } from '../amounts.ts';
import type { StoreAccess, StoreMeans } from '../contract.ts';
import type { ChangedPage, ChangedQuery, OrderSummary } from '../store-reader.ts';
import { changedAt, lifecycleOf, paymentOf, utc } from './normalize.ts';
import { type WooPlaced, type WooSummary, wooPlaced, wooSummary } from './payload.ts';
import { type Rest, readAnswer, restOf } from './rest.ts';

const FIELDS = Object.keys(wooSummary.shape).join(',');
/** A second whose orders never come in the same order twice is passed after so many tries. */
const MOST_RESTARTS = 3;

const placed = z.array(wooPlaced);
const items = z.array(z.unknown());

/** `pages`: how many there are from here on; undefined: the store does not say it. */
type Listed = { placed: WooPlaced[]; summaries: OrderSummary[]; pages: number | undefined };

/**
 * Orders by time of change, then those in the trash, which are a list of their own. Pages drift while orders are saved, so that the next one begins
 * at the second in which the last one ended, not at a page number; only a second with more orders than a page is read by page.
 */
export async function changedSince(access: StoreAccess, { since, after, size }: ChangedQuery, means: StoreMeans): Promise<ChangedPage> {
  const rest = restOf(access, means);
  const at = (after === null ? null : readCursor(after)) ?? startOf('orders', since);
  const listed = await list(rest, { ...at, size });
  const next = (await hasDrifted(rest, at, size)) ? { ...at, page: 1, last: '', restarts: at.restarts + 1 } : nextOf(at, listed, { since, size });
  return { summaries: listed.summaries, next: next === null ? null : writeCursor(next) };
}

type Wanted = ChangedCursor & { size: number };

async function list(rest: Rest, wanted: Wanted): Promise<Listed> {
  const { body, pages } = await rest.list(pathOf(rest, wanted, FIELDS));
  const read = readAnswer(placed, body);
  const summaries = readAnswer(items, body).map((item, index) => {
    const summary = wooSummary.safeParse(item);
    return summary.success ? [summaryOf(summary.data)] : read.slice(index, index + 1).map(unreadableSummary);
  });
  return { placed: read, summaries: summaries.flat(), pages };
}

function pathOf({ uncached }: Rest, { phase, after, page, size }: Wanted, fields: string): string {
  const status = phase === 'trash' ? 'trash' : 'any';
  const order = 'dates_are_gmt=true&orderby=modified&order=asc';
  return `orders?status=${status}&modified_after=${after}&${order}&per_page=${size}&page=${page}&_fields=${fields}&${uncached}`;
}

/** An order of this second that was saved meanwhile has left it, and all behind it have moved up, one of them to the page before. */
async function hasDrifted(rest: Rest, at: ChangedCursor, size: number): Promise<boolean> {
  if (at.page === 1 || at.restarts >= MOST_RESTARTS) return false;
  const before = readAnswer(placed, await rest.get(pathOf(rest, { ...at, page: at.page - 1, size }, 'id,date_created_gmt,date_modified_gmt')));
  return (before.at(-1)?.id ?? '') !== at.last;
}

function nextOf(at: ChangedCursor, listed: Listed, { since, size }: { since: string; size: number }): ChangedCursor | null {
  const last = listed.placed.at(-1);
  // More orders may have changed in the second of the last one.
  const after = last === undefined ? at.after : secondBefore(changedAt(last));
  if (isLast(at, listed, { isNewer: after > at.after, size })) return at.phase === 'orders' ? startOf('trash', since) : null;
  return after > at.after ? { ...at, after, page: 1, last: '', restarts: 0 } : { ...at, page: at.page + 1, last: last?.id ?? '' };
}

/** A plugin may take orders out of a page, or allow smaller ones only: that one has few orders does not make it the last. */
function isLast({ page }: ChangedCursor, { placed: read, pages }: Listed, { isNewer, size }: { isNewer: boolean; size: number }): boolean {
  if (pages !== undefined) return page >= pages;
  // A store that does not say it is asked until nothing newer comes, which costs one in which nothing changed no request.
  return read.length < size && !isNewer;
}

/**
 * Where a page of changes begins. `phase`: the list, in this order. `after`: as `modified_after`, whole seconds in UTC, exclusive. `page`: above 1
 * only where one second has more orders than a page; then `last` is the order with which the page before ended. `restarts`: of that second.
 */
type ChangedCursor = { phase: 'orders' | 'trash'; after: string; page: number; last: string; restarts: number };

const SECOND_MS = 1_000;

/** The first page of a list with what changed at `since` (ISO instant) or later. */
function startOf(phase: ChangedCursor['phase'], since: string): ChangedCursor {
  return { phase, after: secondBefore(since), page: 1, last: '', restarts: 0 };
}

/** The second before that of an instant, as `modified_after` names it. */
function secondBefore(instant: string): string {
  return new Date(Date.parse(instant) - SECOND_MS).toISOString().slice(0, 19);
}

function writeCursor({ phase, after, page, last, restarts }: ChangedCursor): string {
  return [phase, after, page, last, restarts].join('/');
}

/** null: it is of no cursor, and the sync run begins anew. */
function readCursor(text: string): ChangedCursor | null {
  const [, phase, after = '', page, last = '', restarts] = /^(orders|trash)\/([\d:T-]{19})\/(\d{1,6})\/(\d*)\/(\d{1,3})$/.exec(text) ?? [];
  if (phase === undefined || Number.isNaN(Date.parse(`${after}Z`))) return null;
  return { phase: phase === 'trash' ? 'trash' : 'orders', after, page: Number(page), last, restarts: Number(restarts) };
}

/** An order as a list shows it: each field as its snapshot would have it. */
export function summaryOf(order: WooSummary): OrderSummary {
  const { id, number, status, currency, date_created_gmt, date_paid_gmt, total, refunds } = order;
  const payment = paymentOf(order);
  const money = (amount: string) => asMoney(amount, currency) ?? amount;
  return {
    ...{ orderId: id, number: number || id, updatedAt: changedAt(order), status, lifecycle: lifecycleOf(order), payment, test: false, currency },
    total: money(total),
    soldAt: utc(date_paid_gmt ?? date_created_gmt),
    createdAt: utc(date_created_gmt),
    kept: payment === 'paid' && refunds ? money(subtract(total, addUp(refunds.map((refund) => absolute(refund.total))))) : null,
    refundIds: refunds?.map((refund) => refund.id) ?? null,
  };
}

/** An order of which a list says what can't be read: reading it whole shows what is wrong with it. */
function unreadableSummary({ id, date_created_gmt: placedAt, date_modified_gmt }: WooPlaced): OrderSummary {
  const updatedAt = changedAt({ date_modified_gmt, date_created_gmt: placedAt });
  return {
    ...{ orderId: id, number: id, updatedAt, status: '', lifecycle: 'live', payment: 'unpaid', test: false, currency: '' },
    ...{ total: '0', soldAt: placedAt ? utc(placedAt) : updatedAt, kept: null, refundIds: null },
  };
}
