import { z } from 'zod';
import type { Connection } from '../connections/connection.ts';
import type { UnreadableStore } from './open-readable-store.ts';
import { outdatedOf, type PageRead, type SummaryRead } from './read-page.ts';

const counts = z.object({ seen: z.int(), unknown: z.int(), stale: z.int(), handed: z.int(), missed: z.int(), gone: z.int(), unread: z.int() });

/** What sync runs of one kind find. `missed`: paid orders that a webhook should have announced minutes ago; `gone`: deleted in the store. */
type SyncRunCounts = z.output<typeof counts>;

/** Since when a store must be read, and why: for people. ISO instants; `at`: when it was wanted. */
const wantedWindow = z.object({ since: z.string(), why: z.string(), at: z.string() });

const text = z.string().nullable();
const syncRun = z.object({
  kind: z.enum(['changes', 'months', 'wanted']),
  why: text,
  since: z.string(),
  phase: z.enum(['listed', 'absent']),
  /** Where the list begins, if not at `since`: it was begun anew where it had come to. ISO instant. */
  from: text,
  /** Where the next page begins; null: the first. */
  after: text,
  /** Orders of a page. */
  size: z.int(),
  /** Orders of the last page that are still to be read whole. */
  pending: z.array(z.object({ orderId: z.string(), number: z.string(), updatedAt: z.string() })),
  /** How many are read whole at once; null: as many as the storefront says. */
  block: z.int().nullable(),
  /** How often in a row this page or block failed, and was ended by our own limits. */
  failures: z.int(),
  cuts: z.int(),
  /**
   * How often in a row the list was begun anew, because the store did not take its own place any more, without coming to newer changes than `newest`. Null:
   * never.
   */
  anew: z.object({ times: z.int(), newest: text }).nullable(),
  /** What a person should know of it while it is under way. */
  warning: text,
  /** The newest change that was listed, of orders that are neither in the trash nor dated ahead. */
  newest: text,
  counts,
  beganAt: z.string(),
  /** The windows that it reads. */
  wanted: z.array(wantedWindow),
});

/**
 * A reading of what changed in a store since a moment, page by page. changes: since the watermark. months: the open and the previous month.
 * wanted: a window that somebody asked for. Windows end with the orders that are known here, and that the store did not list.
 */
export type SyncRun = z.output<typeof syncRun>;

const syncRunEnd = z.object({ at: z.string(), kind: syncRun.shape.kind, why: text, error: text, ...counts.shape });

/** How the last sync run ended. `error` null: it was read to its end. */
export type SyncRunEnd = z.output<typeof syncRunEnd>;

export const storeSync = z.object({
  connectionId: z.string(),
  watermark: text,
  syncRuns: z.object({ changes: syncRun.optional(), window: syncRun.optional() }),
  /** `changesDue`: when the next sync run of changes begins. `months`: when they were read last. `name`: by which the store calls itself, and when it said so, at which address. */
  windows: z.object({
    changesDue: z.string().optional(),
    months: z.string().optional(),
    name: z.object({ value: z.string(), at: z.string(), url: z.string() }).optional(),
  }),
  wanted: z.array(wantedWindow),
  last: syncRunEnd.nullable(),
  readAt: text,
});

/** All that is known of the reading of one store. A sync run of changes goes before one of a window, and may come in its middle. */
export type StoreSync = z.output<typeof storeSync>;

export type Rhythm = {
  /** Between two sync runs of changes. */
  periodMs: number;
  /** How far behind the newest change the store's list may be. */
  lagMs: number;
  recordFrom: string;
  /** ms since 1970 */
  now: number;
};

export const PAGE = 100;
/** After a page that a store could not give. */
export const SMALL_PAGE = 20;
/** A page that failed so often may be one that can't be had any more. */
const MOST_FAILURES = 10;
/** An order that is looked up after the list of a window may fail each day: it is left to the next one sooner. */
const MOST_LOOKED_UP = 3;
/** A limit that ends readings so often in a row is shown. */
const SHOWN_CUTS = 2;
const DAY_MS = 86_400_000;
/** Between the end of a sync run of changes and the next, so that windows are read where each sync run takes longer than the period. */
const BREATH_MS = 60_000;
const NOTHING: SyncRunCounts = { seen: 0, unknown: 0, stale: 0, handed: 0, missed: 0, gone: 0, unread: 0 };

