import { z } from 'zod';
import { differenceWords, KINDS, type Money, WHYS } from '../../bridge/reconciliation/difference.ts';
import { moneyOf } from '../../bridge/reconciliation/order-findings.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import { decimalsOf, formatMoney, parseMoney, sum } from '../../contract/money.ts';
import { isRepairable, type ReportEntry } from './entries.ts';
import type { Window } from './window.ts';

const text = z.string();

/** `total`: decimal text with VAT. */
const source = z.object({ orders: z.int(), total: text });
export type Source = z.output<typeof source>;

/**
 * `id`: of the order in the ledger; null: it has none. `complianceId`: of the record in question. `why`: which words say what is done about it. `code`: why
 * a person or a pause has the order. `detail`: what is done, or what to do. `repairs`: it ends without a person.
 */
const difference = z.object({
  ...{ kind: z.enum(KINDS), id: z.int().nullable(), orderId: text, number: text.nullable(), complianceId: text.nullable(), total: text },
  ...{ why: z.enum(WHYS), detail: text, code: text.nullable(), repairs: z.boolean() },
});
export type Difference = z.output<typeof difference>;

/** What was compared of one connection in one currency; null: no sale. A source is null if it could not be read, and `unchecked` says why. */
export const reconciled = z.object({
  ...{ connection: text, from: text, to: text, currency: text.nullable() },
  ...{ store: source.nullable(), ledger: source, service: source.nullable(), file: source.nullable() },
  ...{ differences: z.array(difference), repaired: z.int(), unchecked: z.array(z.object({ en: text, bg: text })) },
});
export type Reconciled = z.output<typeof reconciled>;

/** As programs read it: in English. */
export type ReconciledDto = Omit<Reconciled, 'unchecked'> & { unchecked: string[] };

export function reconciledDto({ unchecked, ...sources }: Reconciled): ReconciledDto {
  return { ...sources, unchecked: unchecked.map(({ en }) => en) };
}

/** Which sources were read, and why others were not. */
export type Checked = {
  connection: string;
  window: Window;
  store: boolean;
  service: boolean;
  file: boolean;
  unchecked: LocalizedText[];
  repaired: ReadonlySet<string>;
};

/** The result for each currency in which the connection sold, or one without. `repaired` is of the first. */
export function reportOf(entries: readonly ReportEntry[], checked: Checked): Reconciled[] {
  const counting = entries.filter((entry) => entry.found !== null || Object.values(sourcesOf(entry)).some((money) => money !== null));
  const byCurrency = Map.groupBy(counting, currencyOf);
  const groups: [string | null, ReportEntry[]][] = byCurrency.size === 0 ? [[null, []]] : [...byCurrency];
  return groups.map(([currency, own], index) => ofCurrency(own, { ...checked, currency, repaired: index === 0 ? checked.repaired : new Set() }));
}

function ofCurrency(entries: readonly ReportEntry[], { connection, window, currency, ...checked }: Checked & { currency: string | null }): Reconciled {
  const source = (name: keyof ReturnType<typeof sourcesOf>): Source => {
    const amounts = entries.flatMap((entry) => sourcesOf(entry)[name] ?? []);
    const decimals = decimalsOf(currency ?? '');
    const total = sum(amounts.map(({ total: one }) => parseMoney(one, decimals) ?? 0n));
    return { orders: amounts.length, total: formatMoney(total, decimals) };
  };
  return {
    ...{ connection, from: window.from, to: window.to, currency },
    store: checked.store ? source('store') : null,
    ledger: source('ledger'),
    service: checked.service ? source('service') : null,
    file: checked.file ? source('file') : null,
    differences: entries.flatMap((entry) => shown(entry, checked.store)),
    repaired: checked.repaired.size,
    unchecked: checked.unchecked,
  };
}

/** What each source counts of an order; null: nothing. */
function sourcesOf({ store, ledger, service, record, file, row }: ReportEntry): Record<'store' | 'ledger' | 'service' | 'file', Money | null> {
  const current = ledger?.current ?? null;
  const recorded = record === null || service === 'unread' ? null : moneyOf(record.record);
  const isKept = store.is === 'gone' && store.known && ledger?.wanted === 'record';
  return {
    store: store.is === 'there' ? store.paid : isKept ? current : null,
    ledger: current,
    service: recorded,
    // A file is in the accounting currency.
    file: file === 'listed' ? recorded : row,
  };
}

function currencyOf(entry: ReportEntry): string {
  const { ledger, service, store, file } = sourcesOf(entry);
  return (service ?? ledger ?? store ?? file)?.currency ?? statedOf(entry)?.currency ?? '';
}

/** What the store says of it now; of one that it only names as deleted, what it said before. */
function statedOf({ summary, order }: ReportEntry): { currency: string; total: string; number?: string } | null {
  const before = order?.facts.snapshot ?? null;
  return summary === null || (summary.isGone === true && before !== null) ? before : summary;
}

function shown(entry: ReportEntry, isReadable: boolean): Difference[] {
  const { found, order, orderId, record, ledger } = entry;
  if (found === null) return [];
  const { store, ledger: current, service, file } = sourcesOf(entry);
  const code = ledger?.code ?? null;
  const complianceId = record?.id ?? order?.current?.complianceId ?? null;
  const about = { order: order === null ? orderId : `id:${order.id}`, complianceId, code, isReadable };
  const total = (store ?? current ?? service ?? file)?.total ?? statedOf(entry)?.total ?? '0';
  const number = statedOf(entry)?.number ?? order?.number ?? record?.record.internalNumber ?? entry.row?.number ?? null;
  const named = { id: order?.id ?? null, orderId, number, complianceId };
  return [{ kind: found.kind, ...named, total, why: found.why, detail: differenceWords(found.why, about), code, repairs: isRepairable(entry) }];
}
