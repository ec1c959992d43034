import type { Customer } from '../../../contract/record.ts';
import type { Problem } from './failure.ts';

/**
 * All known facts of one order. Everything here is JSON: it is stored as it is. Money is decimal text in the order's currency, including VAT
 * ("24.00"); instants are ISO 8601 in UTC with milliseconds ("2026-11-21T01:49:23.000Z", so that text order is time order); ids are text.
 */
export type LineKind = 'item' | 'shipping' | 'fee' | 'tip' | 'duty';

/** One line as ordered, before any refund. */
export type DraftLine = {
  /** The storefront's own line id, unique within the order. */
  id: string;
  kind: LineKind;
  name: string;
  /** Decimal text, above zero: "2", "0.5". */
  quantity: string;
  /** The price of the whole line before discount, with VAT. Negative only for a fee that is a discount. */
  gross: string;
  /** The money taken off the whole line, with VAT; never negative. */
  discount: string;
  /** Percent as text without trailing zeros: "20", "9", "0", "25.5". */
  vatRate: string;
  /** True for the sale of a gift card. */
  giftCard?: true;
  /** The line of the storefront that this is a part of, as refunds name it: a line with several VAT rates is one line per rate. */
  partOf?: string;
};

/** draft: a visitor looked at the checkout. trashed: the merchant threw the order away, and may restore it. */
export type Lifecycle = 'draft' | 'live' | 'cancelled' | 'trashed';

/**
 * on-delivery: accepted, to be paid in cash on delivery. outstanding: it was paid, then an edit or a status change left something unpaid.
 * paid: paid in full, even if refunded since.
 */
export type PaymentState = 'unpaid' | 'on-delivery' | 'outstanding' | 'paid';

/**
 * A refund as the snapshot lists it. `deducted`: how much of its money `lines` and `kept` of the snapshot have left out already, so that it is not
 * taken off again; absent: nothing.
 */
export type RefundReference = { id: string; amount: string; deducted?: string };

/** What an order says of its money: the lines with what must still come off them, the money that came in, and the refunds it lists. */
export type MoneyAsRead = { lines: DraftLine[]; total: string; refunds: RefundReference[] };

/** The full state of the order at one moment, as its storefront reported it. */
export type Snapshot = {
  /** The platform's own time of change; whole seconds on most platforms, so ties are real. */
  updatedAt: string;
  /** Place of the platform's status in the life of an order: breaks ties of `updatedAt`. Paid above unpaid, refunded above paid. */
  rank: number;
  /** The platform's own word, for people. */
  status: string;
  lifecycle: Lifecycle;
  payment: PaymentState;
  test: boolean;
  /** When it was paid, where the platform says so; else null, and `placedAt` is used. */
  paidAt: string | null;
  placedAt: string;
  /** What people call the order ("#1042"). */
  number: string;
  /** Creation time as the storefront wrote it, with its offset if it has one: goes into the tax record. */
  createdAt: string;
  /** ISO 4217. */
  currency: string;
  /** The platform's ids of the gateways that took money, gift cards left out unless nothing else paid. */
  gateways: string[];
  /** The processor's reference, if the order itself carries one. */
  transactionId: string | null;
  lines: DraftLine[];
  /** What the customer paid or has to pay, before any refund, with VAT. */
  total: string;
  /**
   * What the customer had paid and not had back at `updatedAt`, by totals of the platform that are not made from the lines; may be 0.00. Absent
   * where the platform gives none: then it is `total` less the refunds.
   */
  kept?: string;
  /** Other readings of `lines`, `total` and `refunds`, where those of the platform's totals and of its lines differ: known payments decide. Never empty. */
  otherwise?: MoneyAsRead[];
  /** How far the sum of the lines may be from the money because the platform rounds each amount by itself: "0.02". Absent: not at all. */
  mayBeOff?: string;
  /** The smallest amount to which the platform rounds each amount by itself, and not always alike: "0.01". Absent: its amounts stay as they are. */
  roundedTo?: string;
  /** Money that the platform says the merchant still owes the customer, such as for a cancelled order that was refunded in part. Absent: none. */
  owed?: string;
  /** A gift card paid a part of it, or all; how much is in `transactions`. */
  paidByGiftCard?: true;
  /** Accepted and on its way to the customer, though unpaid by what the platform says: paid on delivery, if its gateway is (`codGateways`). */
  onItsWay?: true;
  /** When all of it was delivered, as far as the platform says so. No part of the record: it may decide whose month's file lists it. */
  deliveredAt?: string;
  /** SHA-256 in hex of what tells this order from another one of the same id, whatever changes later; absent where the platform has nothing like it. */
  identity?: string;
  /** When it was read from the store's API: the state of that moment, even if `updatedAt` did not move. Only set if `updatedAt` was over by then. */
  readAt?: string;
  /** Its amounts were asked for with all their decimals: it is preferred to the same state with rounded ones. */
  exact?: true;
  /** The VAT in `total` as the storefront calculates it, decimal text; null or left out if it does not say. Compared, never recorded. */
  vat?: string | null;
  /** Every refund known at this moment; null if this platform's orders do not list them. */
  refunds: RefundReference[] | null;
  /** What in this order a tax record can't express; empty for nearly all. */
  problems: Problem[];
  /** SHA-256 in hex over everything above and the customer: makes the order of snapshots total. */
  digest: string;
};

/** The part of one line that was given back. `rate`: the VAT rate of all of it; absent: the storefront does not say, or there are several. */
export type RefundLine = { lineId: string; quantity: string; amount: string; rate?: string };

