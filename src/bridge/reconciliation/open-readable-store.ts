import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../connections/connection.ts';
import type { Store, StoreCalls } from '../delivery/store-calls.ts';
import { type StoreKeys, storeMeans } from '../store-api/store-means.ts';
import type { FetchJson, StoreAccess, StoreApi, StoreMeans } from '../storefronts/contract.ts';
import { NotCalled, OutOfTime, refusalIn, StoreFailure, type StoreRefusal } from '../storefronts/store-failure.ts';
import { calledStore } from '../storefronts/store-host.ts';
import type { FoundOrders, SoughtOrder } from '../storefronts/store-reader.ts';
import { ordersAtOnce, type ReadableStore } from './read-page.ts';

const REFUSES_PLACE: ReadonlySet<number> = new Set([400, 404, 410, 422]);

/** Why a store was not read now. full: as many as may be are calling it. paused: it is not called until then. failed: it was called, and did not do it. */
export class UnreadableStore extends Error {
  override readonly name = 'NotRead';
  readonly kind: 'full' | 'paused' | 'failed';
  /** ms since 1970; null: not known. */
  readonly until: number | null;
  /** It gave no answer, or a broken one: less at a time may work. */
  readonly wasTooMuch: boolean;
  /** It was called, and refused; null: it did not. */
  readonly refusal: StoreRefusal | null;
  /** The store answered, and our own limits ended it: fewer orders at once fit into them. No fault of the store. */
  readonly isCut: boolean;
  /** Of its last answer; null: there was none. */
  readonly status: number | null;

  constructor(
    kind: UnreadableStore['kind'],
    words: string,
    { until = null, wasTooMuch = false, refusal = null, isCut = false, status = null }: NotReadMore = {},
  ) {
    super(words);
    this.kind = kind;
    this.until = until;
    this.wasTooMuch = wasTooMuch;
    this.refusal = refusal;
    this.isCut = isCut;
    this.status = status;
  }

  /** Is it what a store says that no longer knows the place where one of its own pages ended? */
  get refusesPlace(): boolean {
    return this.refusal === null && REFUSES_PLACE.has(this.status ?? 0);
  }
}

type NotReadMore = Partial<Pick<UnreadableStore, 'until' | 'wasTooMuch' | 'refusal' | 'isCut' | 'status'>>;

export type OpenStoreDeps = StoreKeys & {
  /** With the limits of reading: a page may take a minute. */
  stores: StoreCalls;
  now(): number;
};

/** `url`: the address of the store that said it. */
type StoreName = { value: string; at: string; url: string };

export type Opening = {
  connection: Connection;
  access: StoreAccess;
  api: StoreApi;
  /** The name as the store said it; it is asked again after an hour, since a key may come to point at another site, and at another address at once. */
  name: StoreName | null;
  signal: AbortSignal;
};

/** `name`: null if the storefront's webhooks name no store. */
export type OpenStore = ReadableStore & { name: StoreName | null };

const NAME_MS = 3_600_000;
/** A store that was not asked, such as because its calls are left to others, may be asked soon. */
const NOT_ASKED_MS = 60_000;

/** A store as a second source. Its methods, and opening it, throw `NotRead`; or whatever they throw once `signal` aborts. */
export async function openReadableStore(deps: OpenStoreDeps, opening: Opening): Promise<OpenStore> {
  const { connection, access, api } = opening;
  const { changedSince, ordersById, storeName, showsSince } = api;
  if (changedSince === undefined || ordersById === undefined) throw new Error(`a ${connection.platform} store can't be read`);
  const read = reader(deps, opening);
  const { url } = access;
  const isFresh = opening.name?.url === url && deps.now() - Date.parse(opening.name.at) < NAME_MS;
  const asked =
    storeName === undefined ? null : async () => ({ value: await read((means) => storeName(access, means)), at: new Date(deps.now()).toISOString(), url });
  const name = isFresh || asked === null ? opening.name : await asked();
  return {
    connection,
    name,
    storeName: name?.value ?? null,
    changedSince: (query) => read((means) => changedSince(access, query, means)),
    ordersById: (sought) => read((means) => ordersById(access, sought, means)),
    ordersAtOnce: api.ordersAtOnce,
    showsSince: async () => (showsSince === undefined ? null : await read((means) => showsSince(access, means))),
  };
}

function reader(deps: OpenStoreDeps, { connection, access, signal }: Opening): <T>(ask: (means: StoreMeans) => Promise<T>) => Promise<T> {
  const store = calledStore(connection.id, access);
  return (ask) => call(deps, { store, connection, signal }, ask);
}

async function call<T>(
  { stores, tokens, apps, now }: OpenStoreDeps,
  { store, connection, signal }: { store: Store; connection: Connection; signal: AbortSignal },
  ask: (means: StoreMeans) => Promise<T>,
): Promise<T> {
  let status: number | null = null;
  let hasAnswered = false;
  const watched =
    (fetchJson: FetchJson): FetchJson =>
    async (request) => {
      status = null;
      const answer = await fetchJson(request);
      ({ status } = answer);
      hasAnswered = true;
      return answer;
    };
  const asking = async (fetchJson: FetchJson, limit: AbortSignal) =>
    ask(await storeMeans(connection, { fetchJson: watched(fetchJson), now: now(), tokens, apps, signal: limit }));
  const end = await stores.call(store, asking, signal);
  switch (end.kind) {
    case 'read':
      return end.value;
    case 'full':
      throw new UnreadableStore('full', 'the store is being called for as many others as it may be');
    case 'paused':
      throw new UnreadableStore('paused', `${end.pause.code}: ${end.pause.detail}`, { until: Date.parse(end.pause.until) });
    case 'failed': {
      const refusal = refusalIn(end.failure);
      const until = end.pause === null ? null : Date.parse(end.pause.until);
      if (end.failure instanceof OutOfTime) throw new UnreadableStore('paused', end.failure.message, { until: now(), isCut: true });
      if (end.failure instanceof NotCalled)
        throw new UnreadableStore('paused', end.failure.message, { until: until ?? now() + NOT_ASKED_MS, isCut: hasAnswered });
      const said = (end.failure instanceof StoreFailure ? end.failure.status : null) ?? status;
      throw new UnreadableStore('failed', end.failure.message, { until, refusal, status: said, wasTooMuch: refusal === null && isTooMuch(said) });
    }
  }
}

