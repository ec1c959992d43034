import { ownValue } from '../../contract/own-value.ts';
import type { Connection } from '../connections/connection.ts';
import type { FetchJson, StoreAccess, StoreApi, Storefronts, StoreMeans } from '../storefronts/contract.ts';
import { NotCalled } from '../storefronts/store-failure.ts';
import { calledStore } from '../storefronts/store-host.ts';
import type { AcceptedDelivery } from './jobs.ts';
import type { Store, StoreCalls } from './store-calls.ts';

export type UninstalledDeps = {
  storefronts: Storefronts;
  /** Past the cache: its keys are those of now. */
  connection(id: string): Promise<Connection | null>;
  /** What its store is called with now, as a mark; null: there is no connection. */
  mark(connectionId: string): Promise<string | null>;
  stores: StoreCalls;
  /** Ends the pause of a key that was refused: another one may be there since. */
  forgetRefusal(store: Store): Promise<void>;
  means(connection: Connection, fetchJson: FetchJson, signal: AbortSignal): Promise<StoreMeans>;
  close(connectionId: string): Promise<unknown>;
  /** False: what its store is called with has another mark by now. */
  closeIfStill(connectionId: string, mark: string): Promise<boolean>;
  onLetIn(connectionId: string): void;
  /** ms since 1970 */
  now(): number;
};

/** What a word that the app was uninstalled came to. let-in: the store says otherwise. Throws `AskLater`. */
export type HandleUninstalled = (word: Pick<AcceptedDelivery, 'connectionId' | 'arrivedAt'>) => Promise<'closed' | 'let-in'>;

const SOONEST_MS = 3_000;

/** What the delivery is about can't be found out now: it is to come again after `ms`. */
export class AskLater extends Error {
  override readonly name = 'AskLater';
  readonly ms: number;

  constructor(ms = 0) {
    super();
    this.ms = Math.max(ms, SOONEST_MS);
  }
}

/** All that one store is asked takes no longer. */
const TIMEOUT_MS = 8_000;
/** Of one process; each store once. */
const AT_ONCE = 8;
/** A store that is paused for longer, since the word came, gave no answer. */
const LONGEST_WAIT_MS = 10 * 60_000;
/** Its keys may be given anew, or renewed, while it is asked. */
const ASKS = 3;

/**
 * Closes a connection whose store uninstalled the app, if the store does not say otherwise: such a word may come late, after the app was installed
 * again. Who is refused, or gets no answer, was uninstalled; so was what has no keys to ask with. Asking again after a crash does no harm.
 */
export function handleUninstalled(deps: UninstalledDeps): HandleUninstalled {
  const asked = new Set<string>();
  return async ({ connectionId: id, arrivedAt }) => {
    const known = await deps.connection(id);
    if (known === null || askable(deps, known) === null) return close(deps, id);
    if (asked.has(id) || asked.size >= AT_ONCE) throw new AskLater();
    asked.add(id);
    try {
      return await askAndClose(deps, { id, until: Date.parse(arrivedAt) + LONGEST_WAIT_MS });
    } finally {
      asked.delete(id);
    }
  };
}

async function askAndClose(deps: UninstalledDeps, { id, until }: { id: string; until: number }): Promise<'closed' | 'let-in'> {
  for (let ask = 0; ask < ASKS; ask += 1) {
    // Before the keys are read: who is given others meanwhile has another mark.
    const mark = await deps.mark(id);
    const connection = await deps.connection(id);
    const asking = connection === null ? null : askable(deps, connection);
    if (mark === null || asking === null) return close(deps, id);
    const said = await askStore(deps, asking);
    if (said === 'let-in') {
      deps.onLetIn(id);
      return said;
    }
    if (said === 'not-asked' && deps.now() < until) throw new AskLater();
    if (await deps.closeIfStill(id, mark)) return 'closed';
  }
  throw new AskLater();
}

async function close(deps: UninstalledDeps, id: string): Promise<'closed'> {
  await deps.close(id);
  return 'closed';
}

type Asking = { connection: Connection; access: StoreAccess; letsIn: NonNullable<StoreApi['letsIn']> };

/** Null: the store can't be asked, or need not be. */
function askable({ storefronts }: UninstalledDeps, connection: Connection): Asking | null {
  const letsIn = ownValue(storefronts, connection.platform)?.api?.letsIn;
  const { access, closedAt } = connection;
  return letsIn === undefined || access === null || closedAt !== null ? null : { connection, access, letsIn };
}

async function askStore(
  { stores, forgetRefusal, means }: UninstalledDeps,
  { connection, access, letsIn }: Asking,
): Promise<'let-in' | 'refused' | 'not-asked'> {
  const store = calledStore(connection.id, access);
  await forgetRefusal(store);
  const end = await stores.call(
    store,
    async (fetchJson, ends) => {
      const signal = AbortSignal.any([ends, AbortSignal.timeout(TIMEOUT_MS)]);
      const fetchInTime: FetchJson = (request) =>
        fetchJson({ ...request, signal: request.signal === undefined ? signal : AbortSignal.any([signal, request.signal]) });
      return letsIn(access, await means(connection, fetchInTime, signal));
    },
    new AbortController().signal,
  );
  if (end.kind === 'read') return 'let-in';
  return end.kind === 'failed' && !(end.failure instanceof NotCalled) ? 'refused' : 'not-asked';
}
