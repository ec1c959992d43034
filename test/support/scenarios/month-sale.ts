import { centsIn, convertedIn, currencyOf, type Money, vatIn } from './scenario-money.ts';
import type { FileSaid } from './scenario-side.ts';

/** What one document number stands for: what stands of it now, which month lists it, and once that can't change, the sale and what was told back of it. */
export type Sale = {
  id: string;
  shop: number;
  number: string;
  document: string;
  stands: Money | null;
  postal: boolean;
  /** Those of its date and of its delivery, if that was told; and the one that lists it. */
  ordered: string;
  delivered: string;
  month: string;
  declared: { month: string; cents: number; vat: number } | null;
  /** What was declared, in its own currency. */
  entry: Money | null;
  /** The month that tells what is still owed. */
  due: string;
  told: Map<string, number>;
};

/** By document: `known` is what stood in the month when it was made, also if it was left out; `listed` what it lists, in its own currency. */
export type Version = FileSaid & { leavesOut: boolean; known: Map<string, number>; listed: Map<string, Money | null> };
export type Month = { versions: Version[]; filed: number | null; leavesOut: boolean; ended: boolean };

export function sum(told: ReadonlyMap<string, number>): number {
  return [...told.values()].reduce((all, one) => all + one, 0);
}

/** What a month's file declares of an order. */
export function declaredIn(month: string, stands: Money): NonNullable<Sale['declared']> {
  return { month, cents: centsIn(month, stands), vat: vatIn(month, stands) };
}

/** What was declared of a sale, in the currency of a month; absent: nothing. */
export function declaredAs({ declared }: Sale, month: string): number | undefined {
  return declared === null ? undefined : convertedIn(month, { cents: declared.cents, currency: currencyOf(declared.month) });
}

export function isToldIn({ versions }: Month, number: string): boolean {
  return versions.some(({ returns }) => returns.some((one) => one.number === number));
}

/**
 * In that month; what was told back is kept in its currency. If it is more than was thought, and a version of the month that is due tells a return, what is
 * more is of a month after it: then, or if no month is due, the answer is true.
 */
export function declare(sale: Sale, declared: NonNullable<Sale['declared']>, due?: Month): boolean {
  const inIts = (cents: number) => (sale.declared === null ? cents : convertedIn(declared.month, { cents, currency: currencyOf(sale.declared.month) }));
  const isMore = sale.declared !== null && inIts(sale.declared.cents) !== declared.cents;
  const isTold = isMore && due !== undefined && isToldIn(due, sale.number);
  if (isTold) fix(sale);
  for (const [month, cents] of sale.told) sale.told.set(month, inIts(cents));
  sale.declared = declared;
  return sale.due === '' || isTold;
}

/** What is to be given back, and no file told. */
export function owedOf({ declared, stands, told }: Sale): number {
  return declared === null ? 0 : declared.cents - (stands === null ? 0 : centsIn(declared.month, stands)) - sum(told);
}

/** What is owed is told by the month that is due, and stays so. */
export function fix(sale: Sale): void {
  const owed = owedOf(sale);
  if (owed > 0 && sale.due !== '') sale.told.set(sale.due, (sale.told.get(sale.due) ?? 0) + owed);
}

export function later(one: string, other: string): string {
  return one > other ? one : other;
}