/** 200: one order may break the answer. 503 is what a store says while it is maintained. */
function isTooMuch(status: number | null): boolean {
  return status === null || status === 200 || (status >= 500 && status !== 503);
}

/** A slot is free again in a moment; a store that is paused is called again when its pause is over, so often. */
const RETRY_LOOK_MS = 200;
const MOST_PAUSES = 5;
const LONGEST_PAUSE_MS = 30_000;
const MOST_LEFT_OUT = 5;

/**
 * `mostMs`: how long one call waits at most for its turn and for pauses; the store's own time for its answer is not counted. `isOne`: one order is wanted;
 * else those that the store can't give are left out.
 */
type RetryLimits = { now(): number; mostMs: number; signal: AbortSignal; isOne?: boolean };

/** A store as a command reads it: it waits for its turn, and for pauses that are short. Throws `NotRead` when waiting is of no use. */
export async function retryingStore(open: () => Promise<ReadableStore>, limits: RetryLimits): Promise<ReadableStore> {
  const store = await retried(open, limits);
  return {
    ...store,
    changedSince: (query) => retried(() => store.changedSince(query), limits),
    ordersById: (sought) => (limits.isOne === true ? retried(() => store.ordersById(sought), limits) : inBlocks(store, sought, limits)),
    showsSince: () => retried(async () => (await store.showsSince?.()) ?? null, limits),
  };
}

/**
 * As many orders at once as the storefront says, and fewer where those are too many. Each failure pauses the store for longer, so an order that it can't give
 * must soon be asked for by itself. It is left out if that fails again once the store's list is answered: else the store failed, not the order. A store
 * that gives none of several in a row fails as a whole.
 */
async function inBlocks(store: ReadableStore, sought: readonly SoughtOrder[], limits: RetryLimits): Promise<FoundOrders> {
  const found: FoundOrders = { news: [], gone: [], unknown: [] };
  let size = ordersAtOnce(store);
  let leftOut = 0;
  for (let at = 0; at < sought.length; ) {
    const block = sought.slice(at, at + size);
    const answer = await retried(() => store.ordersById(block).catch(tooMuch), limits);
    if (answer instanceof UnreadableStore && block.length > 1) {
      size = answer.isCut ? Math.floor(block.length / 2) : Math.ceil(block.length / 10);
      continue;
    }
    const { news, gone, unknown } = answer instanceof UnreadableStore ? await askAgain(store, { block, failed: answer }, limits) : answer;
    leftOut = answer instanceof UnreadableStore && unknown.length > 0 ? leftOut + 1 : 0;
    if (leftOut > MOST_LEFT_OUT) throw answer;
    found.news.push(...news);
    found.gone.push(...gone);
    found.unknown.push(...unknown);
    at += block.length;
  }
  return found;
}

async function askAgain(
  store: ReadableStore,
  { block, failed }: { block: readonly SoughtOrder[]; failed: UnreadableStore },
  limits: RetryLimits,
): Promise<FoundOrders> {
  if (failed.isCut) throw failed;
  await retried(() => store.changedSince({ since: new Date(limits.now()).toISOString(), after: null, size: 1 }), limits);
  const answer = await retried(() => store.ordersById(block).catch(tooMuch), limits);
  if (!(answer instanceof UnreadableStore)) return answer;
  if (answer.isCut) throw answer;
  return { news: [], gone: [], unknown: block.map(({ orderId }) => orderId) };
}

/** Our own limits ended it, or it answered, and could not give these orders. */
function tooMuch(thrown: unknown): UnreadableStore {
  if (thrown instanceof UnreadableStore && (thrown.isCut || (thrown.wasTooMuch && thrown.status !== null))) return thrown;
  throw thrown;
}

async function retried<T>(read: () => Promise<T>, { now, mostMs, signal }: RetryLimits): Promise<T> {
  for (let pauses = 0, leftMs = mostMs; ; ) {
    try {
      return await read();
    } catch (thrown) {
      if (!(thrown instanceof UnreadableStore)) throw thrown;
      if (thrown.kind !== 'full') pauses += 1;
      const waitMs = waitOf(thrown, now());
      if (waitMs === null || pauses > MOST_PAUSES || waitMs > leftMs) throw thrown;
      leftMs -= waitMs;
      await sleep(waitMs, undefined, { signal });
    }
  }
}

/** Null: it is of no use to call again. */
function waitOf({ kind, message, until, isCut }: UnreadableStore, now: number): number | null {
  if (kind === 'full') return RETRY_LOOK_MS;
  if (isCut || until === null || message.startsWith('storefront.refused')) return null;
  const ms = Math.max(RETRY_LOOK_MS, until - now);
  return ms > LONGEST_PAUSE_MS ? null : ms;
}
