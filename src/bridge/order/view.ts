import { isVisible } from '../../contract/text.ts';
import { canonicalText } from './canonical-text.ts';
import { isDeleted } from './deletion.ts';
import { type EffectiveRefund, effectiveRefunds, openRefunds } from './effective-refunds.ts';
import type { DraftLine, Facts, Lifecycle, PaymentState, Transaction } from './facts.ts';
import type { Problem } from './failure.ts';
import { hintsOf } from './hints.ts';
import { type PaymentSigns, paymentSigns } from './payment-signs.ts';
import { coversAll, successfulCharges } from './payments.ts';
import { refundContradictions } from './refund-contradictions.ts';
import { readWitnesses } from './witnesses.ts';

/** The order as it is now, by its facts: everything that can change what should be recorded, and nothing else. */
export type OrderView = {
  lifecycle: Lifecycle;
  payment: PaymentState;
  test: boolean;
  /** ISO instant; the best that is known, else the moment it was placed. */
  paidAt: string;
  number: string;
  createdAt: string;
  currency: string;
  gateways: string[];
  transactionId: string | null;
  lines: DraftLine[];
  total: string;
  /** What the platform's totals say was paid and kept; see `Snapshot`. */
  kept?: string;
  /** How far the sum of the lines may be from the money; see `Snapshot`. */
  mayBeOff?: string;
  refunds: EffectiveRefund[];
  problems: Problem[];
} & PaymentSigns;

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
    gateways: coversAll(facts, order) || snapshot.gateways.length === 0 ? gatewaysOf(charges) : snapshot.gateways,
    transactionId: snapshot.transactionId ?? referenceOf(charges),
    refunds: effectiveRefunds(facts, order),
    problems: [...snapshot.problems, ...problems, ...refundContradictions(facts, order), ...openRefunds(facts, order)],
  };
}

// A service takes no line without a readable name.
function named(line: DraftLine): DraftLine {
  return isVisible(line.name) ? line : { ...line, name: line.kind };
}

/** Canonical text of the view, and of open hints: the ledger raises the order's revision when it changes. A tag or a customer's name does not change it. */
export function fingerprint(facts: Facts): string {
  const hints = hintsOf(facts);
  return canonicalText(hints === null ? viewOf(facts) : [viewOf(facts), hints]);
}

function gatewaysOf(charges: Transaction[]): string[] {
  return [...new Set(charges.map(({ gateway }) => gateway))].sort();
}

// The gift card's own reference says nothing about the money that came through a processor.
function referenceOf(charges: Transaction[]): string | null {
  const referenced = charges.filter(({ reference }) => reference !== null);
  const byProcessor = referenced.find(({ gateway }) => gateway !== GIFT_CARD);
  return (byProcessor ?? referenced[0])?.reference ?? null;
}
