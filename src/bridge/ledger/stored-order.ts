import { z } from 'zod';
import { taxRecord } from '../../contract/record.ts';
import { jsonOf } from '../../platform/postgres/json-of.ts';
import type { Doubted } from '../order/claim.ts';
import type { StoredCode } from '../order/failure.ts';
import type { OrderState } from '../order/order-state.ts';
import type { Receipt } from '../order/receipt.ts';
import type { Frozen } from '../order/settings.ts';
import type { Settled } from '../order/settled.ts';
import type { OpenStep } from '../order/step.ts';

// Columns of `orders` that are more than text and numbers.
const text = z.string();

/** Of any release: an order that a later one in review is still claimed and listed by this one. */
export const storedCode = z.custom<StoredCode>((code) => typeof code === 'string');

export const orderState = jsonOf<OrderState>()(z.enum(['waiting', 'queued', 'recorded', 'removed', 'review', 'settled', 'unconfirmed', 'ignored']));

export const storedMapping = jsonOf<Frozen>()(
  z.object({
    vatGroups: z.record(text, text),
    payments: z.record(text, z.object({ paymentType: text, paymentProcessorName: text.exactOptional() })),
    convertTo: z.enum(['BGN', 'EUR']).nullable(),
    pricesContainVat: text.nullable(),
    giftCards: z.enum(['ignore', 'record']).nullable(),
    giftCardsTakenOff: z.boolean().nullable(),
    paidStatus: text.exactOptional(),
  }),
);

export const receiptState = jsonOf<Receipt>()(
  z.discriminatedUnion('state', [
    z.object({ state: z.literal('due'), complianceId: text, since: text, seq: z.int().nullable() }),
    z.object({ state: z.literal('got'), complianceId: text, at: text, id: text.nullable() }),
    z.object({ state: z.literal('refused'), complianceId: text, at: text, detail: text }),
  ]),
);

const step = { seq: z.int(), destinationId: text, uncertain: z.boolean() };

export const storedDoubt = jsonOf<Doubted>()(z.object({ complianceId: text, destinationId: text }));

const encoding = z.object({ amounts: z.enum(['decimal', 'minor']), vatRate: z.enum(['percent', 'fraction']) });
const ofCreate = { encoding: encoding.exactOptional(), buyer: z.enum(['none', 'kept', 'erased']).exactOptional() };

/** `since` is absent until a 404 that the service itself may not have given. */
export const storedStep = jsonOf<OpenStep>()(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('create'), ...step, record: taxRecord, idempotencyKey: text, receipt: z.boolean(), ...ofCreate }),
    z.object({ kind: z.literal('delete'), ...step, complianceId: text, since: text.exactOptional() }),
  ]),
);

export const storedWord = jsonOf<Settled>()(
  z.object({
    how: z.enum(['recorded', 'not-a-sale', 'elsewhere', 'kept', 'removed']),
    ...{ revision: z.int(), complianceId: text.nullable(), code: storedCode, who: text, why: text, at: text },
  }),
);
