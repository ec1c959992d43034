import { setTimeout as sleep } from 'node:timers/promises';
import type { ListedRecord } from '../../bridge/client/port.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import type { DueNotice } from '../../bridge/delivery/notify.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { reevaluate } from '../../bridge/ledger/orders/pending-orders.ts';
import { type StoreOrder, storeOrders } from '../../bridge/ledger/orders/store-orders.ts';
import { adoptRecord, takeBackRecord } from '../../bridge/ledger/review/resolutions.ts';
import { hasReceipt, receiptDue } from '../../bridge/order/decisions/claim.ts';
import { sameContent } from '../../bridge/order/money/same-content.ts';
import { compareSummary } from '../../bridge/reconciliation/compare-summary.ts';
import { handOverWhole, type ReadableStore } from '../../bridge/reconciliation/read-page.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import { counted } from '../../contract/plural.ts';
import { knownConnection } from '../connections/known-connection.ts';
import { entriesOf, isRepairable, observations, type ReportEntry, type Sources } from './entries.ts';
import { type FileRead, type NoRecordList, type RecordsRead, readFile, readRecords } from './read-records.ts';
import { type ListedStore, notRead, readStore } from './read-store.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';
import { type Reconciled, reportOf } from './report.ts';
import type { Window } from './window.ts';

/** `timeoutMs`: how long it waits for what it repairs, and in each call of a store for its pauses. `onRead`: how many orders the store has listed so far. */
export type ReconcileInput = { window: Window; dryRun: boolean; timeoutMs: number; signal: AbortSignal; onRead(count: number): void };

/** `isWhole` false: a store, or a service that lists its records, could not be read. One result a currency. */
export type ReconcileResult = { results: Reconciled[]; isWhole: boolean };

/** Everything that was read, and what came of it. */
type Round = { entries: ReportEntry[]; records: RecordsRead | NoRecordList; file: FileRead | NoRecordList | null; pause: string | null };

/**
 * Holds a store, the ledger, the compliance service and, for a month, its file against each other. Without `dryRun` it repairs: through the recorder,
 * and by taking records as the ledger's that the service has of its sales; then it counts again what is left.
 */
export async function reconcile(deps: ReconcileDeps, connection: Connection, input: ReconcileInput): Promise<ReconcileResult> {
  const { window, dryRun } = input;
  const { store, unchecked } = await openAndRead(deps, connection, input);
  const sources: Sources = { connection, window, store };
  const first = await round(deps, sources);
  const { last, handed } = dryRun ? { last: first, handed: allHanded } : await repair(deps, { sources, first }, input);
  const left = new Set(last.entries.flatMap(({ found, orderId }) => (found === null ? [] : [orderId])));
  const repaired = new Set(first.entries.flatMap(({ found, orderId }) => (found === null || left.has(orderId) ? [] : [orderId])));
  const older = first.entries.flatMap(({ found, summary }) => (found?.why === 'older' && summary !== null ? [summary] : []));
  if (!dryRun && older.length > 0) await deps.noteUnread(connection.id, { unread: [], read: older, older });
  if (!dryRun) await writeRepaired(deps, connection, { window, first, repaired: repaired.size, left: left.size });
  const { records, file } = last;
  const why = [...unchecked, ...unreported(handed), ...[records, file].flatMap((side) => (side !== null && 'why' in side ? [side.why] : []))];
  const results = reportOf(last.entries, {
    ...{ connection: connection.id, window, unchecked: why, repaired },
    ...{ store: store !== null, service: !('why' in records), file: file !== null && !('why' in file) },
  });
  return {
    results,
    isWhole: store !== null && unreported(handed).length === 0 && ![records, file].some((side) => side !== null && 'isFailure' in side && side.isFailure),
  };
}

type Outcome = { window: Window; first: Round; repaired: number; left: number };

/** What a run came to, if there was anything to repair; each record that the ledger took or gave up has an act of its own. */
async function writeRepaired({ pool, by }: ReconcileDeps, { id }: Connection, { window: { from, to }, first, repaired, left }: Outcome): Promise<void> {
  const found = Object.groupBy(
    first.entries.flatMap((entry) => (entry.found === null ? [] : [entry.found.why])),
    (why) => why,
  );
  const differences = Object.fromEntries(Object.entries(found).map(([why, of]) => [why, of?.length ?? 0]));
  if (Object.keys(differences).length === 0) return;
  await writeBridgeActs(pool, [{ who: by, act: 'store.reconciled', connectionId: id, before: differences, after: { from, to, repaired, left } }]);
}

