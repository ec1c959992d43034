import type { Transaction, TransactionStatus } from '../../order/facts/facts.ts';
import { GIFT_CARD } from '../../order/facts/view.ts';
import { microText, type ShopifyOrder, type ShopifyRefund, type ShopifyTransaction, utc } from './payload.ts';

/** A payment transaction. Redeemed gift cards are `other`: their reference is not the one that a tax record needs. */
export function toTransaction(raw: ShopifyTransaction): Transaction {
  return {
    id: raw.id,
    kind: kindOf(raw),
    status: statusOf(raw.status),
    gateway: raw.gateway ?? '',
    amount: microText(raw.amount),
    // The API names payments by this alone. Of one payment, both sources must say the same.
    reference: raw.payment_id || raw.authorization || null,
    at: utc(raw.processed_at ?? raw.created_at),
    ...(raw.currency ? { currency: raw.currency } : {}),
    ...(raw.kind === 'change' ? { change: true } : {}),
    ...giftCardOf(raw),
  };
}

type Order = Pick<ShopifyOrder, 'currency' | 'presentment_currency' | 'refunds'>;

/** The refunds of an order, each transaction with both currencies: the order knows the shop's, and the buyer's where a transaction names none. */
export function refundsOf({ currency: shop, presentment_currency, refunds }: Order): ShopifyRefund[] {
  const total_unsettled_set = { shop_money: { currency: shop } };
  const complete = (raw: ShopifyTransaction) => ({ ...raw, currency: raw.currency || presentment_currency, total_unsettled_set });
  return refunds.map((refund) => ({ ...refund, transactions: refund.transactions.map(complete) }));
}

/** Did it move money in another currency than the shop's? Its amount then says nothing about the order's money. */
export function isForeign({ currency, total_unsettled_set }: ShopifyTransaction): boolean {
  const shopCurrency = total_unsettled_set?.shop_money?.currency;
  return Boolean(currency && shopCurrency) && currency !== shopCurrency;
}

/** The transactions by which money went back or is going back: those that did not fail. */
export function refundsUnderWay(transactions: readonly ShopifyTransaction[]): ShopifyTransaction[] {
  return transactions.filter((raw) => isRefund(raw) && ['success', 'pending'].includes(statusOf(raw.status)));
}

export function isRefund({ kind }: ShopifyTransaction): boolean {
  return kind === 'refund';
}

// A foreign refund's money comes from the refund itself, in the shop's currency: see `toRefund`.
function kindOf(raw: ShopifyTransaction): Transaction['kind'] {
  if (isRefund(raw)) return isForeign(raw) ? 'other' : 'refund';
  return isCharge(raw) && !isByGiftCard(raw) ? 'charge' : 'other';
}

function giftCardOf(raw: ShopifyTransaction): Pick<Transaction, 'giftCard'> {
  if (!isByGiftCard(raw) || !(isCharge(raw) || isRefund(raw))) return {};
  return { giftCard: isRefund(raw) ? 'refund' : 'charge' };
}

function isCharge({ kind }: ShopifyTransaction): boolean {
  return kind === 'sale' || kind === 'capture';
}

function isByGiftCard({ gateway }: ShopifyTransaction): boolean {
  return gateway === GIFT_CARD;
}

function statusOf(status: string): TransactionStatus {
  return status === 'success' || status === 'failure' || status === 'error' ? status : 'pending';
}
