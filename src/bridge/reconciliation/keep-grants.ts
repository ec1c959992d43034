import { APP_WARNING, type Connection } from '../connections/connection.ts';
import type { StoreCalls } from '../delivery/store-calls.ts';
import type { FetchJson, StoreAccess, StoreApi, Storefronts, StoreMeans } from '../storefronts/contract.ts';
import { storefrontOf } from '../storefronts/registry.ts';
import { refusalIn, type StoreRefusal } from '../storefronts/store-failure.ts';
import { calledStore } from '../storefronts/store-host.ts';

/** A known token of what a merchant granted to an app. `madeAt`: ISO instant. */
export type GrantedToken = { connectionId: string; token: string; madeAt: string };

export type KeepGrantsDeps = {
  storefronts: Storefronts;
  /** Those of live connections. */
  tokens(): Promise<GrantedToken[]>;
  /** Past the cache: its access is that of now. */
  connection(id: string): Promise<Connection | null>;
  stores: StoreCalls;
  means(connection: Connection, fetchJson: FetchJson): Promise<StoreMeans>;
  /** Keeps a warning on the connection that its store's API refuses us. */
  noteStoreApi(connectionId: string, refusal: StoreRefusal): Promise<void>;
  /** Ends the warning that the app is refused. */
  noteAppTaken(connectionId: string): Promise<void>;
  /** ms since 1970 */
  now(): number;
  /** [0, 1) */
  random(): number;
  onFailed(connectionId: string, err: unknown): void;
};

/** What became of the grants that were due. `left`: stores that are paused, or are called for others, and those that gave no answer: they come next time. */
export type KeptGrants = { renewed: number; refused: number; left: number };

/** However often it is used: a grant lapses after 90 days without a renewal, and one a day shows within a day that a grant is over. */
const DAY_MS = 24 * 3_600_000;
/** Each is due at another time of its last hours, so that stores which were connected together do not stay together. */
const SPREAD_MS = 5 * 3_600_000;
/** Looked at once an hour, each is renewed before its day is over. */
const LOOK_MS = 3_600_000;
const AT_ONCE = 4;
const MOST = 1_000;

/** Renews the grants of live connections that nothing has renewed for most of a day. Any number of processes may do so: each grant is renewed by one. */
export async function keepGrants(deps: KeepGrantsDeps, signal: AbortSignal): Promise<KeptGrants> {
  const due = inAnyOrder(dueOf(deps, await deps.tokens()), deps.random).slice(0, MOST);
  const kept: KeptGrants = { renewed: 0, refused: 0, left: 0 };
  const line = async () => {
    for (let next = due.pop(); next !== undefined && !signal.aborted; next = due.pop()) {
      const became = await keepOne(deps, next, signal);
      if (became !== null) kept[became] += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
  return kept;
}

function dueOf({ now, random }: KeepGrantsDeps, tokens: readonly GrantedToken[]): GrantedToken[] {
  const at = now();
  return tokens.filter(({ madeAt }) => at - Date.parse(madeAt) > DAY_MS - LOOK_MS - random() * SPREAD_MS);
}

/** Two processes that look at once begin at different ends. */
function inAnyOrder<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((one) => ({ one, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

/** Null: there is nothing to renew, or a defect, which is reported. */
async function keepOne(deps: KeepGrantsDeps, { connectionId, token }: GrantedToken, signal: AbortSignal): Promise<keyof KeptGrants | null> {
  try {
    const connection = await deps.connection(connectionId);
    if (connection === null || connection.closedAt !== null || connection.access === null) return null;
    const renew = storefrontOf(deps.storefronts, connection.platform).api?.renewGrant;
    return renew === undefined ? null : await renewOne(deps, { connection, access: connection.access, renew, token, signal });
  } catch (thrown) {
    if (!signal.aborted) deps.onFailed(connectionId, thrown);
    return null;
  }
}

type Renewal = { connection: Connection; access: StoreAccess; renew: NonNullable<StoreApi['renewGrant']>; token: string; signal: AbortSignal };

async function renewOne(deps: KeepGrantsDeps, { connection, access, renew, token, signal }: Renewal): Promise<keyof KeptGrants> {
  const store = calledStore(connection.id, access);
  const end = await deps.stores.call(store, async (fetchJson) => renew(access, await deps.means(connection, fetchJson), token), signal);
  if (end.kind === 'read') {
    if (APP_WARNING in connection.warnings) await deps.noteAppTaken(connection.id);
    return 'renewed';
  }
  const refusal = end.kind === 'failed' ? refusalIn(end.failure) : null;
  if (refusal === null) return 'left';
  await deps.noteStoreApi(connection.id, refusal);
  return 'refused';
}
