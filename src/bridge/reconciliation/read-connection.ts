import { backoffMs } from '../../platform/backoff.ts';
import type { JobEnd } from '../../platform/jobs/job-kind.ts';
import { apiRefusal, SCOPES_WARNING } from '../connections/connection.ts';
import type { SoughtOrder } from '../storefronts/store-reader.ts';
import { type OpenStore, UnreadableStore } from './open-readable-store.ts';
import { handOverOutdated, handOverWhole, type OutdatedOrder, ordersAtOnce, outdatedOf, readPage } from './read-page.ts';
import { ITS_STATE_COMES_MS, type Readable, type ReadConnectionDeps } from './reading-deps.ts';
import {
  afterAbsent,
  afterBlock,
  afterFailure,
  afterPage,
  afterSyncRun,
  begunAnew,
  countMissed,
  endOf,
  isHopeless,
  isInDoubt,
  isShown,
  nextSyncRun,
  type Rhythm,
  type StoreSync,
  type SyncRun,
  type SyncRunEnd,
  withSyncRun,
} from './sync-run.ts';

/** Before a list that was begun anew in vain is read on: times the number of attempts. */
const SLOWLY_MS = 30_000;
/** Between two looks for a place. */
const SLOT_MS = 1_000;
/** After which a store that takes longer lets those go first that are due. */
const TURN_MS = 60_000;
/** How far before the end of the last sync run orders that were said to change are looked for; and if there was none, before now. */
const LOOKED_BACK_MS = 3_600_000;
const FIRST_LOOK_MS = 24 * LOOKED_BACK_MS;
/** Stores that began at the same time do not stay together. */
const MOST_JITTER_MS = 20_000;

/** Reads a store that this process has: what is due, to its end, or as far as it can be read now. If it is cut off, another goes on where this one was. */
export async function readConnection(deps: ReadConnectionDeps, given: StoreSync, readable: Readable & { signal: AbortSignal }): Promise<JobEnd> {
  const turn = new Turn(deps, given, readable);
  try {
    return await turn.read();
  } catch (thrown) {
    if (thrown instanceof UnreadableStore) return turn.stopped(thrown);
    if (readable.signal.aborted) throw thrown;
    await turn.stopped(new UnreadableStore('failed', 'internal.unexpected: an error in orderbridge; the log has it'));
    throw thrown;
  }
}

class Turn {
  readonly #deps: ReadConnectionDeps;
  readonly #readable: Readable & { signal: AbortSignal };
  #reading: StoreSync;
  #syncRun: SyncRun | null = null;
  #store: OpenStore | null = null;
  /** The orders that are being read whole; null: a page is read. */
  #block: readonly OutdatedOrder[] | null = null;
  /** Until its list is read on. */
  #waitMs = 0;
  /** What the list showed to be unknown or stale here. */
  readonly #listed = new Set<string>();

  constructor(deps: ReadConnectionDeps, reading: StoreSync, readable: Readable & { signal: AbortSignal }) {
    this.#deps = deps;
    this.#reading = reading;
    this.#readable = readable;
  }

