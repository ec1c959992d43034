import type { ListedRecord } from '../../bridge/client/port.ts';
import { type Connection, termsOf } from '../../bridge/connections/connection.ts';
import { currentInShop, type StoreOrder, storeOrders } from '../../bridge/ledger/orders/store-orders.ts';
import type { Desired } from '../../bridge/order/decisions/desired.ts';
import { wantedOf } from '../../bridge/order/decisions/wanted.ts';
import { isBasket, isDeleted } from '../../bridge/order/facts/facts.ts';
import { sameContent } from '../../bridge/order/money/same-content.ts';
import { compareSummary, isOlderThere, type KnownSummary } from '../../bridge/reconciliation/compare-summary.ts';
import {
  differenceOf,
  type FileFinding,
  type FoundDifference,
  type LedgerFinding,
  type ServiceFinding,
  type StoreFinding,
  type Why,
} from '../../bridge/reconciliation/difference.ts';
import { isOfSale, ledgerFindingOf, paidAsWanted, paidByList } from '../../bridge/reconciliation/order-findings.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { OrderSummary } from '../../bridge/storefronts/store-reader.ts';
import { typesWithoutReceipt } from '../../contract/order-dto.ts';
import { sofiaDay } from '../../service/law/calendar.ts';
import { firstMonthInTerm } from '../../service/law/deadlines.ts';
import type { FileRead, FileRow, RecordsRead } from './read-records.ts';
import type { ListedStore } from './read-store.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';
import { isInWindow, soldAtOf, soldAtOfSummary, type Window } from './window.ts';

/** One order of the window, or a record without one, as all sources have it. `record`: its own at the service, or the one found for it. */
export type ReportEntry = Omit<Observation, 'soldAt'> & {
  ledger: LedgerFinding | null;
  service: ServiceFinding;
  record: ListedRecord | null;
  file: FileFinding;
  /** Its row in the file, in the accounting currency. */
  row: (FileRow & { currency: string }) | null;
  found: FoundDifference | null;
};

type Read = { sources: Sources; records: RecordsRead | null; file: FileRead | null; seen: readonly Observation[]; pause: string | null };

/** Compares the sources of each order of the window. */
export async function entriesOf(deps: ReconcileDeps, read: Read): Promise<ReportEntry[]> {
  const spare = await unclaimed(deps, read);
  const entries: ReportEntry[] = [];
  for (const observation of read.seen) {
    const entry = await entryOf(read, observation, spare);
    if (entry !== null) entries.push(entry);
  }
  for (const record of [...spare.values()].flat()) {
    if (!isInWindow(read.sources.window, { soldAt: record.record.internalCreatedAt, month: record.month })) continue;
    const alone = { orderId: record.internalId, summary: null, order: null, wanted: null, store: { is: 'unread' } } as const;
    entries.push(judged({ ...alone, ledger: null, service: 'found', record, ...inFile(read, record) }));
  }
  return [...entries, ...leftInFile(deps, read)];
}

/** Records of the list that no order of the shop stands for, by the `internalId` that they were made under. */
async function unclaimed(deps: ReconcileDeps, { sources, records }: Read): Promise<Map<string, ListedRecord[]>> {
  if (records === null) return new Map();
  const current = await currentInShop(deps.pool, sources.connection.shopId, [...records.records.keys()]);
  const spare = [...records.records.values()].filter(({ id }) => !current.has(id));
  return Map.groupBy(spare, ({ internalId }) => internalId);
}

async function entryOf(read: Read, observation: Observation, spare: Map<string, ListedRecord[]>): Promise<ReportEntry | null> {
  const { window } = read.sources;
  const { order, orderId, soldAt, ...rest } = observation;
  const listed = order?.current == null ? undefined : read.records?.records.get(order.current.complianceId);
  const candidate = listed === undefined ? (spare.get(orderId)?.[0] ?? null) : null;
  const isNear = listed !== undefined || candidate !== null || (soldAt !== null && isInWindow(window, { soldAt, month: null }));
  if (soldAt === null || !isNear) return null;
  const own = listed ?? (await elsewhere(read, observation));
  const record = own ?? candidate;
  if (!isInWindow(window, { soldAt, month: record?.month ?? null })) return null;
  if (own === null && candidate !== null) taken(spare, candidate);
  const { ledger, service } = wordsOf(read, observation, { own, candidate });
  return judged({ ...rest, order, orderId, ledger, service, record, ...(own === null ? notInFile : inFile(read, own)) });
}

