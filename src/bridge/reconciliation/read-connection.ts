import { apiRefusal, type Connection, SCOPES_WARNING } from '../connections/connection.ts';
import type { StoreAccess, StoreApi } from '../storefronts/contract.ts';
import type { StoreRefusal } from '../storefronts/store-failure.ts';
import type { SoughtOrder } from '../storefronts/store-reader.ts';
import { NotRead, type Opening, type OpenStore } from './open-readable-store.ts';
import { handOverWhole, type PageRead, type ReadPageDeps, readPage } from './read-page.ts';
import {
  afterAbsent,
  afterPage,
  afterWalk,
  countMissed,
  endOf,
  nextWalk,
  type Reading,
  type Rhythm,
  SMALL_PAGE,
  type Walk,
  type WalkEnd,
  withWalk,
} from './walk.ts';

/** The readings of stores as the ledger keeps them. All writes are refused, with false, if another process has the store now. */
export type ReadingLedger = {
  /** After each page. `missed`: how many more paid orders there are of which no webhook told. */
  save(reading: Reading, missed: number): Promise<boolean>;
  /** Lets go of the store until `nextAt` (ISO), or until a window is wanted if it `rests`. */
  letGo(reading: Reading, next: { nextAt: string; rests: boolean }): Promise<boolean>;
  /** Notes what a window lists. */
  noteListed(connectionId: string, orderIds: readonly string[]): Promise<void>;
  forgetListed(connectionId: string): Promise<void>;
  /** Orders that changed between these moments, as far as is known here, are not known as deleted, and were not listed: at most `size`. */
  absent(connection: Connection, window: { since: string; until: string; size: number }): Promise<SoughtOrder[]>;
  /** Orders of which the store said between these moments that they changed, and no state of them came around that time. */
  saidToChange(connection: Connection, window: { since: string; until: string }): Promise<SoughtOrder[]>;
};

export type WalkEvent = { connectionId: string; end: WalkEnd; ms: number };

export type ReadConnectionDeps = {
  ledger: ReadingLedger;
  page: ReadPageDeps;
  open(opening: Opening): Promise<OpenStore>;
  /** Resolves when the queues have room for what a page may bring. Rejects when `signal` aborts. */
  room(signal: AbortSignal): Promise<void>;
  /** Keeps a warning on the connection that the store's API refuses us; null, once it works again, removes it. */
  noteStoreApi(connectionId: string, refusal: StoreRefusal | null): Promise<void>;
  periodMs: number;
  now(): number;
  /** [0, 1) */
  random(): number;
  onWalked(event: WalkEvent): void;
  onPage(event: { connectionId: string; unknown: number; stale: number; missed: number }): void;
};

export type Readable = { connection: Connection; access: StoreAccess; api: StoreApi };

/** Orders that are looked up at once. */
const AT_ONCE = 100;
/** Between two looks for a place. */
const PLACE_MS = 1_000;
/** A store's word that an order changed is answered by a state that comes so long before or after it: webhooks of one change overtake each other. */
export const ITS_STATE_COMES_MS = 60_000;
/** How far before the end of the last walk such words are looked for; and if there was none, before now. */
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
      const isOurs = await this.#step(this.#walk);
      if (!isOurs) return;
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
    const soonest = now() + PLACE_MS;
    await this.#letGo({ nextAt: Math.max(soonest, thrown.until ?? now() + periodMs), rests: false });
  }

  async #failed({ kind, message, wasTooMuch, refusal }: NotRead): Promise<void> {
    const { connection } = this.#readable;
    const walk = this.#walk;
    if (refusal !== null) await this.#deps.noteStoreApi(connection.id, refusal);
    if (walk === null) return;
    const end = endOf(walk, { at: this.#at(), error: message });
    this.#reading = { ...withWalk(this.#reading, wasTooMuch ? { ...walk, size: SMALL_PAGE } : walk), last: end };
    if (kind === 'failed') this.#walked(walk, end);
  }

  /** False: another process has the store now. */
  async #step(walk: Walk): Promise<boolean> {
    const after = await (walk.phase === 'listed' ? this.#page(walk) : this.#absent(walk));
    const missed = after.walk.counts.missed - walk.counts.missed;
    this.#reading = after.isLast ? this.#ended(after.walk) : withWalk(this.#reading, after.walk);
    if (!(await this.#deps.ledger.save(this.#reading, missed))) return false;
    if (after.isLast && this.#reading.last !== null) this.#walked(after.walk, this.#reading.last);
    return true;
  }

  async #page(walk: Walk): Promise<Step> {
    const { ledger, page, now, onPage } = this.#deps;
    const { connection } = this.#readable;
    const isWindow = walk.kind !== 'changes';
    // What an earlier walk listed, and did not come to forget.
    if (isWindow && walk.after === null) await ledger.forgetListed(connection.id);
    const { since, after, size } = walk;
    const read = await readPage(page, await this.#open(), { since, after, size, heal: true });
    await this.#works();
    const missed = countMissed(read, connection, now());
    const advanced = afterPage(walk, read, { missed, now: now() });
    const { unknown, stale } = advanced.counts;
    onPage({ connectionId: connection.id, unknown: unknown - walk.counts.unknown, stale: stale - walk.counts.stale, missed });
    if (!isWindow) return read.next === null ? this.#saidToChange(advanced, read) : { walk: advanced, isLast: false };
    await ledger.noteListed(
      connection.id,
      read.heads.map(({ head }) => head.orderId),
    );
    return { walk: read.next === null ? { ...advanced, phase: 'absent' } : advanced, isLast: false };
  }

  /** Looks up orders that the store should have listed: those that it says are gone are handed over as deleted. */
  async #absent(walk: Walk): Promise<Step> {
    const { ledger, page } = this.#deps;
    const { connection } = this.#readable;
    const sought = await ledger.absent(connection, { since: walk.since, until: walk.beganAt, size: AT_ONCE });
    if (sought.length === 0) {
      await ledger.forgetListed(connection.id);
      return { walk, isLast: true };
    }
    const { handed, gone, unread } = await handOverWhole(page, await this.#open(), { sought, wasDeleted: () => false });
    await ledger.noteListed(
      connection.id,
      sought.map(({ orderId }) => orderId),
    );
    return { walk: afterAbsent(walk, { handed, gone: gone.length, unread: unread.length }), isLast: false };
  }

  /** Reads, all together, what changed by the store's word alone, and what this list did not bring either. */
  async #saidToChange(walk: Walk, { heads }: PageRead): Promise<Step> {
    const { ledger, page, now } = this.#deps;
    const { connection } = this.#readable;
    const since = this.#reading.readAt === null ? now() - FIRST_LOOK_MS : Date.parse(this.#reading.readAt) - LOOKED_BACK_MS;
    const window = { since: new Date(since).toISOString(), until: new Date(now() - ITS_STATE_COMES_MS).toISOString() };
    const handed = new Set(heads.flatMap(({ head, is }) => (is === 'known' ? [] : [head.orderId])));
    const sought = (await ledger.saidToChange(connection, window)).filter(({ orderId }) => !handed.has(orderId));
    if (sought.length === 0) return { walk, isLast: true };
    const read = await handOverWhole(page, await this.#open(), { sought, wasDeleted: () => false });
    return { walk: afterAbsent(walk, { handed: read.handed, gone: read.gone.length, unread: read.unread.length }), isLast: true };
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
