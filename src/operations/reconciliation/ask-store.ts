import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../../bridge/connections/connection.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { findOrder } from '../../bridge/ledger/orders/read-orders.ts';
import { readAnew, wantWindow } from '../../bridge/ledger/sync/sync-store.ts';
import { handOverWhole, type ReadableStore, type ReadPageDeps } from '../../bridge/reconciliation/read-page.ts';
import type { Storefronts } from '../../bridge/storefronts/contract.ts';
import { storefrontOf } from '../../bridge/storefronts/registry.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type FindConnection, knownConnection, liveConnections } from '../connections/known-connection.ts';
import { Refusal } from '../refusal.ts';
import { notRead } from './read-store.ts';
import { windowOf } from './window.ts';

export type AskDeps = ReadPageDeps & {
  pool: Pool;
  connections: FindConnection;
  openStore(connection: Connection, waitMs: number, isOne?: true): Promise<ReadableStore | null>;
};

/** `said`: a number or the platform's id, as a person types it. */
type AskedFor = { connection: string; said: string; by: Actor };

/** `id`: in the ledger; null: it is on its way there. `days`: how far back the numbers of all changed orders were looked through; 0: too many changed. */
type StoreAnswer = { is: 'found'; orderId: string; id: number | null } | { is: 'none'; store: string; days: number };

/** Lists begin with the oldest change: that of a busy store would end before the newest, were it begun far back at once. */
const DAYS = [2, 7, 31];
const PAGES = 10;
const PAGE = 100;
const TURN_MS = 5_000;
const LEDGER_MS = 5_000;
const LOOK_MS = 100;

/** Can the store be asked for an order that no webhook announced? */
export function canBeQueried(storefronts: Storefronts, { platform, access, closedAt }: Pick<Connection, 'platform' | 'access' | 'closedAt'>): boolean {
  return closedAt === null && access !== null && storefrontOf(storefronts, platform).api?.changedSince !== undefined;
}

/** Asks a store for one order, by its id or by the number of one that changed lately, and takes in what it says, as its webhook would have. */
export async function askForOrder(deps: AskDeps, { connection: named, said, by }: AskedFor): Promise<StoreAnswer> {
  const connection = await knownConnection(deps.connections, named);
  if (connection.closedAt !== null) {
    throw new Refusal('conflict', { en: 'the store is disconnected, so nothing of it is recorded', bg: 'магазинът е изключен и нищо от него не се записва' });
  }
  const { orderId, days } = await read(async () => {
    const store = await opened(deps, connection);
    const isNumber = said.trim().startsWith('#');
    const id = isNumber ? null : await byId(store, said);
    const listed = id === null ? await byNumber(deps, store, said) : { orderId: id, days: 0 };
    const found = listed.orderId ?? (isNumber ? await byId(store, said) : null);
    if (found !== null) await takeIn(deps, store, found);
    return { orderId: found, days: listed.days };
  });
  // What was typed may be anything, such as a name: only an id that the store knows is kept.
  await writeBridgeActs(deps.pool, [{ who: by, act: 'store.queried', connectionId: connection.id, ...(orderId === null ? {} : { subject: orderId }) }]);
  if (orderId === null) return { is: 'none', store: connection.name, days };
  return { is: 'found', orderId, id: await inLedger(deps.pool, connection.id, orderId) };
}

const LATE: LocalizedText = { en: 'the store did not answer in time', bg: 'магазинът не отговори навреме' };

async function read<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown;
    const isLate = thrown instanceof Error && (thrown.name === 'TimeoutError' || thrown.name === 'AbortError');
    throw new Refusal('unavailable', isLate ? LATE : notRead(thrown).why);
  }
}

async function opened(deps: AskDeps, connection: Connection): Promise<ReadableStore> {
  const store = await deps.openStore(connection, TURN_MS, true);
  if (store !== null) return store;
  const said = {
    en: `the store ${connection.name} can’t be asked: there is no key of its API, or it lists no orders`,
    bg: `магазинът ${connection.name} не може да бъде попитан: няма ключ за API или не показва поръчки`,
  };
  throw new Refusal('conflict', { ...said, advice: `give its address and key with \`orderbridge reconnect ${connection.id}\`` });
}

