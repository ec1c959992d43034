import { apiRefusal, SCOPES_WARNING } from '../connections/connection.ts';
import type { SoughtOrder } from '../storefronts/store-reader.ts';
import { NotRead, type OpenStore } from './open-readable-store.ts';
import { type Behind, behindOf, handOverBehind, handOverWhole, ordersAtOnce, readPage } from './read-page.ts';
import { ITS_STATE_COMES_MS, type Readable, type ReadConnectionDeps } from './reading-deps.ts';
import {
  afterAbsent,
  afterBlock,
  afterFailure,
  afterPage,
  afterWalk,
  begunAnew,
  countMissed,
  endOf,
  isHopeless,
  isInDoubt,
  isShown,
  nextWalk,
  type Reading,
  type Rhythm,
  type Walk,
  type WalkEnd,
  withWalk,
} from './walk.ts';

/** Before a list that was begun anew in vain is read on: times the number of attempts. */
const SLOWLY_MS = 30_000;
/** Between two looks for a place. */
const PLACE_MS = 1_000;
/** How far before the end of the last walk orders that were said to change are looked for; and if there was none, before now. */
const LOOKED_BACK_MS = 3_600_000;
const FIRST_LOOK_MS = 24 * LOOKED_BACK_MS;
/** Stores that began at the same time do not stay together. */
const MOST_JITTER_MS = 20_000;

/** Reads a store that this process has: what is due, to its end, or as far as it can be read now. Then lets go of it. */
export async function readConnection(deps: ReadConnectionDeps, given: Reading, { signal, ...readable }: Readable & { signal: AbortSignal }): Promise<void> {
  const turn = new Turn(deps, given, { ...readable, signal });
  try {
    await turn.read();
  } catch (thrown) {
    if (thrown instanceof NotRead || signal.aborted) return turn.stopped(thrown);
    await turn.stopped(new NotRead('failed', 'internal.unexpected: an error in orderbridge; the log has it'));
    throw thrown;
  }
}

class Turn {
  readonly #deps: ReadConnectionDeps;
  readonly #readable: Readable & { signal: AbortSignal };
  #reading: Reading;
  #walk: Walk | null = null;
  #store: OpenStore | null = null;
  /** The orders that are being read whole; null: a page is read. */
  #block: readonly Behind[] | null = null;
  /** Until its list is read on. */
  #waitMs = 0;
  /** What the list showed to be unknown or stale here. */
  readonly #listed = new Set<string>();

  constructor(deps: ReadConnectionDeps, reading: Reading, readable: Readable & { signal: AbortSignal }) {
    this.#deps = deps;
    this.#reading = reading;
    this.#readable = readable;
  }

