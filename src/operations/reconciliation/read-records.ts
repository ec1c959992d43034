import type { Endpoint, Listed, ListedFile, ListedRecord, RecordQuery } from '../../bridge/client/port.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import { Failure } from '../../bridge/order/facts/failure.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import { readAuditFile } from '../../service/audit/format/audit-reader.ts';
import { addMonths, monthOf, sofiaDay } from '../../service/law/calendar.ts';
import { firstMonthInTerm } from '../../service/law/deadlines.ts';
import { Refusal } from '../refusal.ts';
import { quotedFailure } from '../words.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';
import { monthsOf, type Window } from './window.ts';

/** The records of a shop by their ids. `one`: a record that is not in the list; null: the service says that it has none of this id. */
export type RecordsRead = { endpoint: Endpoint; records: Map<string, ListedRecord>; one(complianceId: string): Promise<ListedRecord | null> };

/** The newest version of a month's file: what it lists, by document number. */
export type FileRead = { version: number; monthState: string; rows: Map<string, FileRow> };

/** `number`: what people call the order. `total`: in the accounting currency. */
export type FileRow = { number: string; total: string };

/** `isFailure`: it should have been read. */
export type NoRecordList = { why: LocalizedText; isFailure: boolean };

/** The records of a connection's shop in the months of the window; or why the service does not list them. */
export async function readRecords(deps: ReconcileDeps, { destinationId, shopId }: Connection, window: Window): Promise<RecordsRead | NoRecordList> {
  return orWhy(async () => {
    const endpoint = await endpointOf(deps, destinationId);
    const records = new Map<string, ListedRecord>();
    for (const month of monthsOf(window, deps.now())) {
      const listed = await all((query) => deps.records.listRecords(endpoint, query), { shopId, month, after: null });
      if (listed === null) return noList;
      for (const record of listed) records.set(record.id, record);
    }
    const one = async (complianceId: string) => {
      const read = await deps.records.readRecord(endpoint, complianceId);
      return read === 'not-listed' ? Promise.reject(new Failure('compliance.unreachable', `the service does not show the record ${complianceId}`)) : read;
    };
    return { endpoint, records, one };
  });
}

/** The newest version of the file of a month; or why there is none to read. */
export async function readFile(
  deps: ReconcileDeps,
  { endpoint }: RecordsRead,
  { shopId, month }: { shopId: string; month: string },
): Promise<FileRead | NoRecordList> {
  return orWhy(async () => {
    const files = await all<ListedFile>((query) => deps.records.listFiles(endpoint, query), { shopId, month, after: null });
    const newest = files?.toSorted((a, b) => b.version - a.version)[0];
    if (newest === undefined) return { why: { en: `the service has no file of ${month} yet`, bg: `услугата още няма файл за ${month}` }, isFailure: false };
    const rows = new Map<string, FileRow>();
    await readAuditFile(deps.records.fileContent(endpoint, newest.id), {
      order: ({ documentNumber, number, total }) => void rows.set(documentNumber ?? '', { number: number ?? '', total: total ?? '' }),
      return: () => undefined,
    });
    return { version: newest.version, monthState: newest.monthState, rows };
  });
}

/** The months of a shop whose file is marked as filed; empty if the service does not list them. */
async function filedMonths(deps: ReconcileDeps, { destinationId, shopId }: Connection): Promise<Set<string>> {
  const files = await orWhy(async () => {
    const endpoint = await endpointOf(deps, destinationId);
    return (await all<ListedFile>((query) => deps.records.listFiles(endpoint, query), { shopId, month: null, after: null })) ?? [];
  });
  return new Set('why' in files ? [] : files.flatMap(({ month, monthState }) => (monthState === 'filed' ? [month] : [])));
}

const noList: NoRecordList = {
  why: { en: 'the compliance service does not list its records', bg: 'услугата за отчитане не показва записите си' },
  isFailure: false,
};

async function endpointOf({ destinations, compliance }: ReconcileDeps, destinationId: string): Promise<Endpoint> {
  const destination = await destinations.find(destinationId);
  if (destination === null) throw new Error(`destination ${destinationId} is not in the ledger`);
  return compliance.endpointOf(destination);
}

async function all<T>(list: (query: RecordQuery) => Promise<Listed<T>>, first: RecordQuery): Promise<T[] | null> {
  const items: T[] = [];
  for (let query: RecordQuery | null = first; query !== null; ) {
    const page: Listed<T> = await list(query);
    if (page === 'not-listed') return null;
    items.push(...page.items);
    query = page.next === null ? null : { ...query, after: page.next };
  }
  return items;
}

async function orWhy<T>(read: () => Promise<T>): Promise<T | NoRecordList> {
  try {
    return await read();
  } catch (thrown) {
    const isExpected = thrown instanceof Refusal || (thrown instanceof Failure && thrown.code.startsWith('compliance.'));
    if (!isExpected) throw thrown;
    const { en, bg } = thrown instanceof Refusal ? { en: thrown.message, bg: thrown.said.bg } : quotedFailure(thrown.message);
    const why = { en: `the compliance service could not be read: ${en}`, bg: `услугата за отчитане не можа да бъде прочетена: ${bg}` };
    return { why, isFailure: true };
  }
}

/**
 * In which month's file a sale would stand that is recorded now: that of its day in Bulgaria, or the earliest one after it whose term is not over and
 * that is not marked as filed, as far as the service says that.
 */
export async function fileMonth(deps: ReconcileDeps, connection: Connection): Promise<(soldAt: string) => string> {
  const today = sofiaDay(new Date(deps.now()).toISOString());
  const filed = await filedMonths(deps, connection);
  const first = firstMonthInTerm(today);
  return (soldAt) => {
    const own = monthOf(sofiaDay(soldAt));
    let month = own < first ? first : own;
    while (month < monthOf(today) && filed.has(month)) month = addMonths(month, 1);
    return month;
  };
}