/** What to read next of a store, or null: nothing is due. */
export function nextSyncRun(reading: StoreSync, rhythm: Rhythm): SyncRun | null {
  const { syncRuns, windows, wanted } = reading;
  const { now } = rhythm;
  if (syncRuns.changes !== undefined) return isStuckAfterList(syncRuns.changes, rhythm) ? listedAgain(syncRuns.changes, now) : syncRuns.changes;
  if (isPast(windows.changesDue, now)) return newSyncRun('changes', changesSince(reading, rhythm), { why: gapWords(reading, rhythm), now });
  if (syncRuns.window !== undefined) return syncRuns.window;
  const [first = null] = wanted.map(({ since }) => since).toSorted();
  if (first !== null) return newSyncRun('wanted', first, { why: [...new Set(wanted.map(({ why }) => why))].join('; '), now, wanted });
  if (windows.months === undefined || Date.parse(windows.months) + DAY_MS <= now) return newSyncRun('months', monthsSince(rhythm), { why: null, now });
  return null;
}

/** Has the list of changes been read, so that only what was said to change is still looked up? */
function isAfterList({ kind, phase, pending }: SyncRun): boolean {
  return kind === 'changes' && phase === 'absent' && pending.length === 0;
}

/** Is what is looked up after the list not to be had for a whole period? */
function isStuckAfterList(syncRun: SyncRun, { now, periodMs }: Rhythm): boolean {
  return isAfterList(syncRun) && syncRun.failures + syncRun.cuts > 0 && Date.parse(syncRun.beganAt) + periodMs <= now;
}

/** No order that can't be read holds up the list of what changed. */
function listedAgain(syncRun: SyncRun, now: number): SyncRun {
  return { ...syncRun, phase: 'listed', from: null, after: null, beganAt: new Date(now).toISOString() };
}

/** The reading after another step of this sync run. */
export function withSyncRun(reading: StoreSync, syncRun: SyncRun): StoreSync {
  const wanted = reading.wanted.filter(({ at }) => syncRun.wanted.every((taken) => taken.at !== at));
  return { ...reading, wanted, syncRuns: { ...reading.syncRuns, [slotOf(syncRun)]: syncRun } };
}

/** The sync run after a page of it. `now`: ms since 1970. */
export function afterPage(syncRun: SyncRun, read: PageRead, { missed, now }: { missed: number; now: number }): SyncRun {
  const { summaries, next } = read;
  const many = (knowledge: string) => summaries.filter(({ is }) => is === knowledge).length;
  // What is in the trash may be a list of its own, read after the others: what changed between the two would lie behind its newest.
  // So would what changes after a page with an order that is dated ahead.
  const at = new Date(now).toISOString();
  const isPassedOver = ({ lifecycle, updatedAt }: SummaryRead['summary']) => lifecycle === 'trashed' || updatedAt > at;
  const newest = summaries.reduce((so, { summary }) => (isPassedOver(summary) ? so : later(so, summary.updatedAt)), syncRun.newest);
  const page = { ...NOTHING, seen: summaries.length, unknown: many('unknown'), stale: many('stale'), missed };
  const phase = next === null ? 'absent' : 'listed';
  return { ...worked(syncRun), phase, after: next, newest, pending: outdatedOf(read), counts: sum(syncRun.counts, page) };
}

/** The sync run after the first `size` of its pending orders were handed over. */
export function afterBlock(syncRun: SyncRun, { handed, unread, size }: { handed: number; unread: number; size: number }): SyncRun {
  return { ...worked(syncRun), pending: syncRun.pending.slice(size), counts: sum(syncRun.counts, { ...NOTHING, handed, unread }) };
}

/** The sync run after orders that the store did not list were looked up there. */
export function afterAbsent(syncRun: SyncRun, { handed, gone, unread }: { handed: number; gone: number; unread: number }): SyncRun {
  return { ...worked(syncRun), counts: sum(syncRun.counts, { ...NOTHING, handed, gone, unread }) };
}

