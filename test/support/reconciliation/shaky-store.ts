import type { StoreCalls } from '../../../src/bridge/delivery/store-calls.ts';
import { Failure } from '../../../src/bridge/order/facts/failure.ts';
import { openReadableStore } from '../../../src/bridge/reconciliation/open-readable-store.ts';
import { readConnection } from '../../../src/bridge/reconciliation/read-connection.ts';
import type { ReadConnectionDeps, ReadingLedger } from '../../../src/bridge/reconciliation/reading-deps.ts';
import type { StoreSync } from '../../../src/bridge/reconciliation/sync-run.ts';
import type { StoreApi, StoreMeans } from '../../../src/bridge/storefronts/contract.ts';
import { OutOfTime, StoreFailure } from '../../../src/bridge/storefronts/store-failure.ts';
import type { JobEnd } from '../../../src/platform/jobs/job-kind.ts';
import { sampleConnection } from '../samples/sample-claim.ts';

/** What becomes of a request, or of the process. `cursors`: every place that was given so far is no longer taken. `cut`: the limits of reading end it. */
export type Trouble = 'none' | 'cursors' | 'broken' | 'cut' | 'paused' | 'killed';

const NOW = Date.parse('2026-11-22T12:00:00.000Z');
const BLOCK = 10;
const LAG_MS = 5_000;
const killed = new Error('kill -9');
const paused = new Error('paused');

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
  /** Orders that a window looks up after its list. */
  unlisted: readonly string[] = [];
  /** Orders on which it fails, whatever is asked with them; and those that were noted as unread. */
  readonly unreadable = new Set<string>();
  readonly unread = new Set<string>();
  /** Is its list said to be sorted by change? */
  isSorted = false;
  /** How it answers to a place that it does not take. */
  refusal = 400;
  /** How it answers where it fails; and what its body says instead, if it says that it throttles. */
  brokenIs = 500;
  bodySays: number | null = null;
  now = NOW;
  readonly #count: number;
  readonly #listed = new Set<string>();
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
    const api = { ordersAtOnce: BLOCK, lagMs: LAG_MS, ...(this.isSorted && { isSorted: true }), ...this.#api() } as StoreApi;
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
    const keys = { tokens: () => undefined as never, apps: { find: async () => null } };
    const opened = { ...keys, stores: this.#calls(), now: () => this.now };
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
      open: (opening) => openReadableStore(opened, opening),
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
    const listed = this.#listed;
    return {
      save: async (reading) => {
        if (this.#isOver) throw killed;
        if (this.#next('save') === 'killed') this.#kill();
        this.#keep(reading);
        return true;
      },
      noteListed: async (_connection, ids) => {
        for (const id of ids) listed.add(id);
      },
      forgetListed: async () => listed.clear(),
      saidToChange: async () => this.hinted.filter((id) => !this.unread.has(id) && !this.handed.has(id)).map((orderId) => ({ orderId, placedAt: null })),
      absent: async (_connection, { size }) => {
        const sought = this.unlisted.filter((id) => !listed.has(id));
        return sought.slice(0, size).map((orderId) => ({ orderId, placedAt: null }));
      },
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

  #api(): Pick<StoreApi, 'changedSince' | 'ordersById'> {
    return {
      changedSince: async (_access, { since, after, size }, means) => {
        this.#ask(`page ${after ?? ''}`);
        const denial = this.#next('page');
        if (denial === 'cursors') this.#generation += 1;
        const [generation, from] = (after ?? `${this.#generation}/${firstSince(since)}`).split('/').map(Number) as [number, number];
        if (generation !== this.#generation) await failed(means, { status: this.refusal });
        await this.#fail(denial, means);
        const ids = Array.from({ length: Math.min(size, this.#count - from) }, (_, n) => from + n);
        const end = from + ids.length;
        return { summaries: ids.map(summaryOf), next: end < this.#count ? `${this.#generation}/${end}` : null };
      },
      ordersById: async (_access, sought, means) => {
        this.#ask(`orders ${sought.length}`);
        const denial = this.#next('block');
        await this.#fail(sought.length > this.mostAtOnce ? 'cut' : sought.some(({ orderId }) => this.unreadable.has(orderId)) ? 'broken' : denial, means);
        return { news: sought.map(({ orderId }) => ({ orderId, deleted: true })), gone: [], unknown: [] };
      },
    };
  }

  /** As stores are called, but that this one is paused for 5 s only where it answers 500 or more, or for a minute. */
  #calls(): StoreCalls {
    const pauseFor = (ms: number) => {
      const at = new Date(this.now).toISOString();
      return {
        host: 'store.example',
        connectionId: null,
        code: 'storefront.unreachable',
        detail: 'paused',
        failures: 1,
        since: at,
        until: later(this.now, ms),
        leftMs: ms,
      } as const;
    };
    return {
      paused: async () => null,
      call: async (_store, read, signal) => {
        let status = 200;
        const fetchJson: StoreMeans['fetchJson'] = async ({ url }) => {
          status = Number(url);
          return { status, body: null };
        };
        try {
          return { kind: 'read', value: await read(fetchJson, signal) };
        } catch (thrown) {
          if (thrown === paused) return { kind: 'paused', pause: pauseFor(60_000) };
          if (!(thrown instanceof Failure)) throw thrown;
          return { kind: 'failed', failure: thrown, pause: status < 500 ? null : pauseFor(5_000) };
        }
      },
    };
  }

  #ask(path: string): void {
    this.asked.push({ path, at: this.now });
    this.now += 1_000;
  }

  async #fail(denial: Trouble, means: StoreMeans): Promise<void> {
    if (denial === 'killed') this.#kill();
    if (denial === 'broken') await failed(means, { status: this.brokenIs, says: this.bodySays });
    if (denial === 'cut') throw new OutOfTime('longer than 60 s');
    if (denial === 'paused') throw paused;
  }
}

async function failed({ fetchJson }: StoreMeans, { status, says = null }: { status: number; says?: number | null }): Promise<never> {
  await fetchJson({ url: String(status) });
  throw Object.assign(new StoreFailure('storefront.unreachable', String(status), null), { status: says });
}

function later(now: number, ms: number): string {
  return new Date(now + ms).toISOString();
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