export type Refund = {
  id: string;
  /** When the platform made it. */
  at: string;
  /** Money given back in all, positive; null where only its transactions show it (see `transactions`). */
  amount: string | null;
  /** Ids of the transactions that carry its money; empty where the platform has none. */
  transactions: string[];
  /** null: not known yet, to be fetched. Empty: it is known to have none (an amount only). */
  lines: RefundLine[] | null;
  /** `updatedAt` of the order whose list says so; absent where refunds do not change once they are made, and of one that came alone. */
  version?: string;
  /**
   * `updatedAt` of the newest order that listed it, set where `version` may be. Empty: only its own message reported it so far, and an order that lists no
   * refunds at all does not take it back.
   */
  listed?: string;
};

export type TransactionStatus = 'pending' | 'success' | 'failure' | 'error';

export type Transaction = {
  id: string;
  /** charge: money in (sale, capture). refund: money back. other: authorizations, voids. */
  kind: 'charge' | 'refund' | 'other';
  status: TransactionStatus;
  gateway: string;
  amount: string;
  /** The processor's own reference, what the tax record calls transactionId. */
  reference: string | null;
  at: string;
  /** ISO 4217 of `amount`; absent: the order's. */
  currency?: string;
  /** Cash that was handed back over the counter: it belongs to a charge. */
  change?: true;
  /** A gift card that was redeemed (its `kind` is other), or credited again (its `kind` is refund). */
  giftCard?: 'charge' | 'refund';
};

/**
 * One delivery's news of one order: what the normalizer reads from a webhook. Undated news (a bare deletion) gets its time from its arrival.
 */
export type OrderNews = {
  orderId: string;
  snapshot?: Snapshot;
  customer?: Customer;
  refunds?: Refund[];
  transactions?: Transaction[];
  /** The storefront said that the order is gone (trashed or deleted). */
  deleted?: true;
  /** When it was, by the clock of `updatedAt`, if the storefront says so. */
  deletedOn?: string;
  /** The storefront said that the order is back from the trash. */
  restored?: true;
  /** The moment of payment, if this very delivery announces it. */
  paidAt?: string;
  /** The storefront said that the order changed, but not how. */
  changed?: true;
  /** Refunds that were deleted, as an unproven word of the storefront says. */
  withdrawn?: string[];
};

/** The buyer of an order. unopened: they are kept, and do not open; the store may send them again. */
export type CustomerFact = { kind: 'none' } | { kind: 'unopened' } | { kind: 'known'; customer: Customer } | { kind: 'erased' };

/** Null: there is none, or nobody can say who. */
export function knownBuyer(fact: CustomerFact): Customer | null {
  return fact.kind === 'known' ? fact.customer : null;
}

/** The join of all deliveries of one order; see `merge`. */
export type Facts = {
  snapshot: Snapshot | null;
  /** Earliest arrival of the winning snapshot: a repeat of it does not make it newer than a deletion. */
  snapshotSeenAt: string | null;
  /** Earliest arrival of any snapshot that was paid: from here the wait for a transaction id counts. */
  paidSeenAt: string | null;
  /** Earliest announced moment of payment. */
  paidAt: string | null;
  /** Latest arrival of a deletion without a time, and of a restoration. */
  deletedAt: string | null;
  restoredAt: string | null;
  refunds: Record<string, Refund>;
  transactions: Record<string, Transaction>;
  customer: CustomerFact;
  /** Latest time of a deletion that has one. */
  deletedOn?: string;
  /** Latest arrival of a word that the order changed, which did not say how: the order's state answers it, or the next reading of the store. */
  changedAt?: string;
  /**
   * First arrival of each length that the list of refunds had at the newest `updatedAt`: there is more than one if the list changed while that stood
   * still. Absent: only the length of `snapshot`, first at `snapshotSeenAt`; in it, that length is left out if it came at that time.
   */
  listLengths?: Record<string, string>;
  /** Latest arrival of a word that a refund was deleted, by the refund's id. */
  withdrawn?: Record<string, string>;
  /** Identities of orders that a person declared to be this one, sorted. */
  identities?: string[];
};

export const noFacts: Facts = {
  snapshot: null,
  snapshotSeenAt: null,
  paidSeenAt: null,
  paidAt: null,
  deletedAt: null,
  restoredAt: null,
  refunds: {},
  transactions: {},
  customer: { kind: 'none' },
};

/** What identifies an order for good: it survives disconnecting and connecting again. */
export type OrderKey = {
  /** The compliance service's shop id (UUID). */
  shopId: string;
  /** Name of the storefront in the registry. */
  platform: string;
  /** The store as its platform names it: a shop domain, a home URL, or the connection's name. */
  store: string;
  /** The platform's own order id, as text (it may pass 2^53); `ID~2` for a second order that came under the id ID. */
  orderId: string;
};

/** A visitor looked at the checkout, and nobody paid. A paid order that was set back to a draft is none: it is a sale until its refunds say otherwise. */
export function isBasket({ lifecycle, payment }: Pick<Snapshot, 'lifecycle' | 'payment'>): boolean {
  return lifecycle === 'draft' && payment === 'unpaid';
}

const SECOND = '2026-11-21T10:00:00'.length;

/**
 * By the time of the deletion, to the second, since a shop's clock may have no more; if it has none, its arrival is compared with that of the order's newest
 * state. The store may say later that the order is back.
 */
export function isDeleted({ deletedAt, deletedOn, restoredAt, snapshotSeenAt }: Facts, snapshot: Snapshot): boolean {
  if (isBasket(snapshot) || snapshot.lifecycle === 'trashed') return false;
  const isNewest = deletedOn !== undefined && deletedOn.slice(0, SECOND) >= snapshot.updatedAt.slice(0, SECOND);
  if (isNewest && (restoredAt === null || deletedOn > restoredAt)) return true;
  return deletedAt !== null && [snapshotSeenAt, restoredAt].every((seenAt) => seenAt === null || deletedAt > seenAt);
}
