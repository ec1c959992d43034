/**
 * Where a page of changes begins. `phase`: the list, in this order. `after`: as `modified_after`, whole seconds in UTC, exclusive. `page`: above 1
 * only where one second has more orders than a page; then `last` is the order with which the page before ended. `restarts`: of that second.
 */
export type ChangedCursor = { phase: 'orders' | 'trash'; after: string; page: number; last: string; restarts: number };

const SECOND_MS = 1_000;

/** The first page of a list with what changed at `since` (ISO instant) or later. */
export function startOf(phase: ChangedCursor['phase'], since: string): ChangedCursor {
  return { phase, after: secondBefore(since), page: 1, last: '', restarts: 0 };
}

/** The second before that of an instant, as `modified_after` names it. */
export function secondBefore(instant: string): string {
  return new Date(Date.parse(instant) - SECOND_MS).toISOString().slice(0, 19);
}

export function writeCursor({ phase, after, page, last, restarts }: ChangedCursor): string {
  return [phase, after, page, last, restarts].join('/');
}

/** null: it is of no cursor, and the sync run begins anew. */
export function readCursor(text: string): ChangedCursor | null {
  const [, phase, after = '', page, last = '', restarts] = /^(orders|trash)\/([\d:T-]{19})\/(\d{1,6})\/(\d*)\/(\d{1,3})$/.exec(text) ?? [];
  if (phase === undefined || Number.isNaN(Date.parse(`${after}Z`))) return null;
  return { phase: phase === 'trash' ? 'trash' : 'orders', after, page: Number(page), last, restarts: Number(restarts) };
}