function wordsOf(read: Read, observation: Observation, found: Omit<Records, 'isElsewhere'>): Pick<ReportEntry, 'ledger' | 'service'> {
  const { order, wanted } = observation;
  const ledger = order === null || wanted === null ? null : ledgerFindingOf(order, wanted, read.pause);
  if (read.records === null) return { ledger, service: 'unread' };
  return { ledger, service: serviceFinding(observation, { ...found, isElsewhere: isOtherDestination(read, observation) }) };
}

/** The current record, if the list of the months does not have it: it may be in another one. */
async function elsewhere(read: Read, observation: Pick<Observation, 'order'>): Promise<ListedRecord | null> {
  const current = observation.order?.current ?? null;
  if (current === null || read.records === null || isOtherDestination(read, observation)) return null;
  return read.records.one(current.complianceId);
}

// A record that was made with another key can only be read with it.
function isOtherDestination({ sources }: Read, { order }: Pick<Observation, 'order'>): boolean {
  return order?.current != null && order.current.destinationId !== sources.connection.destinationId;
}

function taken(spare: Map<string, ListedRecord[]>, { internalId, id }: ListedRecord): void {
  spare.set(
    internalId,
    (spare.get(internalId) ?? []).filter((one) => one.id !== id),
  );
}

type Records = { own: ListedRecord | null; candidate: ListedRecord | null; isElsewhere: boolean };

function serviceFinding({ order, summary }: Pick<Observation, 'order' | 'summary'>, { own, candidate, isElsewhere }: Records): ServiceFinding {
  if (isElsewhere) return 'unread';
  const current = order?.current ?? null;
  if (own !== null && current !== null) return sameContent(own.record, current.record) ? 'same' : 'differs';
  if (candidate === null) return 'none';
  const createdAt = order?.facts.snapshot?.createdAt;
  if (createdAt === undefined) return order === null && summary !== null ? 'found' : 'other';
  return isOfSale(candidate.record, createdAt) ? 'found' : 'other';
}

type InFile = Pick<ReportEntry, 'file' | 'row'>;
const notInFile: InFile = { file: 'unread', row: null };

function inFile({ file, sources }: Read, { documentNumber, accountingTotal, accountingCurrency, month, record }: ListedRecord): InFile {
  if (file === null || month !== sources.window.month) return notInFile;
  const row = file.rows.get(documentNumber);
  // A shop may leave orders without a receipt out of its file.
  if (row === undefined) return typesWithoutReceipt.has(record.paymentType) ? notInFile : { file: 'missing', row: null };
  const isSame = accountingTotal === null || Number(row.total) === Number(accountingTotal);
  return { file: isSame ? 'listed' : 'differs', row: { ...row, currency: accountingCurrency } };
}

/** What the file lists of orders that are recorded no more. That of a closed month stays as it is: they become returns. */
function leftInFile({ now }: ReconcileDeps, { file, records, sources }: Read): ReportEntry[] {
  const { month } = sources.window;
  if (file === null || records === null || month === null) return [];
  const isClosed = file.monthState === 'filed' || month < firstMonthInTerm(sofiaDay(new Date(now()).toISOString()));
  if (isClosed) return [];
  const recorded = new Set([...records.records.values()].map(({ documentNumber }) => documentNumber));
  const currency = [...records.records.values()][0]?.accountingCurrency ?? 'EUR';
  const alone = { summary: null, order: null, wanted: null, store: { is: 'unread' }, ledger: null, service: 'none', record: null, file: 'left' } as const;
  return [...file.rows].flatMap(([document, row]) => (recorded.has(document) ? [] : [judged({ ...alone, orderId: row.number, row: { ...row, currency } })]));
}

function judged(entry: Omit<ReportEntry, 'found'>): ReportEntry {
  return { ...entry, found: differenceOf(entry) };
}

/** Differences that end without a person. */
const REPAIRABLE: readonly Why[] = ['unknown', 'stale', 'gone', 'adopt', 'record-gone', 'waits', 'replace'];

