import { z } from 'zod';
import { jsonOf } from '../../platform/postgres/json-of.ts';
import type { Facts } from '../order/facts.ts';
import { storedCode } from './stored-order.ts';

// What a later release adds stays in an order's facts when this one merges into them; what not every order has is optional.
const text = z.string();

const draftLine = z.looseObject({
  id: text,
  kind: z.enum(['item', 'shipping', 'fee', 'tip', 'duty']),
  name: text,
  quantity: text,
  gross: text,
  discount: text,
  vatRate: text,
  giftCard: z.literal(true).exactOptional(),
  partOf: text.exactOptional(),
});

const mention = z.looseObject({ id: text, amount: text, settled: text.exactOptional() });

const snapshot = z.looseObject({
  updatedAt: text,
  rank: z.number(),
  status: text,
  lifecycle: z.enum(['draft', 'live', 'cancelled', 'trashed']),
  payment: z.enum(['unpaid', 'on-delivery', 'outstanding', 'paid']),
  test: z.boolean(),
  paidAt: text.nullable(),
  placedAt: text,
  number: text,
  createdAt: text,
  currency: text,
  gateways: z.array(text),
  transactionId: text.nullable(),
  lines: z.array(draftLine),
  total: text,
  vat: text.nullable().exactOptional(),
  kept: text.exactOptional(),
  otherwise: z.array(z.looseObject({ lines: z.array(draftLine), total: text, refunds: z.array(mention) })).exactOptional(),
  mayBeOff: text.exactOptional(),
  roundedTo: text.exactOptional(),
  owed: text.exactOptional(),
  paidByGiftCard: z.literal(true).exactOptional(),
  onItsWay: z.literal(true).exactOptional(),
  deliveredAt: text.exactOptional(),
  identity: text.exactOptional(),
  readAt: text.exactOptional(),
  exact: z.literal(true).exactOptional(),
  refunds: z.array(mention).nullable(),
  problems: z.array(z.looseObject({ code: storedCode, detail: text })),
  digest: text,
});

const refund = z.looseObject({
  id: text,
  at: text,
  amount: text.nullable(),
  transactions: z.array(text),
  lines: z.array(z.looseObject({ lineId: text, quantity: text, amount: text })).nullable(),
  alone: z.literal(true).exactOptional(),
});

const transaction = z.looseObject({
  id: text,
  kind: z.enum(['charge', 'refund', 'other']),
  status: z.enum(['pending', 'success', 'failure', 'error']),
  gateway: text,
  amount: text,
  reference: text.nullable(),
  at: text,
  currency: text.exactOptional(),
  change: z.literal(true).exactOptional(),
  giftCard: z.enum(['charge', 'refund']).exactOptional(),
});

/** An order's facts as the database stores them: without the customer, which has a separate table. */
export const storedFacts = jsonOf<Omit<Facts, 'customer'>>()(
  z.looseObject({
    snapshot: snapshot.nullable(),
    snapshotSeenAt: text.nullable(),
    paidSeenAt: text.nullable(),
    paidAt: text.nullable(),
    deletedAt: text.nullable(),
    restoredAt: text.nullable(),
    refunds: z.record(text, refund),
    transactions: z.record(text, transaction),
    changedAt: text.exactOptional(),
    listLengths: z.record(text, text).exactOptional(),
    withdrawn: z.record(text, text).exactOptional(),
    identities: z.array(text).exactOptional(),
  }),
);
