import type { KeptOrder } from '../../bridge/ledger/orders/read-orders.ts';
import { viewOf } from '../../bridge/order/facts/view.ts';
import { decimalsOf, formatMoney, parseMoney } from '../../contract/money.ts';
import type { CreateOrderDto } from '../../contract/order-dto.ts';
import { subtotalOf } from '../../contract/totals.ts';
import type { OrderReport } from '../orders/order-report.ts';

/** An amount of one source, with VAT; of several lines that were put together, their sum. */
export type Amount = { quantity: string; amount: string };
/** A line as store, settings and service have it; null: that source does not have it. `differs`: not all that know of it agree, to the cent. */
export type SourceRow = { name: string; rate: string; store: Amount | null; should: Amount | null; recorded: Amount | null; differs: boolean };
/** Decimal text, and its currency; null: that source says nothing. */
export type SourceTotal = { amount: string; currency: string } | null;

/**
 * What the store says, what should stand by facts and settings, and what stands at the service, line by line. `refunded`: money that
 * went back, and how much of it names no line, decimal text; null: none did. `isOpen`: it can't be said yet what should stand; `isUncertain`: nor what is recorded. Amounts of different currencies are not compared.
 */
export type OrderSources = {
  rows: readonly SourceRow[];
  refunded: { all: string; unnamed: string | null } | null;
  totals: { store: SourceTotal; should: SourceTotal; recorded: SourceTotal; differs: boolean };
  isOpen: boolean;
  isUncertain: boolean;
};

type Line = { name: string; rate: string; quantity: number; minor: bigint };
type Source = { currency: string; decimals: number; lines: Map<string, Line> };
type Three = { store: Source | null; should: Source | null; recorded: Source | null; isOpen: boolean; isUncertain: boolean };

export function orderSources(order: Pick<KeptOrder, 'facts'>, { desired, record, state }: Pick<OrderReport, 'desired' | 'record' | 'state'>): OrderSources {
  const store = storeSource(order);
  const should = desired.kind === 'record' ? recordSource(desired.record) : null;
  const sources: Three = {
    store: store?.source ?? null,
    should,
    recorded: record === null ? null : recordSource(record),
    isOpen: desired.kind === 'problems',
    isUncertain: state === 'unconfirmed',
  };
  const keys = new Set([sources.store, should, sources.recorded].flatMap((source) => [...(source?.lines.keys() ?? [])]));
  const totals = { store: store?.total ?? null, should: totalOf(should), recorded: totalOf(sources.recorded) };
  return {
    rows: [...keys].map((key) => rowOf(key, sources)),
    refunded: store?.refunded ?? null,
    totals: { ...totals, differs: differ(sources, (source) => minorOf(source === sources.store ? totals.store : totalOf(source), source)) },
    isOpen: sources.isOpen,
    isUncertain: sources.isUncertain,
  };
}

/** What is recorded is compared with what should be; that, or if it is not known the record, against the store. */
function differ({ store, should, recorded, isOpen, isUncertain }: Three, amountOf: (source: Source) => bigint): boolean {
  const against = should ?? (isOpen ? recorded : null);
  const isSame = (a: Source | null, b: Source | null) => (a !== null && b !== null && a.currency !== b.currency ? true : amount(a) === amount(b));
  const amount = (source: Source | null) => (source === null ? 0n : amountOf(source));
  const [isRecordSame, isStoreSame] = [isOpen || isUncertain || isSame(should, recorded), against === null || store === null || isSame(store, against)];
  return !(isRecordSame && isStoreSame);
}

function minorOf(total: SourceTotal, source: Source): bigint {
  return total === null ? 0n : (parseMoney(total.amount, source.decimals) ?? 0n);
}

function rowOf(key: string, sources: Three): SourceRow {
  const of = (source: Source | null) => source?.lines.get(key);
  const { store, should, recorded } = sources;
  const known = of(store) ?? of(should) ?? of(recorded);
  const shown = (source: Source | null): Amount | null => {
    const line = of(source);
    return source === null || line === undefined ? null : { quantity: sourceQuantity(line.quantity), amount: formatMoney(line.minor, source.decimals) };
  };
  const differs = differ(sources, (source) => of(source)?.minor ?? 0n);
  return { name: known?.name ?? '', rate: known?.rate ?? '', store: shown(store), should: shown(should), recorded: shown(recorded), differs };
}

/** The lines of the store, less what refunds name of them. */
function storeSource({ facts }: Pick<KeptOrder, 'facts'>): { source: Source; total: SourceTotal; refunded: OrderSources['refunded'] } | null {
  const view = viewOf({ ...facts, customer: { kind: 'none' } });
  if (view === null) return null;
  const { currency } = view;
  const decimals = decimalsOf(currency);
  const minor = (text: string | null) => (text === null ? 0n : (parseMoney(text, decimals) ?? 0n));
  const back = new Map<string, { minor: bigint; quantity: number }>();
  let unnamed = 0n;
  for (const { amount, lines } of view.refunds) {
    let named = 0n;
    for (const line of lines ?? []) {
      const before = back.get(line.lineId) ?? { minor: 0n, quantity: 0 };
      back.set(line.lineId, { minor: before.minor + minor(line.amount), quantity: before.quantity + Number(line.quantity) });
      named += minor(line.amount);
    }
    unnamed += minor(amount) - named;
  }
  const lines = view.lines.map(({ id, name, quantity, gross, discount, vatRate }) => {
    const gone = back.get(id) ?? { minor: 0n, quantity: 0 };
    return { name, rate: vatRate, quantity: Number(quantity) - gone.quantity, minor: minor(gross) - minor(discount) - gone.minor };
  });
  const all = view.refunds.reduce((sum, { amount }) => sum + minor(amount), 0n);
  const kept = view.kept ?? formatMoney(minor(view.total) - all, decimals);
  const source = { currency, decimals, lines: joined(lines.filter((line) => line.minor !== 0n || line.quantity > 0)) };
  const refunded = all === 0n ? null : { all: formatMoney(all, decimals), unnamed: unnamed > 0n ? formatMoney(unnamed, decimals) : null };
  return { source, total: { amount: formatMoney(minor(kept), decimals), currency }, refunded };
}

function recordSource({ currency, precision, lineItems }: CreateOrderDto): Source {
  const lines = lineItems.map(({ name, quantity, price, discount = 0, vatRate }) => {
    const line = { quantity, price: price.toFixed(precision), discount: discount.toFixed(precision), vatRate: String(vatRate) };
    return { name, rate: String(vatRate), quantity, minor: subtotalOf(line, precision) };
  });
  return { currency, decimals: precision, lines: joined(lines) };
}

/** Lines of one name and rate are one: a record may have to split a line. */
function joined(lines: readonly Line[]): Map<string, Line> {
  const all = new Map<string, Line>();
  for (const line of lines) {
    const key = `${line.rate} ${line.name}`;
    const before = all.get(key);
    all.set(key, before === undefined ? line : { ...line, quantity: before.quantity + line.quantity, minor: before.minor + line.minor });
  }
  return all;
}

function totalOf(source: Source | null): SourceTotal {
  if (source === null) return null;
  const minor = [...source.lines.values()].reduce((sum, line) => sum + line.minor, 0n);
  return { amount: formatMoney(minor, source.decimals), currency: source.currency };
}

function sourceQuantity(quantity: number): string {
  return String(Number(quantity.toFixed(3)));
}
