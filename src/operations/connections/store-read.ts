import type { Connection } from '../../bridge/connections/connection.ts';
import type { StoreReadState } from '../../bridge/ledger/sync-store.ts';
import { form } from '../../contract/plural.ts';

/** How a store is read by its API. Instants in ISO 8601; null: never. */
export type StoreRead = {
  /** What changed in the store until then is known here. */
  watermark: string | null;
  /** When all changes had been read the last time. */
  readAt: string | null;
  /** When anything was read to its end the last time, such as a window that somebody wanted. */
  lastReadAt: string | null;
  lastSyncRun: StoreReadState['last'];
  /** Paid orders of which no webhook told, and that were found by reading; when the last of them was. */
  missed: { count: number; last: string | null };
};

type Clock = { now: number; periodMs: number };

/** How long it is worth a warning that webhooks were missed. */
const RECENT_MS = 3 * 86_400_000;

/** The reading of a connection's store, and what is wrong with it, as sentences. */
export function storeRead(
  { closedAt, createdAt }: Pick<Connection, 'closedAt' | 'createdAt'>,
  state: StoreReadState | undefined,
  { now, periodMs }: Clock,
): { read: StoreRead | null; warnings: string[] } {
  if (state === undefined) return { read: null, warnings: [] };
  const { watermark, readAt, last, missed, missedAt } = state;
  const endedAt = last?.error === null ? last.at : null;
  const lastReadAt = (endedAt ?? '') > (readAt ?? '') ? endedAt : readAt;
  const read = { watermark, readAt, lastReadAt, lastSyncRun: last, missed: { count: missed, last: missedAt } };
  if (closedAt !== null) return { read, warnings: [] };
  const unread = unreadStore({ closedAt, createdAt }, state, { now, periodMs });
  const isMissed = missedAt !== null && now - Date.parse(missedAt) < RECENT_MS;
  return { read, warnings: [...(unread === null ? [] : [unread.words]), ...(isMissed ? [missedWords(missed, missedAt)] : [])] };
}

/** Since when (ISO instant) the store of a live connection was not read, for two periods, or as what is being read of it does not go on; null: it was, or can't be. */
export function unreadStore(
  { closedAt, createdAt }: Pick<Connection, 'closedAt' | 'createdAt'>,
  state: StoreReadState | undefined,
  { now, periodMs }: Clock,
): { since: string; words: string } | null {
  if (state === undefined || closedAt !== null) return null;
  const { readAt, addedAt, warning } = state;
  const since = readAt ?? (addedAt > createdAt ? addedAt : createdAt);
  if (now - Date.parse(since) > 2 * periodMs) return { since, words: unreadWords(state, { since, now }) };
  return warning === null ? null : { since, words: `its orders are read slowly by its API: ${warning}` };
}

type Unread = { since: string; now: number };

function unreadWords(state: StoreReadState, { since, now }: Unread): string {
  const { readAt } = state;
  const what = readAt === null ? `its orders were never read by its API since ${since}` : `its orders were last read by its API at ${since}`;
  return `${what} (${whyUnread(state, now)}); an order whose webhook is lost stays unknown until they are`;
}

function whyUnread({ warning, last, nextAt, isLeased }: StoreReadState, now: number): string {
  const why = warning ?? last?.error;
  if (why != null) return why;
  if (isLeased) return 'a worker reads it now';
  return Date.parse(nextAt) > now ? `the next reading is at ${nextAt}` : `it is due since ${nextAt}: is a worker running?`;
}

function missedWords(count: number, last: string): string {
  return `webhooks did not tell of ${count} paid order${form.en(count, '', 's')}, which were found by reading the store, the last at ${last}: look at the webhooks in the store`;
}
