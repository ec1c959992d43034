import { limits } from '../../../contract/limits.ts';
import { decimalsOf, formatMoney, moneyText, parseMoney, sum } from '../../../contract/money.ts';
import { ownValue } from '../../../contract/own-value.ts';
import { fittingText, isVisible } from '../../../contract/text.ts';
import { canonicalText } from './canonical-text.ts';
import { type EffectiveRefund, effectiveRefunds, isForeign, minorOrZero, openRefunds } from './effective-refunds.ts';
import { type DraftLine, type Facts, isDeleted, type MoneyAsRead, type RefundReference, type Snapshot, type Transaction } from './facts.ts';
import type { Problem } from './failure.ts';
import { hintsOf } from './missing.ts';

/** What gift cards paid of an order and were not credited back; `isKnown` false: a part of it has not come yet. */
export type CardPayment = { paid: string; isKnown: boolean };

/** What says how far an order was paid, beside its payment state. */
type PaymentSigns = {
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

function paymentSigns({ paidSeenAt, transactions }: Pick<Facts, 'paidSeenAt' | 'transactions'>, snapshot: Snapshot): PaymentSigns {
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

/** The order as it is now, by its facts: everything that can change what should be recorded, and nothing else. */
export type OrderView = Pick<
  Snapshot,
  'lifecycle' | 'payment' | 'test' | 'number' | 'createdAt' | 'currency' | 'gateways' | 'transactionId' | 'lines' | 'total' | 'kept' | 'mayBeOff' | 'problems'
> &
  PaymentSigns & {
    /** ISO instant; the best that is known, else the moment it was placed. */
    paidAt: string;
    /** ISO instants of its payments; of those that are not known, when it was placed. Empty: the store says when it was paid. */
    partsPaidAt: string[];
    refunds: EffectiveRefund[];
  };

/** The gateway id under which storefronts book a redeemed gift card. */
export const GIFT_CARD = 'gift_card';

/** The order as it is now; null while only news about it came (a refund before its order), not the order itself. */
export function viewOf(facts: Facts): OrderView | null {
  const { snapshot } = facts;
  if (snapshot === null) return null;
  const { payment, test, number, createdAt, currency, kept, mayBeOff } = snapshot;
  const { reading, problems } = readWitnesses(facts, snapshot);
  const order = { ...snapshot, ...reading };
  const charges = successfulCharges(facts);
  return {
    ...{ payment, test, number, createdAt, currency, lines: order.lines.map(named), total: order.total },
    ...paymentSigns(facts, order),
    ...(kept === undefined ? {} : { kept }),
    ...(mayBeOff === undefined ? {} : { mayBeOff }),
    lifecycle: isDeleted(facts, snapshot) ? 'trashed' : snapshot.lifecycle,
    paidAt: snapshot.paidAt ?? facts.paidAt ?? charges[0]?.at ?? snapshot.placedAt,
    partsPaidAt: snapshot.paidAt === null ? momentsOfParts(facts, order) : [],
    gateways: coversAll(facts, order) || snapshot.gateways.length === 0 ? [...new Set(charges.map(({ gateway }) => gateway))].sort() : snapshot.gateways,
    transactionId: snapshot.transactionId ?? referenceOf(charges),
    refunds: effectiveRefunds(facts, order),
    problems: [...snapshot.problems, ...problems, ...refundContradictions(facts, order), ...openRefunds(facts, order)],
  };
}

function momentsOfParts(facts: Facts, { placedAt, currency, total }: Snapshot): string[] {
  const known = successfulCharges(facts).map(({ at }) => at);
  const paid = moneyIn(facts, { currency, counts: () => true });
  return paid === null || paid < minorOrZero(total, currency) ? [placedAt, ...known] : known;
}

// A service takes no line without a readable name that a file can carry.
function named(line: DraftLine): DraftLine {
  const name = fittingText(line.name, limits.lineName);
  return { ...line, name: isVisible(name) ? name : line.kind };
}

/** Canonical text of the view, and of open hints: the ledger raises the order's revision when it changes. A tag or a customer's name does not change it. */
export function fingerprint(facts: Facts): string {
  const hints = hintsOf(facts);
  return canonicalText(hints === null ? viewOf(facts) : [viewOf(facts), hints]);
}

// The gift card's own reference says nothing about the money that came through a processor.
function referenceOf(charges: Transaction[]): string | null {
  const referenced = charges.filter(({ reference }) => reference !== null);
  const byProcessor = referenced.find(({ gateway }) => gateway !== GIFT_CARD);
  return (byProcessor ?? referenced[0])?.reference ?? null;
}

/** How an order is read once its witnesses were heard; with problems, they disagree. */
type Received = { reading: Pick<MoneyAsRead, 'lines' | 'total'> & { refunds: RefundReference[] | null }; problems: Problem[] };

/**
 * The platform's totals, the lines and refunds, and the known payments must say the same of a paid order. Where lines and totals differ, that one is
 * right which the payments confirm. Payments may be missing, so fewer of them prove nothing; more of them contradict.
 */
export function readWitnesses(facts: Facts, snapshot: Snapshot): Received {
  const { lines, total, refunds } = snapshot;
  const stated = { reading: { lines, total, refunds }, problems: [] };
  const money = moneyOf(snapshot);
  if (money === null || snapshot.payment !== 'paid') return stated;
  const { currency, updatedAt } = snapshot;
  const before = moneyIn(facts, { currency, counts: ({ at }) => at < updatedAt });
  if (!isUncertain(snapshot, money)) return before !== null && before > money.total ? { ...stated, problems: [tooMuch(before, money, currency)] } : stated;
  const known = [before, moneyIn(facts, { currency, counts: ({ at }) => at <= updatedAt })];
  const confirmed = [stated.reading, ...(snapshot.otherwise ?? [])].find((reading) =>
    known.some((paid) => paid !== null && paid === minorOf(reading.total, currency)),
  );
  return confirmed === undefined ? { ...stated, problems: [differing(snapshot, money, before)] } : { reading: confirmed, problems: [] };
}

type Money = { kept: bigint; total: bigint; back: bigint };

// Amounts that can't be read are reported with the lines.
function moneyOf({ kept, total, refunds, currency }: Snapshot): Money | null {
  const [left, paid] = [minorOf(kept ?? '', currency), minorOf(total, currency)];
  return left === undefined || paid === undefined ? null : { kept: left, total: paid, back: backOf(refunds, currency) };
}

function isUncertain({ otherwise }: Snapshot, { kept, total, back }: Money): boolean {
  return otherwise !== undefined || kept !== total - back;
}

function tooMuch(paid: bigint, { total, back, kept }: Money, currency: string): Problem {
  const known = `Payments of ${moneyText(paid, currency)} are known, less refunds ${moneyText(paid - back, currency)}`;
  const stated = `by the order ${moneyText(total, currency)} were paid, and ${moneyText(kept, currency)} of them kept`;
  return { code: 'total.mismatch', detail: `${known}, but ${stated}.` };
}

function differing({ otherwise = [], ...snapshot }: Snapshot, { kept, back }: Money, paid: bigint | null): Problem {
  const { currency } = snapshot;
  const readings = [snapshot, ...otherwise].map(({ total, refunds }) => minorOrZero(total, currency) - backOf(refunds, currency));
  const left = readings.find((amount) => amount !== kept) ?? kept;
  const known = paid === null || paid === 0n ? '' : `, and the known payments less refunds are ${moneyText(paid - back, currency)}`;
  const figures = `The lines that are left come to ${moneyText(left, currency)}, paid and kept are ${moneyText(kept, currency)}`;
  return { code: 'total.mismatch', detail: `${figures}${known}.` };
}

function backOf(refunds: readonly RefundReference[] | null, currency: string): bigint {
  return sum((refunds ?? []).map(({ amount }) => minorOrZero(amount, currency)));
}

function minorOf(amount: string, currency: string): bigint | undefined {
  return parseMoney(amount, decimalsOf(currency));
}

/** Payments that succeeded, the earliest first; redeemed gift cards are not among them. */
function successfulCharges({ transactions }: Facts): Transaction[] {
  return Object.values(transactions)
    .filter(({ kind, status }) => kind === 'charge' && status === 'success')
    .sort((a, b) => (a.at === b.at ? compareText(a.id, b.id) : compareText(a.at, b.at)));
}

/** The known money in, gift cards included, in minor units of the currency; null if a part of it came in another one, or can't be read. */
function moneyIn({ transactions }: Facts, { currency, counts }: { currency: string; counts(transaction: Transaction): boolean }): bigint | null {
  const moved = Object.values(transactions).filter((transaction) => transaction.status === 'success' && signOf(transaction) !== 0n && counts(transaction));
  const amounts = moved.flatMap((transaction) => {
    const minor = isForeign(transaction, currency) ? undefined : parseMoney(transaction.amount, decimalsOf(currency));
    return minor === undefined ? [] : [signOf(transaction) * minor];
  });
  return amounts.length < moved.length ? null : sum(amounts);
}

/** Do known charges pay all of the order, but for gift cards? Their gateways then say how it was paid. */
function coversAll(facts: Facts, { currency, total }: { currency: string; total: string }): boolean {
  const charges = successfulCharges(facts);
  if (charges.length === 0 || charges.some(({ gateway }) => gateway === '')) return false;
  const paid = moneyIn(facts, { currency, counts: () => true });
  const whole = parseMoney(total, decimalsOf(currency));
  return paid !== null && whole !== undefined && paid >= whole;
}

// Change is cash of a charge that was handed back at once: both together are the payment.
function signOf({ kind, change, giftCard }: Transaction): bigint {
  if (change === true) return -1n;
  return kind === 'charge' || giftCard === 'charge' ? 1n : 0n;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/**
 * Refunds of which the order's list and their own message tell two amounts: one of them is out of date, and which can't be known. Where transactions
 * carry the money, they alone count; a mention without money may only be early.
 */
function refundContradictions({ refunds }: Pick<Facts, 'refunds'>, snapshot: Snapshot): Problem[] {
  return (snapshot.refunds ?? []).flatMap((reference) => {
    const own = ownAmount(reference, refunds);
    if (own === null || sameAmount(own, reference.amount, snapshot.currency)) return [];
    const detail = `The order lists refund ${reference.id} with ${reference.amount} ${snapshot.currency}, but its own message said ${own} ${snapshot.currency}.`;
    return [{ code: 'total.mismatch', detail }];
  });
}

function ownAmount({ id }: RefundReference, refunds: Facts['refunds']): string | null {
  const known = ownValue(refunds, id);
  return known === undefined || known.transactions.length > 0 ? null : known.amount;
}

// An amount that can't be read is reported where the lines are.
function sameAmount(own: string, mentioned: string, currency: string): boolean {
  const [a, b] = [own, mentioned].map((amount) => minorOrZero(amount, currency));
  return a === b || a === 0n || b === 0n;
}
