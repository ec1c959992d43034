import { z } from 'zod';
import type { StoreAccess, StoreMeans } from '../contract.ts';
import type { ChangedPage, ChangedQuery, OrderHead } from '../store-reader.ts';
import { type ChangedCursor, readCursor, secondBefore, startOf, writeCursor } from './changed-cursor.ts';
import { headOf, unreadableHead } from './head-of.ts';
import { type WooPlaced, wooHead, wooPlaced } from './payload.ts';
import { readAnswer } from './read-answer.ts';
import { type Rest, restOf } from './rest.ts';
import { changedAt } from './snapshot.ts';

const FIELDS = Object.keys(wooHead.shape).join(',');
/** A second whose orders never come in the same order twice is passed after so many tries. */
const MOST_RESTARTS = 3;

const placed = z.array(wooPlaced);
const items = z.array(z.unknown());

/** `pages`: how many there are from here on; undefined: the store does not say it. */
type Listed = { placed: WooPlaced[]; heads: OrderHead[]; pages: number | undefined };

/**
 * Orders by time of change, then those in the trash, which are a list of their own. Pages drift while orders are saved, so that the next one begins
 * at the second in which the last one ended, not at a page number; only a second with more orders than a page is read by page.
 */
export async function changedSince(access: StoreAccess, { since, after, size }: ChangedQuery, means: StoreMeans): Promise<ChangedPage> {
  const rest = restOf(access, means);
  const at = (after === null ? null : readCursor(after)) ?? startOf('orders', since);
  const listed = await list(rest, { ...at, size });
  const next = (await hasDrifted(rest, at, size)) ? again(at) : nextOf(at, listed, { since, size });
  return { heads: listed.heads, next: next === null ? null : writeCursor(next) };
}

type Wanted = ChangedCursor & { size: number };

async function list(rest: Rest, wanted: Wanted): Promise<Listed> {
  const { body, pages } = await rest.list(pathOf(rest, wanted, FIELDS));
  const read = readAnswer(placed, body);
  const heads = readAnswer(items, body).map((item, index) => {
    const head = wooHead.safeParse(item);
    return head.success ? [headOf(head.data)] : read.slice(index, index + 1).map(unreadableHead);
  });
  return { placed: read, heads: heads.flat(), pages };
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

function again(at: ChangedCursor): ChangedCursor {
  return { ...at, page: 1, last: '', restarts: at.restarts + 1 };
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
