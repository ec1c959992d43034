import type { Connection } from '../connections/connection.ts';
import type { StoreAccess, StoreApi } from '../storefronts/contract.ts';
import type { StoreRefusal } from '../storefronts/store-failure.ts';
import type { SoughtOrder } from '../storefronts/store-reader.ts';
import type { Opening, OpenStore } from './open-readable-store.ts';
import type { ReadPageDeps } from './read-page.ts';
import type { StoreSync, SyncRun, SyncRunEnd } from './sync-run.ts';

/** A store's word that an order changed is answered by a state that comes so long before or after it: webhooks of one change overtake each other. */
export const ITS_STATE_COMES_MS = 60_000;

/** The reading of a store as the ledger keeps it. */
export type ReadingLedger = {
  /** After each page. `missed`: how many more paid orders there are that no webhook announced. False: another process has the store now, or it is read anew. */
  save(reading: StoreSync, missed: number): Promise<boolean>;
  /** Notes what a window lists. */
  noteListed(connectionId: string, orderIds: readonly string[]): Promise<void>;
  forgetListed(connectionId: string): Promise<void>;
  /**
   * Orders that changed between these moments, as far as is known here, are not known as deleted, and were not listed; then those that could not be read
   * whole before `until`, and were not listed: at most `size`.
   */
  absent(connection: Connection, window: { since: string; until: string; size: number }): Promise<SoughtOrder[]>;
  /** Orders of which the store said between these moments that they changed, no state of them came around that time, and none could be read since. */
  saidToChange(connection: Connection, window: { since: string; until: string }): Promise<SoughtOrder[]>;
};

export type SyncRunEvent = { connectionId: string; end: SyncRunEnd; ms: number };

export type AnewEvent = { connectionId: string; kind: SyncRun['kind']; times: number; why: string };

export type ReadConnectionDeps = {
  ledger: ReadingLedger;
  page: ReadPageDeps;
  open(opening: Opening): Promise<OpenStore>;
  /** Resolves when the queues have room for what a page may bring. Rejects when `signal` aborts. */
  capacity(signal: AbortSignal): Promise<void>;
  /** Keeps a warning on the connection that the store's API refuses us; null, once it works again, removes it. */
  noteStoreApi(connectionId: string, refusal: StoreRefusal | null): Promise<void>;
  periodMs: number;
  now(): number;
  /** [0, 1) */
  random(): number;
  onSynced(event: SyncRunEvent): void;
  /** A list was begun anew, as its store did not take the place where a page ended; `times`: so often in a row without getting further. */
  onAnew(event: AnewEvent): void;
  onPage(event: { connectionId: string; unknown: number; stale: number; missed: number }): void;
};

export type Readable = { connection: Connection; access: StoreAccess; api: StoreApi };
