import type { KeptOrder } from '../../bridge/ledger/read-orders.ts';
import { viewOf } from '../../bridge/order/facts/view.ts';
import { decimalsOf, formatMoney, parseMoney } from '../../contract/money.ts';
import type { CreateOrderDto } from '../../contract/order-dto.ts';
import { subtotalOf } from '../../contract/totals.ts';
import type { OrderReport } from '../orders/order-report.ts';

/** An amount of one side, with VAT; of several lines that were put together, their sum. */
export type Amount = { quantity: string; amount: string };
/** A line as store, settings and service have it; null: that side does not have it. `differs`: not all that know of it agree, to the cent. */
export type SideRow = { name: string; rate: string; store: Amount | null; should: Amount | null; stands: Amount | null; differs: boolean };
/** Decimal text, and its currency; null: that side says nothing. */
export type SideTotal = { amount: string; currency: string } | null;

/**
 * What the store says, what should stand by facts and settings, and what stands at the service, line by line. `refunded`: money that went back and names
 * no line, decimal text; null: none did. `isOpen`: it can't be said yet what should stand; `isDoubtful`: nor what stands. Amounts of different currencies are not compared.
 */
export type OrderSides = {
  rows: readonly SideRow[];
  refunded: string | null;
  totals: { store: SideTotal; should: SideTotal; stands: SideTotal; differs: boolean };
  isOpen: boolean;
  isDoubtful: boolean;
};

type Line = { name: string; rate: string; quantity: number; minor: bigint };
type Side = { currency: string; decimals: number; lines: Map<string, Line> };
type Three = { store: Side | null; should: Side | null; stands: Side | null; isOpen: boolean; isDoubtful: boolean };

export function orderSides(order: Pick<KeptOrder, 'facts'>, { desired, record, state }: Pick<OrderReport, 'desired' | 'record' | 'state'>): OrderSides {
  const store = storeSide(order);
  const should = desired.kind === 'record' ? recordSide(desired.record) : null;
  const sides: Three = {
    store: store?.side ?? null,
    should,
    stands: record === null ? null : recordSide(record),
    isOpen: desired.kind === 'problems',
    isDoubtful: state === 'unconfirmed',
  };
  const keys = new Set([sides.store, should, sides.stands].flatMap((side) => [...(side?.lines.keys() ?? [])]));
  const totals = { store: store?.total ?? null, should: totalOf(should), stands: totalOf(sides.stands) };
  return {
    rows: [...keys].map((key) => rowOf(key, sides)),
    refunded: store?.refunded ?? null,
    totals: { ...totals, differs: differ(sides, (side) => minorOf(side === sides.store ? totals.store : totalOf(side), side)) },
    isOpen: sides.isOpen,
    isDoubtful: sides.isDoubtful,
  };
}

/** What is recorded is compared with what should be; that, or if it is not known the record, against the store. */
function differ({ store, should, stands, isOpen, isDoubtful }: Three, amountOf: (side: Side) => bigint): boolean {
  const against = should ?? (isOpen ? stands : null);
  const isSame = (a: Side | null, b: Side | null) => (a !== null && b !== null && a.currency !== b.currency ? true : amount(a) === amount(b));
  const amount = (side: Side | null) => (side === null ? 0n : amountOf(side));
  const [isRecordSame, isStoreSame] = [isOpen || isDoubtful || isSame(should, stands), against === null || store === null || isSame(store, against)];
  return !(isRecordSame && isStoreSame);
}

function minorOf(total: SideTotal, side: Side): bigint {
  return total === null ? 0n : (parseMoney(total.amount, side.decimals) ?? 0n);
}

function rowOf(key: string, sides: Three): SideRow {
  const of = (side: Side | null) => side?.lines.get(key);
  const { store, should, stands } = sides;
  const known = of(store) ?? of(should) ?? of(stands);
  const shown = (side: Side | null): Amount | null => {
    const line = of(side);
    return side === null || line === undefined ? null : { quantity: quantityText(line.quantity), amount: formatMoney(line.minor, side.decimals) };
  };
  const differs = differ(sides, (side) => of(side)?.minor ?? 0n);
  return { name: known?.name ?? '', rate: known?.rate ?? '', store: shown(store), should: shown(should), stands: shown(stands), differs };
}

/** The lines of the store, less what refunds name of them. */
function storeSide({ facts }: Pick<KeptOrder, 'facts'>): { side: Side; total: SideTotal; refunded: string | null } | null {
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
  const kept = view.kept ?? formatMoney(minor(view.total) - view.refunds.reduce((sum, { amount }) => sum + minor(amount), 0n), decimals);
  const side = { currency, decimals, lines: joined(lines.filter((line) => line.minor !== 0n || line.quantity > 0)) };
  return { side, total: { amount: formatMoney(minor(kept), decimals), currency }, refunded: unnamed > 0n ? formatMoney(unnamed, decimals) : null };
}

function recordSide({ currency, precision, lineItems }: CreateOrderDto): Side {
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

function totalOf(side: Side | null): SideTotal {
  if (side === null) return null;
  const minor = [...side.lines.values()].reduce((sum, line) => sum + line.minor, 0n);
  return { amount: formatMoney(minor, side.decimals), currency: side.currency };
}

function quantityText(quantity: number): string {
  return String(Number(quantity.toFixed(3)));
}