async function openAndRead(
  deps: ReconcileDeps,
  connection: Connection,
  input: ReconcileInput,
): Promise<{ store: ListedStore | null; unchecked: LocalizedText[] }> {
  try {
    const store = await deps.openStore(connection, input.timeoutMs);
    if (store === null) return { store: null, unchecked: [whyClosed(connection)] };
    const read = await readStore(deps, store, input);
    const unsaid = read.unknown.length === 0 ? [] : [unsaidWords(read.unknown.length)];
    return { store: read, unchecked: [...(await hiddenWords(store, input.window)), ...unsaid] };
  } catch (thrown) {
    return { store: null, unchecked: [notRead(thrown).why] };
  }
}

function unsaidWords(n: number): LocalizedText {
  return {
    en: `the store does not say whether it still has ${n} of its orders, such as those older than 60 days for a key without the right to all orders`,
    bg: `магазинът не казва дали още ги има за ${counted.bg(n, 'своя поръчка', 'свои поръчки')}, например по-стари от 60 дни при ключ без право на всички поръчки`,
  };
}

async function hiddenWords(store: ReadableStore, { from }: Window): Promise<LocalizedText[]> {
  const since = (await store.showsSince?.()) ?? null;
  if (since === null || Date.parse(since) <= Date.parse(from)) return [];
  return [
    {
      en: `orders placed before ${since} are hidden from the key of the store’s API: it has no right to all orders, but to those of the last 60 days`,
      bg: `поръчките, направени преди ${since}, са скрити за ключа за API на магазина: той няма право на всички поръчки, а само на тези от последните 60 дни`,
    },
  ];
}

function whyClosed({ id, access }: Connection): LocalizedText {
  if (access !== null) return { en: 'the store’s API does not list its orders', bg: 'API на магазина не показва поръчките му' };
  return {
    en: `there is no key of the store’s API: give its address and key (\`orderbridge reconnect ${id} --store-url\`, with the options of its platform)`,
    bg: `няма ключ за API на магазина: дайте адреса и ключа му`,
  };
}

async function round(deps: ReconcileDeps, given: Sources): Promise<Round> {
  const connection = await knownConnection(deps.connections, given.connection.id);
  const sources = { ...given, connection };
  const { window } = sources;
  const records = await readRecords(deps, connection, window);
  const isRead = !('why' in records);
  const { month } = window;
  const file = isRead && month !== null ? await readFile(deps, records, { shopId: connection.shopId, month }) : null;
  const listed: ListedRecord[] = isRead ? [...records.records.values()] : [];
  const ids = { complianceIds: listed.map(({ id }) => id), internalIds: listed.map(({ internalId }) => internalId) };
  const seen = await observations(deps, sources, ids);
  const pause = await pauseOf(deps, connection);
  const fileRead = file === null || 'why' in file ? null : file;
  const entries = await entriesOf(deps, { sources, records: isRead ? records : null, file: fileRead, seen, pause });
  return { entries, records, file, pause };
}

async function pauseOf({ destinations }: ReconcileDeps, { destinationId, shopId }: Connection): Promise<string | null> {
  const pauses = await destinations.pauses();
  return (
    pauses.find((one) => one.callType === 'records' && one.destinationId === destinationId && (one.shopId === null || one.shopId === shopId))?.code ?? null
  );
}

const allHanded: HandedToRecorder = { unread: new Set(), why: null };

function unreported({ unread, why }: HandedToRecorder): LocalizedText[] {
  if (why !== null) return [why];
  const orders = [...unread].join(', ');
  const said = {
    en: `orders that the store lists could not be read whole: ${orders}`,
    bg: `поръчки, които магазинът показва, не можаха да бъдат прочетени изцяло: ${orders}`,
  };
  return unread.size === 0 ? [] : [said];
}

type Repaired = { last: Round; handed: HandedToRecorder };

async function repair(deps: ReconcileDeps, { sources, first }: { sources: Sources; first: Round }, { timeoutMs, signal }: ReconcileInput): Promise<Repaired> {
  const { store } = sources;
  const deadline = performance.now() + timeoutMs;
  const handed = store === null ? allHanded : await handToRecorder(deps, store);
  const repairable = ({ entries }: Round) =>
    entries.flatMap((entry) => (isRepairable(entry) ? [entry.order?.platformId ?? entry.orderId] : [])).filter((id) => !handed.unread.has(id));
  // Whoever changed the settings may have died before what counts by them was decided again.
  const isOverlooked = ({ found, order }: ReportEntry) => found?.why === 'waits' && order?.isPending === false;
  if (first.entries.some(isOverlooked)) deps.notify(await reevaluate(deps.pool, { unrecordedOf: sources.connection.id }));
  let last = first;
  while (performance.now() < deadline && !signal.aborted && repairable(last).length > 0) {
    const { records } = last;
    await reconcileRecords(deps, last.entries, { sources, records: 'why' in records ? null : records });
    await untilAtRest(deps, sources, { platformIds: repairable(last), deadline, pause: last.pause, signal });
    const next = await round(deps, sources);
    if (isSame(last, next)) return { last: next, handed };
    last = next;
  }
  return { last: last === first ? await round(deps, sources) : last, handed };
}