export function isRepairable({ found, ledger }: Pick<ReportEntry, 'found' | 'ledger'>): boolean {
  return found !== null && REPAIRABLE.includes(found.why) && (ledger?.code == null || found.why === 'adopt' || found.why === 'record-gone');
}

/** An order as the sources have it. `wanted`: by the ledger's facts. `soldAt`: ISO instant. */
type Observation = {
  orderId: string;
  summary: OrderSummary | null;
  order: StoreOrder | null;
  wanted: Desired | null;
  soldAt: string | null;
  store: StoreFinding;
};

/** What was read of the other sources; null: not. */
export type Sources = { connection: Connection; window: Window; store: ListedStore | null };

/** Of the records that the service lists. */
type RecordIds = { complianceIds: readonly string[]; internalIds: readonly string[] };

/** Every order that the store lists, or the ledger has of the window or of these records, with the store's finding on it. */
export async function observations(
  deps: ReconcileDeps,
  { connection, window, store }: Sources,
  { complianceIds, internalIds }: RecordIds,
): Promise<Observation[]> {
  const summaries = store?.summaries ?? new Map<string, OrderSummary>();
  const known = await deps.knownSummaries(connection, [...summaries.keys()]);
  const terms = termsOf(connection, storefrontOf(storefronts, connection.platform));
  const seen = new Set<string>();
  const found: Observation[] = [];
  const query = { since: window.from, platformIds: [...summaries.keys(), ...internalIds], complianceIds };
  for await (const page of storeOrders(deps.pool, connection, query)) {
    for (const order of page) {
      const wanted = wantedOf(order, terms);
      // Of several orders of one id the list means the first one.
      const summary = seen.has(order.platformId) ? null : (summaries.get(order.platformId) ?? null);
      seen.add(order.platformId);
      const finding = storeFinding({ store, connection, summary, known: known.get(order.platformId) ?? [] }, { order, wanted });
      found.push({
        orderId: order.key.orderId,
        summary,
        order,
        wanted,
        soldAt: soldAtOf(order.facts, window) ?? (summary === null ? null : soldAtOfSummary(summary, window)),
        store: finding,
      });
    }
  }
  const strangers = [...summaries.values()].filter((summary) => !seen.has(summary.orderId) && !isBasket(summary));
  return [...found, ...strangers.map((summary) => stranger(summary, { connection, window }))];
}

function stranger(summary: OrderSummary, { connection, window }: Pick<Sources, 'connection' | 'window'>): Observation {
  const store: StoreFinding = { is: 'there', knowledge: 'unknown', paid: summary.lifecycle === 'trashed' ? null : paidByList(summary, connection) };
  return { orderId: summary.orderId, summary, order: null, wanted: null, soldAt: soldAtOfSummary(summary, window), store };
}

type Listed = { store: ListedStore | null; connection: Connection; summary: OrderSummary | null; known: readonly KnownSummary[] };

function storeFinding({ store, connection, summary, known }: Listed, { order, wanted }: { order: StoreOrder; wanted: Desired }): StoreFinding {
  const { snapshot } = order.facts;
  if (store === null) return { is: 'unread' };
  if (summary === null) {
    const isGone = store.gone.has(order.platformId);
    return isGone ? { is: 'gone', known: snapshot !== null && (snapshot.lifecycle === 'trashed' || isDeleted(order.facts, snapshot)) } : { is: 'unread' };
  }
  const knowledge = compareSummary(summary, known);
  if (summary.lifecycle === 'trashed') return { is: 'gone', known: knowledge === 'known' };
  if (isOlderThere(summary, known, store.listedAt)) return { is: 'there', knowledge, isOlder: true, paid: paidByList(summary, connection) };
  const current = order.current?.record ?? null;
  const paid = knowledge === 'known' ? paidAsWanted(asKnown(summary, order), { facts: order.facts, wanted, current }) : paidByList(summary, connection);
  return { is: 'there', knowledge, paid };
}

// Of an order that changed since it was listed the ledger knows more than the list.
function asKnown(summary: OrderSummary, { facts: { snapshot } }: StoreOrder): OrderSummary {
  return snapshot !== null && snapshot.updatedAt !== summary.updatedAt ? { ...summary, kept: null } : summary;
}
