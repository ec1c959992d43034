import { divideHalfUp, formatMoney } from '../../../contract/money.ts';
import type { RecordLine } from '../../../contract/record.ts';
import type { AuditArticle } from '../audit-file.ts';
import { type LineAmounts, lineAmounts } from './line-amounts.ts';

const THOUSAND = 1000n;

/**
 * One line of an order as rows of the file, whose price has two decimals, is without VAT and after discount: quantity × price + VAT is the sum in each
 * row, to the cent. Where the net amount is no multiple of the quantity, the line becomes two rows (2 × 8.32 and 1 × 8.33); a quantity that is not
 * whole and does not divide evenly is written into the name, with quantity 1.
 */
export function articlesOf(line: RecordLine, precision: number): { articles: AuditArticle[]; amounts: LineAmounts } {
  const amounts = lineAmounts(line, precision);
  return { articles: rowsOf(line, amounts), amounts };
}

function rowsOf(line: RecordLine, { quantity, net, vat }: LineAmounts): AuditArticle[] {
  const whole = quantity % THOUSAND === 0n;
  if (!whole) return [isEven(quantity, net) ? row(line, { count: quantity, price: (net * THOUSAND) / quantity, net, vat }) : asOne(line, net, vat)];
  const count = quantity / THOUSAND;
  const price = net / count;
  const dearer = net % count;
  if (dearer === 0n) return [row(line, { count: quantity, price, net, vat })];
  const cheapNet = (count - dearer) * price;
  const cheapVat = divideHalfUp(cheapNet * BigInt(rateOf(line)), 100n);
  return [
    row(line, { count: (count - dearer) * THOUSAND, price, net: cheapNet, vat: cheapVat }),
    row(line, { count: dearer * THOUSAND, price: price + 1n, net: net - cheapNet, vat: vat - cheapVat }),
  ];
}

// Does quantity (with two decimals at most) × a price in cents give the net amount?
function isEven(quantity: bigint, net: bigint): boolean {
  return quantity % 10n === 0n && (net * THOUSAND) % quantity === 0n;
}

function asOne(line: RecordLine, net: bigint, vat: bigint): AuditArticle {
  const name = `${String(line.quantity).replace('.', ',')} × ${line.name}`;
  return row({ ...line, name }, { count: THOUSAND, price: net, net, vat });
}

type Row = { count: bigint; price: bigint; net: bigint; vat: bigint };

function row(line: RecordLine, { count, price, net, vat }: Row): AuditArticle {
  return {
    name: line.name,
    quantity: formatMoney(count / 10n, 2),
    price: formatMoney(price, 2),
    vatRate: rateOf(line),
    vat: formatMoney(vat, 2),
    sum: formatMoney(net + vat, 2),
  };
}

function rateOf({ vatRate }: RecordLine): number {
  return Number(vatRate);
}