  async read(): Promise<void> {
    const { signal } = this.#readable;
    for (;;) {
      signal.throwIfAborted();
      this.#walk = nextWalk(this.#reading, this.#rhythm());
      if (this.#walk === null) break;
      await this.#deps.room(signal);
      if (!(await this.#step(this.#walk))) return;
      if (this.#waitMs > 0) return this.#letGo({ nextAt: this.#deps.now() + this.#waitMs, rests: false });
    }
    const { changesDue } = this.#reading.windows;
    await this.#letGo({ nextAt: changesDue === undefined ? 0 : Date.parse(changesDue), rests: true });
  }

  /** The store can't be read now, or this process stops: another goes on where this one was. */
  async stopped(thrown: unknown): Promise<void> {
    const { now, random, periodMs } = this.#deps;
    if (!(thrown instanceof NotRead)) return this.#letGo({ nextAt: now(), rests: false });
    if (thrown.kind === 'full') return this.#letGo({ nextAt: now() + PLACE_MS * (0.5 + random()), rests: false });
    await this.#failed(thrown);
    // What our own limits end again and again is tried less and less often.
    const doublings = thrown.isCut ? Math.max(0, (this.#walk?.cuts ?? 0) - 1) : 0;
    const soonest = now() + Math.min(periodMs, PLACE_MS * 2 ** doublings);
    await this.#letGo({ nextAt: Math.max(soonest, thrown.until ?? now() + periodMs), rests: false });
  }

  async #failed(failed: NotRead): Promise<void> {
    const { message, refusal } = failed;
    if (refusal !== null) await this.#deps.noteStoreApi(this.#readable.connection.id, refusal);
    if (this.#walk === null) return;
    const walk = await this.#withoutHopeless(afterFailure(this.#walk, failed, this.#block?.length ?? null), failed);
    this.#walk = walk;
    this.#reading = withWalk(this.#reading, walk);
    // One limit that ended one block is no news.
    if (failed.isCut && this.#block !== null && !isShown(walk)) return;
    const end = endOf(walk, { at: this.#at(), error: message });
    this.#reading = { ...this.#reading, last: end };
    if (failed.kind === 'failed' || (failed.isCut && isShown(walk))) this.#walked(walk, end);
  }

  /** Goes on without an order that failed by itself, and is noted as unread. */
  async #withoutHopeless(walk: Walk, failed: NotRead): Promise<Walk> {
    const { page, ledger } = this.#deps;
    const { connection } = this.#readable;
    const [only, ...others] = this.#block ?? [];
    if (only === undefined || others.length > 0 || !isHopeless(walk, failed)) return walk;
    await page.noteUnread(connection.id, { unread: [only], read: [] });
    if (walk.pending.length > 0) return afterBlock(walk, { handed: 0, unread: 1, size: 1 });
    // It is not looked up again by this walk.
    if (walk.kind !== 'changes') await ledger.noteListed(connection.id, [only.orderId]);
    return afterAbsent(walk, { handed: 0, gone: 0, unread: 1 });
  }

  /** False: another process has the store now. */
  async #step(walk: Walk): Promise<boolean> {
    const { walk: so, isLast } = await this.#read(walk);
    const missed = so.counts.missed - walk.counts.missed;
    this.#reading = isLast ? this.#ended(so) : withWalk(this.#reading, so);
    if (!(await this.#deps.ledger.save(this.#reading, missed))) return false;
    if (isLast && this.#reading.last !== null) this.#walked(so, this.#reading.last);
    return true;
  }

  /** The walk after its next step. */
  async #read(walk: Walk): Promise<Step> {
    this.#block = null;
    if (walk.pending.length > 0) return { walk: await this.#pending(walk), isLast: false };
    if (walk.phase === 'listed') return { walk: await this.#listPage(walk), isLast: false };
    return walk.kind === 'changes' ? this.#saidToChange(walk) : this.#absent(walk);
  }

  /** A store may no longer take the place where its own page ended: then its list is begun anew, if it answers from its beginning. */
  async #listPage(walk: Walk): Promise<Walk> {
    if (isInDoubt(walk)) return this.#anew(walk, `a page failed ${walk.failures + walk.cuts} times`);
    try {
      return await this.#page(walk);
    } catch (thrown) {
      if (!(thrown instanceof NotRead && walk.after !== null && thrown.refusesPlace)) throw thrown;
      return this.#anew(walk, thrown.message);
    }
  }

  async #anew(walk: Walk, why: string): Promise<Walk> {
    const begun = begunAnew(walk, why);
    const after = await this.#page(begun);
    this.#deps.onAnew({ connectionId: this.#readable.connection.id, kind: walk.kind, times: begun.anew?.times ?? 1, why });
    if (begun.warning !== null) this.#waitMs = Math.min(this.#deps.periodMs, SLOWLY_MS * (begun.anew?.times ?? 1));
    return after;
  }

  async #page(walk: Walk): Promise<Walk> {
    const { ledger, page, now, onPage } = this.#deps;
    const { connection } = this.#readable;
    const isWindow = walk.kind !== 'changes';
    // What an earlier walk listed, and did not come to forget.
    if (isWindow && walk.after === null) await ledger.forgetListed(connection.id);
    const { since, after, size } = walk;
    const read = await readPage(page, await this.#open(), { since, after, size });
    await this.#works();
    const missed = countMissed(read, connection, now());
    const advanced = afterPage(walk, read, { missed, now: now() });
    const { unknown, stale } = advanced.counts;
    onPage({ connectionId: connection.id, unknown: unknown - walk.counts.unknown, stale: stale - walk.counts.stale, missed });
    for (const { orderId } of behindOf(read)) this.#listed.add(orderId);
    if (isWindow) {
      const ids = read.heads.map(({ head }) => head.orderId);
      await ledger.noteListed(connection.id, ids);
    }
    return advanced;
  }

  /** Reads the next orders of a page whole: what is handed over is not read again, whatever becomes of the rest. */
  async #pending(walk: Walk): Promise<Walk> {
    const store = await this.#open();
    const block = walk.pending.slice(0, this.#blockOf(walk));
    this.#block = block;
    const { handed, unread } = await handOverBehind(this.#deps.page, store, block);
    await this.#works();
    return afterBlock(walk, { handed, unread: unread.length, size: block.length });
  }

  /** Looks up orders that the store should have listed: those that it says are gone are handed over as deleted. */
  async #absent(walk: Walk): Promise<Step> {
    const { ledger } = this.#deps;
    const { connection } = this.#readable;
    const sought = await ledger.absent(connection, { since: walk.since, until: walk.beganAt, size: this.#blockOf(walk) });
    if (sought.length === 0) {
      await ledger.forgetListed(connection.id);
      return { walk, isLast: true };
    }
    const { handed, gone, unread } = await this.#lookUp(sought);
    await ledger.noteListed(
      connection.id,
      sought.map(({ orderId }) => orderId),
    );
    return { walk: afterAbsent(walk, { handed, gone: gone.length, unread: unread.length }), isLast: false };
  }

  /** Reads, all together, what changed by the store's word alone, and what its list did not bring either. */
  async #saidToChange(walk: Walk): Promise<Step> {
    const { ledger, now } = this.#deps;
    const { connection } = this.#readable;
    const since = this.#reading.readAt === null ? now() - FIRST_LOOK_MS : Date.parse(this.#reading.readAt) - LOOKED_BACK_MS;
    const window = { since: new Date(since).toISOString(), until: new Date(now() - ITS_STATE_COMES_MS).toISOString() };
    const all = await ledger.saidToChange(connection, window);
    const sought = all.filter(({ orderId }) => !this.#listed.has(orderId)).slice(0, this.#blockOf(walk));
    if (sought.length === 0) return { walk, isLast: true };
    const { handed, gone, unread } = await this.#lookUp(sought);
    for (const { orderId } of sought) this.#listed.add(orderId);
    return { walk: afterAbsent(walk, { handed, gone: gone.length, unread: unread.length }), isLast: false };
  }

  async #lookUp(sought: readonly SoughtOrder[]) {
    const store = await this.#open();
    this.#block = sought.map(({ orderId }) => ({ orderId, number: orderId, updatedAt: this.#at() }));
    return handOverWhole(this.#deps.page, store, { sought, wasDeleted: () => false });
  }

  #blockOf({ block }: Walk): number {
    const most = ordersAtOnce(this.#readable.api);
    return block === null ? most : Math.min(block, most);
  }

  async #open(): Promise<OpenStore> {
    if (this.#store !== null) return this.#store;
    const { last, windows } = this.#reading;
    const hasFailed = last !== null && last.error !== null;
    const opened = await this.#deps.open({ ...this.#readable, name: windows.name ?? null, hasFailed });
    this.#store = opened;
    if (opened.name !== null) this.#reading = { ...this.#reading, windows: { ...windows, name: opened.name } };
    return opened;
  }

  async #works(): Promise<void> {
    const { connection } = this.#readable;
    // Orders were read: the app has its scope, too.
    if (apiRefusal(connection) !== null || SCOPES_WARNING in connection.warnings) await this.#deps.noteStoreApi(connection.id, null);
  }

  #ended(walk: Walk): Reading {
    const { random, periodMs } = this.#deps;
    return afterWalk(this.#reading, walk, { ...this.#rhythm(), jitterMs: random() * Math.min(MOST_JITTER_MS, periodMs / 10) });
  }

  #walked({ beganAt }: Walk, end: WalkEnd): void {
    this.#deps.onWalked({ connectionId: this.#readable.connection.id, end, ms: this.#deps.now() - Date.parse(beganAt) });
  }

  async #letGo({ nextAt, rests }: { nextAt: number; rests: boolean }): Promise<void> {
    await this.#deps.ledger.letGo(this.#reading, { nextAt: new Date(nextAt).toISOString(), rests });
  }

  #rhythm(): Rhythm {
    const { connection, api } = this.#readable;
    return { periodMs: this.#deps.periodMs, lagMs: api.lagMs ?? 0, recordFrom: connection.recordFrom, now: this.#deps.now() };
  }

  #at(): string {
    return new Date(this.#deps.now()).toISOString();
  }
}

type Step = { walk: Walk; isLast: boolean };