async function byId(store: ReadableStore, said: string): Promise<string | null> {
  const id = said.trim().replace(/^#/, '');
  if (!/^\d{1,20}$/.test(id)) return null;
  const { news } = await store.ordersById([{ orderId: id, placedAt: null }]);
  return news[0]?.orderId ?? null;
}

/** Platforms find orders by their ids alone: the numbers of those that changed lately are looked through. */
async function byNumber({ now }: AskDeps, store: ReadableStore, said: string): Promise<{ orderId: string | null; days: number }> {
  let days = 0;
  for (const span of DAYS) {
    const found = await inList(store, { since: new Date(now() - span * 86_400_000).toISOString(), said });
    if (found === 'too-many') break;
    if (found !== null) return { orderId: found.orderId, days };
    days = span;
  }
  return { orderId: null, days };
}

async function inList(store: ReadableStore, { since, said }: { since: string; said: string }): Promise<{ orderId: string } | 'too-many' | null> {
  const wanted = plain(said);
  let after: string | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const { summaries, next }: Awaited<ReturnType<ReadableStore['changedSince']>> = await store.changedSince({ since, after, size: PAGE });
    const found = summaries.find(({ orderId, number, isGone }) => isGone === undefined && (orderId === said.trim() || plain(number) === wanted));
    if (found !== undefined) return found;
    if (next === null) return null;
    after = next;
  }
  return 'too-many';
}

function plain(number: string): string {
  return number.trim().replace(/^#/, '').toLowerCase();
}

async function takeIn(deps: AskDeps, store: ReadableStore, orderId: string): Promise<void> {
  const known = await deps.knownSummaries(store.connection, [orderId]);
  const wasDeleted = () => known.get(orderId)?.some(({ isDeleted }) => isDeleted) === true;
  await handOverWhole(deps, store, { sought: [{ orderId, placedAt: null }], wasDeleted });
}

/** The recorder takes it in a moment, if a worker runs. */
async function inLedger(pool: Pool, connectionId: string, orderId: string): Promise<number | null> {
  for (const deadline = performance.now() + LEDGER_MS; performance.now() < deadline; await sleep(LOOK_MS)) {
    const order = await findOrder(pool, connectionId, orderId);
    if (order !== null) return order.id;
  }
  return null;
}

/** `named`: a connection. `since`: ISO instant; if left out: the beginning of last month. */
type ReadingWanted = { named: string; since?: string | undefined; by: Actor };

/** Has a store read again by a worker as soon as one can: what changed since then, and what is gone. What was being read of it begins anew (`isAnew`). */
export async function readNow(
  { pool, connections, storefronts }: { pool: Pool; connections: FindConnection; storefronts: Storefronts },
  { named, since, by }: ReadingWanted,
): Promise<{ id: string; name: string; since: string; isAnew: boolean }> {
  const [connection] = await liveConnections(connections, named);
  if (connection === undefined || !canBeQueried(storefronts, connection)) {
    const said = {
      en: `the store ${connection?.name ?? named} can’t be read: there is no key of its API, or it lists no orders`,
      bg: `магазинът ${connection?.name ?? named} не може да бъде прочетен: няма ключ за неговия API или той не показва поръчки`,
    };
    throw new Refusal('conflict', { ...said, advice: `give its address and key with \`orderbridge reconnect ${connection?.id ?? named}\`` });
  }
  const from = since ?? windowOf({}, Date.now()).from;
  await writeBridgeActs(pool, [{ who: by, act: 'store.read-wanted', connectionId: connection.id, after: { since: from } }]);
  await wantWindow(pool, connection.id, { since: from, why: 'a person wanted it' });
  const isAnew = await readAnew(pool, connection.id);
  return { id: connection.id, name: connection.name, since: from, isAnew };
}
