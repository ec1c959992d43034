import { decimal } from '../../../contract/decimal.ts';
import { limits } from '../../../contract/limits.ts';
import { divideHalfUp, formatMoney, minorOf, smaller } from '../../../contract/money.ts';
import type { RecordLine } from '../../../contract/record.ts';
import type { LineAmounts } from '../../rates/declared-amounts.ts';
import type { AuditArticle } from '../audit-file.ts';

const THOUSAND = 1000n;

/**
 * One line of an order as rows of the file, whose price has two decimals, is without VAT and after discount: quantity × price + VAT is the sum in each
 * row, to the cent. Where the net amount is no multiple of the quantity, the line becomes two rows (2 × 8.32 and 1 × 8.33); a quantity that is not
 * whole and does not divide evenly, or whose pieces cost less than a cent each, is written into the name, with quantity 1. `amounts`: what the line is
 * declared with.
 */
export function articlesOf(line: RecordLine, amounts: LineAmounts | undefined): AuditArticle[] {
  if (amounts === undefined) throw new RangeError('a line has no amounts');
  const { gross, vat } = amounts;
  const net = gross - vat;
  const quantity = minorOf(decimal(line.quantity), limits.quantityDecimals);
  if (quantity % THOUSAND !== 0n && !isEven(quantity, net)) return [asOne(line, net, vat)];
  if (quantity % THOUSAND !== 0n) return [row(line, { count: quantity, price: (net * THOUSAND) / quantity, net, vat })];
  const count = quantity / THOUSAND;
  const dearer = net % count;
  // Pieces at 0.00 would look as if they were given away.
  if (net > 0n && net < count) return [asOne(line, net, vat)];
  if (dearer === 0n) return [row(line, { count: quantity, price: net / count, net, vat })];
  return twoRows(line, { count, dearer, net, vat });
}

type Uneven = { count: bigint; dearer: bigint; net: bigint; vat: bigint };

function twoRows(line: RecordLine, { count, dearer, net, vat }: Uneven): AuditArticle[] {
  const price = net / count;
  const cheapNet = (count - dearer) * price;
  const rate = BigInt(rateOf(line));
  const own = smaller(divideHalfUp(cheapNet * rate, 100n), vat);
  // The line has its share of the order's VAT, up to a cent off its own: the two rows share that, too.
  const excess = (vat - own) * 100n - (net - cheapNet) * rate;
  const cheapVat = own + (excess > 100n + rate ? 1n : 0n) - (excess < -(100n + rate) ? 1n : 0n);
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
