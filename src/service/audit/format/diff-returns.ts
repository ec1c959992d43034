import { type Difference, differences, numberKey, pairUp } from './differences.ts';
import type { SeenReturn } from './seen-audit.ts';

/** `only`: the file that has the row; null if both have it and it differs. */
export type ReturnDifference = {
  only: 'first' | 'second' | null;
  number: string | null;
  amount: string | null;
  returnedOn: string | null;
  fields: Difference[];
};

const NUMBERS = new Set(['amount']);

/** Returns that differ or are in one file only; `same` counts the others. An order may have been returned in parts: equal rows are paired first. */
export function diffReturns(first: readonly SeenReturn[], second: readonly SeenReturn[]): { rows: ReturnDifference[]; same: number } {
  const whole = ({ number, amount, returnedOn, way }: SeenReturn) => [number, numberKey(amount), returnedOn, way].join('\n');
  const pairs = pairUp(first, second, [whole, ({ number }) => number]);
  const compared = pairs.both.map(([a, b]) => ({ ...rowOf(null)(a), fields: differences(a, b, NUMBERS) }));
  const rows = compared.filter(({ fields }) => fields.length > 0);
  return { rows: [...rows, ...pairs.first.map(rowOf('first')), ...pairs.second.map(rowOf('second'))], same: compared.length - rows.length };
}

function rowOf(only: 'first' | 'second' | null): (returned: SeenReturn) => ReturnDifference {
  return ({ number, amount, returnedOn }) => ({ only, number, amount, returnedOn, fields: [] });
}