/** Nothing more comes of it. */
function isSame(before: Round, after: Round): boolean {
  const text = ({ entries }: Round) =>
    JSON.stringify(entries.flatMap(({ found, orderId, order }) => (found === null ? [] : [[orderId, found.why, order?.version]])));
  return text(before) === text(after);
}

/** `unread`: orders of which the recorder was perhaps not told. `why`: the store could not be read; null: it was. */
type HandedToRecorder = { unread: ReadonlySet<string>; why: LocalizedText | null };

/** Hands what is unknown or stale here to the recorder, whole, and what the store no longer has as deleted. */
async function handToRecorder(deps: ReconcileDeps, { store, summaries, gone }: ListedStore): Promise<HandedToRecorder> {
  const { connection } = store;
  const known = await deps.knownSummaries(connection, [...summaries.keys(), ...gone.keys()]);
  const outdated = [...summaries.values()]
    .filter((summary) => compareSummary(summary, known.get(summary.orderId) ?? []) !== 'known')
    .map(({ orderId }) => ({ orderId, placedAt: null }));
  const sought = [...outdated, ...gone.values()];
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
async function reconcileRecords(deps: ReconcileDeps, entries: readonly ReportEntry[], deciding: Deciding): Promise<number> {
  const notified: DueNotice[] = [];
  for (const entry of entries) {
    const { order } = entry;
    if (order === null || order.isLeased || !(await reconcileRecord(deps, { ...entry, order }, deciding))) continue;
    notified.push({ id: order.id, dueAt: 0 });
  }
  deps.notify(notified);
  return notified.length;
}

async function reconcileRecord(deps: ReconcileDeps, entry: ReportEntry & { order: StoreOrder }, { sources, records }: Deciding): Promise<boolean> {
  const { order, record, found, wanted } = entry;
  if (records === null || found === null) return false;
  const { connection } = sources;
  if (found.why === 'record-gone' && order.current !== null) {
    // The list may be older than the ledger.
    const isGone = isOfNow(entry) && wanted?.kind === 'record' && (await records.one(order.current.complianceId)) === null;
    return isGone && takeBackRecord(deps.pool, { ...order, current: order.current, said: { by: deps.by } });
  }
  if (entry.service !== 'found' || record === null || !(isOfNow(entry) || (wanted?.kind === 'record' && sameContent(wanted.record, record.record))))
    return false;
  const there = await records.one(record.id);
  if (there === null) return false;
  const current = { record: there.record, complianceId: there.id, destinationId: connection.destinationId };
  const receipt = hasReceipt(there.record, connection.settings.receipts) ? receiptDue(there.id, deps.now()) : null;
  return adoptRecord(deps.pool, { ...order, current, receipt, said: { by: deps.by } });
}

function isOfNow({ store }: ReportEntry): boolean {
  return (store.is === 'there' && store.knowledge === 'known') || (store.is === 'gone' && store.known);
}

const LOOK_MS = 200;

type Waiting = { platformIds: readonly string[]; deadline: number; pause: string | null; signal: AbortSignal };

/** Polls until the ledger knows these orders, and none of them is being worked on; or until the deadline (`performance.now()`). */
async function untilAtRest(deps: ReconcileDeps, given: Sources, waiting: Waiting): Promise<void> {
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
    for (const { platformId, isPending, isLeased } of page) if (!isLeased && (!isPending || pause !== null)) moving.delete(platformId);
  }
  return moving.size === 0;
}

/** Has the recorder merged what was handed over? */
async function hasReceived(deps: ReconcileDeps, { connection, store }: Sources, platformIds: readonly string[]): Promise<boolean> {
  if (store === null) return true;
  const known = await deps.knownSummaries(connection, platformIds);
  return platformIds.every((id) => {
    const summary = store.summaries.get(id);
    const own = known.get(id) ?? [];
    if (summary !== undefined) return compareSummary(summary, own) === 'known';
    return !store.gone.has(id) || own.some(({ isDeleted, lifecycle }) => isDeleted || lifecycle === 'trashed');
  });
}
