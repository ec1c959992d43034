import { sum } from '../../../contract/money.ts';
import type { ShopifyOrder, ShopifyRefund, ShopifyTransaction } from './payload.ts';
import { readingOf, shopMoneyBack } from './refund.ts';
import { likelyReading } from './refund-basis.ts';
import { isForeign, refundsUnderWay } from './transaction.ts';
import { utc } from './utc.ts';

/** Pieces or money that left a line, by a refund or by an edit. `refund` null: an edit that no refund lists. Millionths with VAT. */
export type Leaving = { refund: string | null; at: string; lineId: string; quantity: number; amount: bigint };

/** A refund as its order lists it; millionths of the shop's currency with VAT. */
export type ListedRefund = {
  id: string;
  at: string;
  leavings: Leaving[];
  /** What its pieces cost. */
  value: bigint;
  /** Money that has gone back; 0 if only the order's totals tell how much. */
  back: bigint;
  /** Money on its way back; not part of `back`. */
  underWay: bigint;
  /** It went back in another currency, and nothing says how much of the shop's that is. */
  isOpen: boolean;
};

export function listedRefund(raw: ShopifyRefund, { shipping_lines, taxes_included }: ShopifyOrder): ListedRefund {
  const { id } = raw;
  const at = utc(raw.processed_at ?? raw.created_at);
  const read = readingOf(raw, taxes_included ? 'with-vat' : 'without-vat');
  const [line, ...others] = shipping_lines.filter(({ is_removed }) => is_removed !== true);
  const isClear = line !== undefined && others.length === 0 && read.shipping > 0n;
  const adjusted = isClear ? [{ lineId: line.id, quantity: 0, amount: read.shipping }] : [];
  const leavings = [...read.parts, ...adjusted].map((part) => ({ refund: id, at, ...part }));
  return { id, at, leavings, value: sum(leavings.map(({ amount }) => amount)), ...moneyOf(raw) };
}

function moneyOf(raw: ShopifyRefund): Pick<ListedRefund, 'back' | 'underWay' | 'isOpen'> {
  const moving = refundsUnderWay(raw.transactions);
  const isGone = ({ status }: ShopifyTransaction) => status === 'success';
  const [gone, going] = [moving.filter(isGone), moving.filter((one) => !isGone(one))];
  if (!moving.some(isForeign)) return { back: amountOf(gone), underWay: amountOf(going), isOpen: false };
  // As the refund alone says it: both must name one amount.
  const read = readingOf(raw, likelyReading(raw));
  const back = shopMoneyBack(raw, read);
  return { back: back ?? 0n, underWay: going.length === 0 ? 0n : read.total, isOpen: back === undefined };
}

function amountOf(transactions: readonly ShopifyTransaction[]): bigint {
  return sum(transactions.map(({ amount }) => amount));
}
