import { decimalsOf, formatMoney, sum } from '../../../contract/money.ts';
import { minorOrZero } from './effective-refunds.ts';
import type { Facts, Snapshot, Transaction } from './facts.ts';

/** What gift cards paid of an order and were not credited back; `isKnown` false: a part of it has not come yet. */
export type CardPayment = { paid: string; isKnown: boolean };

/** What says how far an order was paid, beside its payment state. */
export type PaymentSigns = {
  /** The platform's own word for the order's status; null where it can't matter: the order is live and paid. */
  status: string | null;
  onItsWay: boolean;
  /** Some state of it was paid. */
  wasPaid: boolean;
  /** A transaction brought money in; false where it can't matter. */
  charged: boolean;
  /** Decimal text: what the platform says the merchant still owes the customer. */
  owed: string | null;
  /** null: no gift card paid. */
  cards: CardPayment | null;
};

export function paymentSigns({ paidSeenAt, transactions }: Pick<Facts, 'paidSeenAt' | 'transactions'>, snapshot: Snapshot): PaymentSigns {
  const { payment, lifecycle, status, onItsWay, owed } = snapshot;
  const isPlain = payment === 'paid' && lifecycle === 'live';
  const done = Object.values(transactions).filter((transaction) => transaction.status === 'success');
  return {
    status: isPlain ? null : status,
    onItsWay: onItsWay === true,
    wasPaid: paidSeenAt !== null,
    charged: !isPlain && done.some(({ kind }) => kind === 'charge'),
    owed: owed ?? null,
    cards: cardPayment(done, snapshot),
  };
}

function cardPayment(done: readonly Transaction[], { currency, paidByGiftCard, total }: Snapshot): CardPayment | null {
  const cards = done.filter(({ giftCard }) => giftCard !== undefined);
  if (cards.length === 0 && paidByGiftCard !== true) return null;
  const worth = (transactions: readonly Transaction[]) => sum(transactions.map(({ amount }) => minorOrZero(amount, currency)));
  const redeemed = worth(cards.filter(({ giftCard }) => giftCard === 'charge'));
  const credited = worth(cards.filter(({ giftCard }) => giftCard === 'refund'));
  const charges = done.filter(({ kind }) => kind === 'charge');
  // Charges that are known must fill the rest: else another card's payment has not come yet.
  const covers = charges.length === 0 || redeemed + worth(charges) >= minorOrZero(total, currency);
  const isOurs = cards.every((card) => card.currency === undefined || card.currency === currency);
  return { paid: formatMoney(redeemed - credited, decimalsOf(currency)), isKnown: redeemed > 0n && covers && isOurs };
}
