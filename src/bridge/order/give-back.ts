import { divideHalfUp, divideUp, larger, smaller, sum } from '../../contract/money.ts';
import { isWhole, type MoneyLine, netOf, ONE, type ReturnedLine } from './money-line.ts';

/** What is left of a line (null: nothing), and the money that should come off it but exceeds it. */
export type GivenBack = { line: MoneyLine | null; overflow: bigint };

/**
 * Subtracts returned units and money from a line, so that what the customer still pays for it is exact to the cent:
 * - units refunded at their share of the price are removed, and gross and discount shrink with them;
 * - otherwise the fewest units stay that, at the price paid for each, cover the money that stays; never fewer than were not returned;
 * - money without units is a discount;
 * - a line without money left is removed. One that was free from the start is removed with its last unit.
 */
export function giveBack(line: MoneyLine, returned: ReturnedLine[]): GivenBack {
  const net = netOf(line);
  const stated = sum(returned.map(({ amount }) => amount));
  const taken = net < 0n ? larger(stated, net) : smaller(stated, net);
  const units = smaller(sum(returned.map(({ quantity }) => quantity)), line.quantity);
  return { line: whatStays(line, { left: line.quantity - units, rest: net - taken }), overflow: stated - taken };
}

/** `left`: the quantity that was not returned; `rest`: the money that was not refunded. */
type Stay = { left: bigint; rest: bigint };

function whatStays(line: MoneyLine, { left, rest }: Stay): MoneyLine | null {
  const net = netOf(line);
  if (rest === 0n && (net !== 0n || left === 0n)) return null;
  if (net < 0n) return { ...line, gross: rest, discount: 0n };
  const quantity = quantityThatStays(line, { left, rest });
  return { ...line, quantity, ...moneyThatStays(line, quantity, rest) };
}

function quantityThatStays(line: MoneyLine, { left, rest }: Stay): bigint {
  const net = netOf(line);
  if (net === 0n || isShare(line, { left, rest })) return left;
  if (!isWhole(line.quantity) || !isWhole(left)) return line.quantity;
  return larger(left, divideUp(rest * line.quantity, net * ONE) * ONE);
}

// Storefronts round each return to the cent: a unit that stays may have cost one minor unit more or less than its share.
function isShare(line: MoneyLine, { left, rest }: Stay): boolean {
  const off = rest * line.quantity - netOf(line) * left;
  const tolerance = (larger(left, ONE) * line.quantity) / ONE;
  return left > 0n && -tolerance <= off && off <= tolerance;
}

function moneyThatStays(line: MoneyLine, quantity: bigint, rest: bigint): Pick<MoneyLine, 'gross' | 'discount'> {
  const gross = larger(rest, divideHalfUp(line.gross * quantity, line.quantity));
  // A line that was sold without discount does not get one from a rounding cent.
  const isPlain = line.discount === 0n && quantity < line.quantity && isShare(line, { left: quantity, rest });
  return isPlain ? { gross: rest, discount: 0n } : { gross, discount: gross - rest };
}
