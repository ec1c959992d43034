import { setTimeout as sleep } from 'node:timers/promises';
import type { DueNotice } from '../../bridge/delivery/notify.ts';
import { adoptRecord, takeBackRecord } from '../../bridge/ledger/adopt-record.ts';
import { type StoreOrder, storeOrders } from '../../bridge/ledger/store-orders.ts';
import { hasReceipt, receiptDue } from '../../bridge/order/receipt.ts';
import { sameContent } from '../../bridge/order/same-content.ts';
import { compareHead } from '../../bridge/reconciliation/compare-head.ts';
import { handOverWhole } from '../../bridge/reconciliation/read-page.ts';
import type { Said } from '../../contract/said.ts';
import { knownConnection } from '../connections/known-connection.ts';
import type { Entry } from './entries.ts';
import type { RecordsRead } from './read-records.ts';
import { notRead, type StoreRead } from './read-store.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';
import type { Sources } from './sightings.ts';

/** `unread`: orders of which the recorder was perhaps not told. `why`: the store could not be read; null: it was. */
export type HandedToRecorder = { unread: ReadonlySet<string>; why: Said | null };

/** Hands what is unknown or stale here to the recorder, whole, and what the store no longer has as deleted. */
export async function handToRecorder(deps: ReconcileDeps, { store, heads, gone }: StoreRead): Promise<HandedToRecorder> {
  const { connection } = store;
  const known = await deps.knownHeads(connection, [...heads.keys(), ...gone.keys()]);
  const behind = [...heads.values()]
    .filter((head) => compareHead(head, known.get(head.orderId) ?? []) !== 'known')
    .map(({ orderId }) => ({ orderId, placedAt: null }));
  const sought = [...behind, ...gone.values()];
  const wasDeleted = (orderId: string) => known.get(orderId)?.some(({ isDeleted }) => isDeleted) === true;
  try {
    return { unread: new Set((await handOverWhole(deps, store, { sought, wasDeleted })).unread), why: null };
  } catch (thrown) {
    return { unread: new Set(sought.map(({ orderId }) => orderId)), why: notRead(thrown).why };
  }
}

type Deciding = { sources: Sources; records: RecordsRead | null };

/**
 * The ledger takes records as its own that the service has of its sales, and takes back those that it no longer has; the orders are decided again.
 * Only where the facts are of now, for a decision by older ones would undo what was recorded since. Returns how many.
 */
export async function settleRecords(deps: ReconcileDeps, entries: readonly Entry[], deciding: Deciding): Promise<number> {
  const notified: DueNotice[] = [];
  for (const entry of entries) {
    const { order } = entry;
    if (order === null || order.isLeased || !(await settleRecord(deps, { ...entry, order }, deciding))) continue;
    notified.push({ id: order.id, dueAt: 0 });
  }
  deps.notify(notified);
  return notified.length;
}

async function settleRecord(deps: ReconcileDeps, entry: Entry & { order: StoreOrder }, { sources, records }: Deciding): Promise<boolean> {
  const { order, record, found, wanted } = entry;
  if (records === null || found === null) return false;
  const { connection } = sources;
  if (found.why === 'record-gone' && order.standing !== null) {
    // The list may be older than the ledger.
    const isGone = isOfNow(entry) && wanted?.kind === 'record' && (await records.one(order.standing.complianceId)) === null;
    return isGone && takeBackRecord(deps.pool, { ...order, standing: order.standing, said: { by: deps.by } });
  }
  if (entry.service !== 'found' || record === null || !(isOfNow(entry) || (wanted?.kind === 'record' && sameContent(wanted.record, record.record))))
    return false;
  const there = await records.one(record.id);
  if (there === null) return false;
  const standing = { record: there.record, complianceId: there.id, destinationId: connection.destinationId };
  const receipt = hasReceipt(there.record, connection.settings.receipts) ? receiptDue(there.id, deps.now()) : null;
  return adoptRecord(deps.pool, { ...order, standing, receipt, said: { by: deps.by } });
}

function isOfNow({ store }: Entry): boolean {
  return (store.is === 'there' && store.knowledge === 'known') || (store.is === 'gone' && store.known);
}

const LOOK_MS = 200;

type Waiting = { platformIds: readonly string[]; deadline: number; pause: string | null; signal: AbortSignal };

/** Polls until the ledger knows these orders, and none of them is being worked on; or until the deadline (`performance.now()`). */
export async function untilAtRest(deps: ReconcileDeps, given: Sources, waiting: Waiting): Promise<void> {
  while (performance.now() < waiting.deadline && !waiting.signal.aborted) {
    const connection = await knownConnection(deps.connections, given.connection.id);
    const sources = { ...given, connection };
    if ((await areAtRest(deps, sources, waiting)) && (await hasReceived(deps, sources, waiting.platformIds))) return;
    await sleep(LOOK_MS);
  }
}

async function areAtRest({ pool }: ReconcileDeps, { connection }: Sources, { platformIds, pause }: Waiting): Promise<boolean> {
  const moving = new Set(platformIds);
  for await (const page of storeOrders(pool, connection, { platformIds })) {
    for (const { platformId, isBehind, isLeased } of page) if (!isLeased && (!isBehind || pause !== null)) moving.delete(platformId);
  }
  return moving.size === 0;
}

/** Has the recorder merged what was handed over? */
async function hasReceived(deps: ReconcileDeps, { connection, store }: Sources, platformIds: readonly string[]): Promise<boolean> {
  if (store === null) return true;
  const known = await deps.knownHeads(connection, platformIds);
  return platformIds.every((id) => {
    const head = store.heads.get(id);
    const own = known.get(id) ?? [];
    if (head !== undefined) return compareHead(head, own) === 'known';
    return !store.gone.has(id) || own.some(({ isDeleted, lifecycle }) => isDeleted || lifecycle === 'trashed');
  });
}