/** A warning that the list was begun anew stays until the sync run is over. */
function worked(syncRun: SyncRun): SyncRun {
  return { ...syncRun, failures: 0, cuts: 0, warning: (syncRun.anew?.times ?? 0) > 1 ? syncRun.warning : null };
}

/** The sync run after a step that failed. `block`: how many orders it was to read whole; null: it was a page. */
export function afterFailure(syncRun: SyncRun, { kind, message, refusal, isCut, wasTooMuch }: UnreadableStore, block: number | null): SyncRun {
  const failures = syncRun.failures + (kind === 'failed' && refusal === null ? 1 : 0);
  const cuts = syncRun.cuts + (isCut ? 1 : 0);
  const counted = { ...syncRun, failures, cuts, warning: cuts < SHOWN_CUTS ? syncRun.warning : `${message}; fewer orders are read at once` };
  if (!wasTooMuch && !isCut) return counted;
  if (block === null) return wasTooMuch || cuts >= SHOWN_CUTS ? { ...counted, size: SMALL_PAGE } : counted;
  return { ...counted, block: Math.max(1, Math.floor(block / 2)) };
}

/** Is a limit that ended a step worth telling? */
export function isShown({ cuts }: SyncRun): boolean {
  return cuts === 0 || cuts >= SHOWN_CUTS;
}

/** Is an order that failed by itself left to the daily reading, so that all others are read? One that is only looked up after the list is at once. */
export function isHopeless(syncRun: SyncRun, { isCut, wasTooMuch, status }: UnreadableStore): boolean {
  const isLookedUp = syncRun.phase === 'absent' && syncRun.pending.length === 0;
  const mostOfWindow = isLookedUp ? MOST_LOOKED_UP : MOST_FAILURES;
  const most = isAfterList(syncRun) ? 1 : mostOfWindow;
  return isCut ? syncRun.cuts >= most : wasTooMuch && status !== null && syncRun.failures >= most;
}

/** Has this page failed so often that the place where it begins is in doubt? */
export function isInDoubt({ after, failures, cuts }: SyncRun): boolean {
  return after !== null && failures + cuts >= MOST_FAILURES;
}

/**
 * The sync run with its list begun anew, as its next page can't be had; what was handed over stays. `why`: what its store said. From its start the first
 * time; later, if the list is sorted by change, from the newest change that it came to: else a long list of a store that forgets places would never end.
 */
export function begunAnew(syncRun: SyncRun, why: string, { isSorted, lagMs }: { isSorted: boolean; lagMs: number }): SyncRun {
  const { newest, anew: before, since } = syncRun;
  const isFurther = before === null || (newest ?? '') > (before.newest ?? '');
  const anew = { times: isFurther ? 1 : before.times + 1, newest };
  const from = before === null || !isSorted || newest === null ? null : later(since, earlierBy(lagMs, newest));
  const begun: SyncRun = { ...syncRun, phase: 'listed', from, after: null, pending: [], anew };
  if (anew.times < 2) return { ...begun, warning: null };
  const words = `its list was begun anew ${anew.times} times in a row without coming to what changed after ${newest}, as the store does not take the place where a page before ended`;
  return { ...begun, size: Math.min(syncRun.size, SMALL_PAGE), warning: `${words} (${why}); look at the store’s own log` };
}

