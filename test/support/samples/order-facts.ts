import { type DraftLine, type Facts, noFacts, type OrderNews, type Refund, type Snapshot, type Transaction } from '../../../src/bridge/order/facts/facts.ts';
import type { FiscalSettings } from '../../../src/bridge/order/facts/settings.ts';

/** 2026-11-20, at the given minute of the day: "10:05" → an ISO instant in UTC. */
export function at(time: string): string {
  return `2026-11-20T${time}:00.000Z`;
}

/** An item of 24.00 at 20 % VAT, unless said otherwise. */
export function line(values: Partial<DraftLine> = {}): DraftLine {
  return { id: '1', kind: 'item', name: 'Mug', quantity: '1', gross: '24.00', discount: '0.00', vatRate: '20', ...values };
}

/** A live order of one mug, paid by card at 10:00. */
export function snapshot(values: Partial<Snapshot> = {}): Snapshot {
  return {
    updatedAt: at('10:00'),
    rank: 5,
    status: 'processing',
    lifecycle: 'live',
    payment: 'paid',
    test: false,
    paidAt: at('10:00'),
    placedAt: at('09:55'),
    number: '#1042',
    createdAt: '2026-11-20T11:55:00+02:00',
    currency: 'EUR',
    gateways: ['stripe'],
    transactionId: 'pi_1',
    lines: [line()],
    total: '24.00',
    refunds: [],
    problems: [],
    digest: 'digest-1',
    ...values,
  };
}

export function refund(values: Partial<Refund> = {}): Refund {
  return { id: 'r1', at: at('12:00'), amount: '24.00', transactions: [], lines: [], ...values };
}

export function transaction(values: Partial<Transaction> = {}): Transaction {
  return { id: 't1', kind: 'charge', status: 'success', gateway: 'stripe', amount: '24.00', reference: 'pi_1', at: at('10:00'), ...values };
}

export function news(values: Partial<OrderNews> = {}): OrderNews {
  return { orderId: '5001', ...values };
}

/** Facts with these refunds and transactions by their ids; unless said otherwise, no state but this one was seen. */
export function facts({ refunds = [], transactions = [], ...values }: Partial<Omit<Facts, 'refunds' | 'transactions'>> & Parts = {}): Facts {
  const known = values.snapshot === undefined ? snapshot() : values.snapshot;
  return {
    ...noFacts,
    snapshot: known,
    snapshotSeenAt: at('10:01'),
    paidSeenAt: known?.payment === 'paid' ? at('10:01') : null,
    ...values,
    refunds: Object.fromEntries(refunds.map((each) => [each.id, each])),
    transactions: Object.fromEntries(transactions.map((each) => [each.id, each])),
  };
}

type Parts = { refunds?: Refund[]; transactions?: Transaction[] };

/** What is decided for a merchant who set nothing. */
export const unsetSettings = {
  removeWithoutRefund: 'review',
  freeOrders: 'ignore',
  codPaidWhen: 'completed',
  codCancelled: 'review',
  giftCards: 'review',
  codGateways: ['cod'],
  paidStatuses: [],
  pricesContainVat: null,
  gaps: [],
  convertTo: null,
} as const satisfies Partial<FiscalSettings>;

export const settings: FiscalSettings = {
  ...unsetSettings,
  vatGroups: { '20': 'GROUP_B', '9': 'GROUP_D' },
  payments: { stripe: { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Stripe' }, cod: { paymentType: 'POSTAL_PAYMENT' } },
  recordFrom: '2026-11-01T00:00:00Z',
};

/** The facts once the buyer was erased for good. */
export function erase(facts: Facts): Facts {
  return { ...facts, customer: { kind: 'erased' } };
}
