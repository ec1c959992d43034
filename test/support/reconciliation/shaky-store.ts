import { UnreadableStore } from '../../../src/bridge/reconciliation/open-readable-store.ts';
import { readConnection } from '../../../src/bridge/reconciliation/read-connection.ts';
import type { ReadableStore } from '../../../src/bridge/reconciliation/read-page.ts';
import type { ReadConnectionDeps, ReadingLedger } from '../../../src/bridge/reconciliation/reading-deps.ts';
import type { StoreSync } from '../../../src/bridge/reconciliation/sync-run.ts';
import type { StoreApi } from '../../../src/bridge/storefronts/contract.ts';
import type { FoundOrders } from '../../../src/bridge/storefronts/store-reader.ts';
import type { JobEnd } from '../../../src/platform/jobs/job-kind.ts';
import { sampleConnection } from '../samples/sample-claim.ts';

/** What becomes of a request, or of the process. `cursors`: every place that was given so far is no longer taken. `cut`: the limits of reading end it. */
export type Trouble = 'none' | 'cursors' | 'broken' | 'cut' | 'paused' | 'killed';

const NOW = Date.parse('2026-11-22T12:00:00.000Z');
const BLOCK = 10;
const LAG_MS = 5_000;
const killed = new Error('kill -9');

/**
 * A store of so many changed orders that no webhook announced, and its reading as the ledger keeps it: as JSON, and as it was saved last when the process
 * is killed. `next` says what happens at each request and each write.
 */
export class ShakyStore {
  /** How often each order was handed over. */
  readonly handed = new Map<string, number>();
  readonly warnings: string[] = [];
  /** Times of the clock at which something was asked of it. */
  readonly asked: { path: string; at: number }[] = [];
  /** Orders that one call reads whole in time. */
  mostAtOnce = BLOCK;
  /** Orders of which it said that they changed, and which its list does not bring. */
  hinted: readonly string[] = [];
  /** Orders on which it answers 500, whatever is asked with them; and those that were noted as unread. */
  readonly unreadable = new Set<string>();
  readonly unread = new Set<string>();
  /** Is its list said to be sorted by change? */
  isSorted = false;
  /** How it answers to a place that it does not take. */
  refusal = 400;
  now = NOW;
  readonly #count: number;
  readonly #next: (what: 'page' | 'block' | 'save') => Trouble;
  #kept: string;
  #nextAt = NOW;
  #generation = 0;
  #isOver = false;

  constructor(count: number, next: (what: 'page' | 'block' | 'save') => Trouble) {
    this.#count = count;
    this.#next = next;
    const nothing: StoreSync = { connectionId: 'c1', watermark: null, syncRuns: {}, windows: {}, wanted: [], last: null, readAt: null };
    this.#kept = JSON.stringify(nothing);
  }