/** The reading after a sync run that came to its end. The watermark never passes what was listed, nor the clock. */
export function afterSyncRun(reading: StoreSync, syncRun: SyncRun, { periodMs, now, jitterMs, ...rhythm }: Rhythm & { jitterMs: number }): StoreSync {
  const at = new Date(now).toISOString();
  const under = withSyncRun(reading, syncRun);
  const ended = { ...under, syncRuns: { ...under.syncRuns, [slotOf(syncRun)]: undefined }, last: endOf(syncRun, { at, error: null }) };
  const isMonths = syncRun.since <= monthsSince({ ...rhythm, now });
  if (syncRun.kind !== 'changes') return isMonths || syncRun.kind === 'months' ? { ...ended, windows: { ...reading.windows, months: syncRun.beganAt } } : ended;
  const changesDue = new Date(Math.max(Date.parse(syncRun.beganAt) + periodMs, now + Math.min(BREATH_MS, periodMs)) + jitterMs).toISOString();
  const isFirst = reading.watermark === null;
  return {
    ...ended,
    windows: { ...reading.windows, changesDue, ...(isFirst ? { months: syncRun.beganAt } : {}) },
    // Where nothing was listed, nothing changed. `since` is ahead of the clock where orders are recorded from a later moment on.
    watermark: later(reading.watermark, syncRun.newest ?? (syncRun.since < syncRun.beganAt ? syncRun.since : syncRun.beganAt)),
    readAt: at,
  };
}

/** The last end of a sync run that could not go on. */
export function endOf({ kind, why, counts }: SyncRun, { at, error }: { at: string; error: string | null }): SyncRunEnd {
  return { at, kind, why, error, ...counts };
}

/** Paid orders of a page whose change is minutes old: their webhooks did not come. What changed while the store was not connected has none. */
export function countMissed(
  { summaries }: Pick<PageRead, 'summaries'>,
  { recordFrom, createdAt, gaps }: Pick<Connection, 'recordFrom' | 'createdAt' | 'gaps'>,
  now: number,
): number {
  const late = new Date(now - LATE_MS).toISOString();
  const isInGap = (at: string) => gaps.some(({ from, until }) => from <= at && at < until);
  const isExpected = ({ updatedAt, soldAt }: SummaryRead['summary']) => updatedAt >= late || updatedAt <= createdAt || isInGap(updatedAt) || isInGap(soldAt);
  return summaries.filter(
    ({ is, summary }) => is !== 'known' && summary.payment === 'paid' && !summary.test && summary.soldAt >= recordFrom && !isExpected(summary),
  ).length;
}

const LATE_MS = 5 * 60_000;

function slotOf({ kind }: SyncRun): keyof StoreSync['syncRuns'] {
  return kind === 'changes' ? 'changes' : 'window';
}

function newSyncRun(
  kind: SyncRun['kind'],
  since: string,
  { why, now, wanted = [] }: { why: string | null; now: number; wanted?: z.output<typeof wantedWindow>[] },
): SyncRun {
  const beganAt = new Date(now).toISOString();
  const attempts = { pending: [], block: null, failures: 0, cuts: 0, anew: null, warning: null };
  return { kind, why, since, phase: 'listed', from: null, after: null, size: PAGE, ...attempts, newest: null, counts: NOTHING, beganAt, wanted };
}

function changesSince({ watermark }: StoreSync, rhythm: Rhythm): string {
  return watermark === null ? monthsSince(rhythm) : earlierBy(rhythm.lagMs, watermark);
}

/** The previous month has begun by then in every time zone. Orders from before `recordFrom` are not recorded. */
function monthsSince({ now, recordFrom }: Pick<Rhythm, 'now' | 'recordFrom'>): string {
  const at = new Date(now);
  const begin = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1, 1) - DAY_MS).toISOString();
  return begin > recordFrom ? begin : recordFrom;
}

function gapWords({ readAt }: StoreSync, { now, periodMs }: Rhythm): string | null {
  return readAt !== null && now - Date.parse(readAt) > 2 * periodMs ? `not read since ${readAt}` : null;
}

function earlierBy(ms: number, at: string): string {
  return new Date(Date.parse(at) - ms).toISOString();
}

function isPast(at: string | undefined, now: number): boolean {
  return at === undefined || Date.parse(at) <= now;
}

function later(one: string | null, other: string): string {
  return one === null || one < other ? other : one;
}

function sum(one: SyncRunCounts, other: SyncRunCounts): SyncRunCounts {
  return {
    seen: one.seen + other.seen,
    unknown: one.unknown + other.unknown,
    stale: one.stale + other.stale,
    handed: one.handed + other.handed,
    missed: one.missed + other.missed,
    gone: one.gone + other.gone,
    unread: one.unread + other.unread,
  };
}
