import type { KeptOrder } from '../../bridge/ledger/kept-order.ts';
import { decimalsOf, moneyText, parseMoney } from '../../contract/money.ts';

/** The lines of an order next to what was paid; sums such as `36.00 EUR`. */
export type LinesAndPaid = {
  id: number;
  number: string | null;
  lines: { name: string; quantity: string; amount: string }[];
  sum: string;
  paid: string;
  /** What the lines lack, or have above it; null: they agree before refunds. */
  gap: { is: 'missing' | 'above'; amount: string } | null;
};

/** Null: an amount of it is none of its currency. */
export function linesAndPaid({ id, number, facts: { snapshot } }: Pick<KeptOrder, 'id' | 'number' | 'facts'>): LinesAndPaid | null {
  if (snapshot === null) return null;
  const { currency } = snapshot;
  const minor = (text: string) => parseMoney(text, decimalsOf(currency));
  const lines = snapshot.lines.flatMap(({ name, quantity, gross, discount }) => {
    const [before, off] = [minor(gross), minor(discount)];
    return before === undefined || off === undefined ? [] : [{ name, quantity, amount: before - off }];
  });
  const paid = minor(snapshot.total);
  if (paid === undefined || lines.length < snapshot.lines.length) return null;
  const sum = lines.reduce((all, { amount }) => all + amount, 0n);
  const gap = paid - sum;
  return {
    ...{ id, number, sum: moneyText(sum, currency), paid: moneyText(paid, currency) },
    lines: lines.map((line) => ({ ...line, amount: moneyText(line.amount, currency) })),
    gap: gap === 0n ? null : { is: gap > 0n ? 'missing' : 'above', amount: moneyText(gap > 0n ? gap : -gap, currency) },
  };
}