  async read(): Promise<JobEnd> {
    const { signal } = this.#readable;
    const until = this.#deps.now() + TURN_MS;
    for (;;) {
      signal.throwIfAborted();
      this.#syncRun = nextSyncRun(this.#reading, this.#rhythm());
      if (this.#syncRun === null) break;
      await this.#deps.capacity(signal);
      if (!(await this.#step(this.#syncRun))) return { is: 'again', ms: 0 };
      if (this.#waitMs > 0 || this.#deps.now() >= until) return { is: 'again', ms: this.#waitMs };
    }
    const { changesDue = this.#at() } = this.#reading.windows;
    return { is: 'again', ms: Date.parse(changesDue) - this.#deps.now() };
  }

  /** The store can't be read now. */
  async stopped(denial: UnreadableStore): Promise<JobEnd> {
    const { ledger, now, random, periodMs } = this.#deps;
    if (denial.kind !== 'full') await this.#failed(denial);
    await ledger.save(this.#reading, 0);
    if (denial.kind === 'full') return { is: 'waits', ms: SLOT_MS * (0.5 + random()) };
    // What fails, or what our own limits end, again and again is tried less and less often, in the end once a period.
    const times = denial.kind === 'failed' || denial.isCut ? (this.#syncRun?.failures ?? 0) + (this.#syncRun?.cuts ?? 0) : 0;
    const soonestMs = times === 0 ? SLOT_MS : backoffMs({ firstMs: SLOT_MS, mostMs: periodMs }, times, random());
    const until = denial.until ?? now() + (denial.wasTooMuch ? 0 : periodMs);
    const ms = Math.max(soonestMs, until - now());
    return denial.kind === 'paused' && !denial.isCut ? { is: 'waits', ms } : { is: 'failed', why: denial.message, afterMs: ms };
  }

  async #failed(failed: UnreadableStore): Promise<void> {
    const { message, refusal } = failed;
    if (refusal !== null) await this.#deps.noteStoreApi(this.#readable.connection.id, refusal);
    if (this.#syncRun === null) return;
    const syncRun = await this.#withoutHopeless(afterFailure(this.#syncRun, failed, this.#block?.length ?? null), failed);
    this.#syncRun = syncRun;
    this.#reading = withSyncRun(this.#reading, syncRun);
    // One limit that ended one block is no news.
    if (failed.isCut && this.#block !== null && !isShown(syncRun)) return;
    const end = endOf(syncRun, { at: this.#at(), error: message });
    this.#reading = { ...this.#reading, last: end };
    if (failed.kind === 'failed' || (failed.isCut && isShown(syncRun))) this.#synced(syncRun, end);
  }

  /** Goes on without an order that failed by itself, and is noted as unread. */
  async #withoutHopeless(syncRun: SyncRun, failed: UnreadableStore): Promise<SyncRun> {
    const { page, ledger } = this.#deps;
    const { connection } = this.#readable;
    const [only, ...others] = this.#block ?? [];
    if (only === undefined || others.length > 0 || !isHopeless(syncRun, failed)) return syncRun;
    await page.noteUnread(connection.id, { unread: [only], read: [] });
    if (syncRun.pending.length > 0) return afterBlock(syncRun, { handed: 0, unread: 1, size: 1 });
    // It is not looked up again by this sync run.
    if (syncRun.kind !== 'changes') await ledger.noteListed(connection.id, [only.orderId]);
    return afterAbsent(syncRun, { handed: 0, gone: 0, unread: 1 });
  }

  /** False: another process has the store now. */
  async #step(syncRun: SyncRun): Promise<boolean> {
    const { syncRun: so, isLast } = await this.#read(syncRun);
    const missed = so.counts.missed - syncRun.counts.missed;
    this.#reading = isLast ? this.#ended(so) : withSyncRun(this.#reading, so);
    if (!(await this.#deps.ledger.save(this.#reading, missed))) return false;
    if (isLast && this.#reading.last !== null) this.#synced(so, this.#reading.last);
    return true;
  }

  /** The sync run after its next step. */
  async #read(syncRun: SyncRun): Promise<Step> {
    this.#block = null;
    if (syncRun.pending.length > 0) return { syncRun: await this.#pending(syncRun), isLast: false };
    if (syncRun.phase === 'listed') return { syncRun: await this.#listPage(syncRun), isLast: false };
    return syncRun.kind === 'changes' ? this.#saidToChange(syncRun) : this.#absent(syncRun);
  }

  /** A store may no longer take the place where its own page ended: then its list is begun anew, if it answers from its beginning. */
  async #listPage(syncRun: SyncRun): Promise<SyncRun> {
    if (isInDoubt(syncRun)) return this.#anew(syncRun, `a page failed ${syncRun.failures + syncRun.cuts} times`);
    try {
      return await this.#page(syncRun);
    } catch (thrown) {
      if (!(thrown instanceof UnreadableStore && syncRun.after !== null && thrown.refusesPlace)) throw thrown;
      return this.#anew(syncRun, thrown.message);
    }
  }

  async #anew(syncRun: SyncRun, why: string): Promise<SyncRun> {
    const { isSorted = false, lagMs = 0 } = this.#readable.api;
    const begun = begunAnew(syncRun, why, { isSorted, lagMs });
    const after = await this.#page(begun);
    this.#deps.onAnew({ connectionId: this.#readable.connection.id, kind: syncRun.kind, times: begun.anew?.times ?? 1, why });
    if (begun.warning !== null) this.#waitMs = Math.min(this.#deps.periodMs, SLOWLY_MS * (begun.anew?.times ?? 1));
    return after;
  }

  async #page(syncRun: SyncRun): Promise<SyncRun> {
    const { ledger, page, now, onPage } = this.#deps;
    const { connection } = this.#readable;
    const isWindow = syncRun.kind !== 'changes';
    // What an earlier sync run listed, and did not come to forget.
    if (isWindow && syncRun.from === null && syncRun.after === null) await ledger.forgetListed(connection.id);
    const { since, from, after, size } = syncRun;
    const read = await readPage(page, await this.#open(), { since: from ?? since, after, size });
    await this.#works();
    const missed = countMissed(read, connection, now());
    const advanced = afterPage(syncRun, read, { missed, now: now() });
    const { unknown, stale } = advanced.counts;
    onPage({ connectionId: connection.id, unknown: unknown - syncRun.counts.unknown, stale: stale - syncRun.counts.stale, missed });
    for (const { orderId } of outdatedOf(read)) this.#listed.add(orderId);
    if (isWindow) {
      const ids = read.summaries.map(({ summary }) => summary.orderId);
      await ledger.noteListed(connection.id, ids);
    }
    return advanced;
  }

  /** Reads the next orders of a page whole: what is handed over is not read again, whatever becomes of the rest. */
  async #pending(syncRun: SyncRun): Promise<SyncRun> {
    const store = await this.#open();
    const block = syncRun.pending.slice(0, this.#blockOf(syncRun));
    this.#block = block;
    const { handed, unread } = await handOverOutdated(this.#deps.page, store, block);
    await this.#works();
    return afterBlock(syncRun, { handed, unread: unread.length, size: block.length });
  }

  /** Looks up orders that the store should have listed: those that it says are gone are handed over as deleted. */
  async #absent(syncRun: SyncRun): Promise<Step> {
    const { ledger } = this.#deps;
    const { connection } = this.#readable;
    const sought = await ledger.absent(connection, { since: syncRun.since, until: syncRun.beganAt, size: this.#blockOf(syncRun) });
    if (sought.length === 0) {
      await ledger.forgetListed(connection.id);
      return { syncRun, isLast: true };
    }
    const { handed, gone, unread } = await this.#lookUp(sought);
    await ledger.noteListed(
      connection.id,
      sought.map(({ orderId }) => orderId),
    );
    return { syncRun: afterAbsent(syncRun, { handed, gone: gone.length, unread: unread.length }), isLast: false };
  }

  /** Reads, all together, what changed by the store's word alone, and what its list did not bring either. */
  async #saidToChange(syncRun: SyncRun): Promise<Step> {
    const { ledger, now } = this.#deps;
    const { connection } = this.#readable;
    const since = this.#reading.readAt === null ? now() - FIRST_LOOK_MS : Date.parse(this.#reading.readAt) - LOOKED_BACK_MS;
    const window = { since: new Date(since).toISOString(), until: new Date(now() - ITS_STATE_COMES_MS).toISOString() };
    const all = await ledger.saidToChange(connection, window);
    const sought = all.filter(({ orderId }) => !this.#listed.has(orderId)).slice(0, this.#blockOf(syncRun));
    if (sought.length === 0) return { syncRun, isLast: true };
    const { handed, gone, unread } = await this.#lookUp(sought);
    for (const { orderId } of sought) this.#listed.add(orderId);
    return { syncRun: afterAbsent(syncRun, { handed, gone: gone.length, unread: unread.length }), isLast: false };
  }

  async #lookUp(sought: readonly SoughtOrder[]) {
    const store = await this.#open();
    this.#block = sought.map(({ orderId }) => ({ orderId, number: orderId, updatedAt: this.#at() }));
    const looked = await handOverWhole(this.#deps.page, store, { sought, wasDeleted: () => false });
    const read = this.#block.filter(({ orderId }) => !looked.unread.includes(orderId));
    await this.#deps.page.noteUnread(this.#readable.connection.id, { unread: [], read });
    return looked;
  }

  #blockOf({ block }: SyncRun): number {
    const most = ordersAtOnce(this.#readable.api);
    return block === null ? most : Math.min(block, most);
  }

  async #open(): Promise<OpenStore> {
    if (this.#store !== null) return this.#store;
    const { windows } = this.#reading;
    const opened = await this.#deps.open({ ...this.#readable, name: windows.name ?? null });
    this.#store = opened;
    if (opened.name !== null) this.#reading = { ...this.#reading, windows: { ...windows, name: opened.name } };
    return opened;
  }

  async #works(): Promise<void> {
    const { connection } = this.#readable;
    // Orders were read: the app has its scope, too.
    if (apiRefusal(connection) !== null || SCOPES_WARNING in connection.warnings) await this.#deps.noteStoreApi(connection.id, null);
  }

  #ended(syncRun: SyncRun): StoreSync {
    const { random, periodMs } = this.#deps;
    return afterSyncRun(this.#reading, syncRun, { ...this.#rhythm(), jitterMs: random() * Math.min(MOST_JITTER_MS, periodMs / 10) });
  }

  #synced({ beganAt }: SyncRun, end: SyncRunEnd): void {
    this.#deps.onSynced({ connectionId: this.#readable.connection.id, end, ms: this.#deps.now() - Date.parse(beganAt) });
  }

  #rhythm(): Rhythm {
    const { connection, api } = this.#readable;
    return { periodMs: this.#deps.periodMs, lagMs: api.lagMs ?? 0, recordFrom: connection.recordFrom, now: this.#deps.now() };
  }

  #at(): string {
    return new Date(this.#deps.now()).toISOString();
  }
}

type Step = { syncRun: SyncRun; isLast: boolean };