  get reading(): StoreSync {
    return JSON.parse(this.#kept);
  }

  /** Has it been read to its end? */
  get isRead(): boolean {
    return this.reading.readAt !== null;
  }

  /** One process reads it until it stops, lets go of it, or is killed. */
  async readOnce(): Promise<void> {
    this.now = Math.max(this.now, this.#nextAt);
    this.#isOver = false;
    const api = { ordersAtOnce: BLOCK, lagMs: LAG_MS, ...(this.isSorted && { isSorted: true }) } as StoreApi;
    const connection = sampleConnection({ id: 'c1', recordFrom: '2026-01-01T00:00:00.000Z', createdAt: '2026-01-01T00:00:00.000Z' });
    try {
      const readable = { connection, access: { url: 'https://store.example' }, api, signal: new AbortController().signal };
      const end = await readConnection(this.#deps(), this.reading, readable);
      this.#nextAt = this.now + waitMs(end);
    } catch (thrown) {
      if (thrown !== killed) throw thrown;
    }
  }

  #deps(): ReadConnectionDeps {
    const ignored = async () => undefined;
    return {
      ledger: this.#ledger(),
      page: {
        knownSummaries: async () => new Map(),
        handOver: async (deliveries) => {
          for (const { normalized } of deliveries) {
            const id = normalized.kind === 'order' ? normalized.news.orderId : '';
            this.handed.set(id, (this.handed.get(id) ?? 0) + 1);
          }
        },
        noteUnread: async (_connection, { unread }) => {
          for (const { orderId } of unread) this.unread.add(orderId);
        },
        now: () => this.now,
      },
      open: async (opening) => ({ ...this.#opened(), connection: opening.connection, name: null }),
      capacity: ignored,
      noteStoreApi: ignored,
      periodMs: 900_000,
      now: () => this.now,
      random: () => 0,
      onSynced: ignored,
      onAnew: ignored,
      onPage: ignored,
    };
  }

  #ledger(): ReadingLedger {
    return {
      save: async (reading) => {
        if (this.#isOver) throw killed;
        if (this.#next('save') === 'killed') this.#kill();
        this.#keep(reading);
        return true;
      },
      noteListed: async () => undefined,
      forgetListed: async () => undefined,
      saidToChange: async () => this.hinted.filter((id) => !this.unread.has(id) && !this.handed.has(id)).map((orderId) => ({ orderId, placedAt: null })),
      absent: async () => [],
    };
  }

  #keep(reading: StoreSync): void {
    this.#kept = JSON.stringify(reading);
    const warning = reading.syncRuns.changes?.warning ?? null;
    if (warning !== null) this.warnings.push(warning);
  }

  /** Nothing is written any more. */
  #kill(): never {
    this.#isOver = true;
    throw killed;
  }

  #opened(): Omit<ReadableStore, 'connection'> {
    return {
      storeName: null,
      changedSince: async ({ since, after, size }) => {
        this.#ask(`page ${after ?? ''}`);
        const denial = this.#next('page');
        if (denial === 'cursors') this.#generation += 1;
        const [generation, from] = (after ?? `${this.#generation}/${firstSince(since)}`).split('/').map(Number) as [number, number];
        if (generation !== this.#generation) throw new UnreadableStore('failed', 'storefront.unreachable: refused', { status: this.refusal });
        this.#fail(denial);
        const ids = Array.from({ length: Math.min(size, this.#count - from) }, (_, n) => from + n);
        const end = from + ids.length;
        return { summaries: ids.map(summaryOf), next: end < this.#count ? `${this.#generation}/${end}` : null };
      },
      ordersById: async (sought): Promise<FoundOrders> => {
        this.#ask(`orders ${sought.length}`);
        const denial = this.#next('block');
        this.#fail(sought.length > this.mostAtOnce ? 'cut' : sought.some(({ orderId }) => this.unreadable.has(orderId)) ? 'broken' : denial);
        return { news: sought.map(({ orderId }) => ({ orderId, deleted: true })), gone: [], unknown: [] };
      },
    };
  }

  #ask(path: string): void {
    this.asked.push({ path, at: this.now });
    this.now += 1_000;
  }

  #fail(denial: Trouble): void {
    if (denial === 'killed') this.#kill();
    if (denial === 'broken') throw new UnreadableStore('failed', 'storefront.unreachable: 500', { until: this.now + 5_000, status: 500, wasTooMuch: true });
    if (denial === 'cut') throw new UnreadableStore('paused', 'storefront.unreachable: longer than 60 s', { until: this.now, isCut: true });
    if (denial === 'paused') throw new UnreadableStore('paused', 'storefront.unreachable: paused', { until: this.now + 60_000 });
  }
}

function waitMs(end: JobEnd): number {
  if (end.is === 'failed') return end.afterMs ?? 0;
  return end.is === 'again' || end.is === 'waits' ? end.ms : 0;
}

const FIRST = NOW - 86_400_000;

function firstSince(since: string): number {
  return Math.max(0, Math.ceil((Date.parse(since) - FIRST) / 1_000));
}

function summaryOf(n: number) {
  const at = new Date(FIRST + n * 1_000).toISOString();
  const order = { orderId: String(n), number: `#${n}`, updatedAt: at, status: 'paid', lifecycle: 'live', payment: 'paid', test: false } as const;
  return { ...order, currency: 'EUR', total: '24.00', soldAt: at, kept: null, refundIds: [] };
}
