import { z } from 'zod';
import { type Customer, customer } from '../../contract/record.ts';
import { ORDER_STATES } from '../order/decisions/order-state.ts';

const ORDER_EVENTS = ['order.recorded', 'order.replaced', 'order.removed', 'order.needs_review', 'order.resolved'] as const;

/** What an event tells of an order: as the row was when it was written, by `write_order_events` of the ledger. */
const orderData = z.object({
  order: z.object({
    id: z.string().describe('The order’s id in the store. “ID~2” is the second sale that came under the id ID.'),
    number: z.string().nullable().describe('As people know it.'),
    platform: z.string(),
    store: z.string(),
  }),
  connectionId: z.string(),
  shopId: z.string().describe('The shop at the compliance service.'),
  state: z.enum(ORDER_STATES).describe('docs/reference/codes.md lists them.'),
  review: z.string().nullable().describe('Why a person is asked, as a code; null: nobody is.'),
  recordId: z.string().nullable().describe('The record’s id at the compliance service; null: there is none now.'),
  total: z.string().nullable().describe('What the customer paid or has to pay, as decimal text.'),
  currency: z.string().nullable(),
  soldAt: z.string().nullable().describe('When it was paid, or else placed.'),
  buyer: customer.nullable().optional().describe('Only to endpoints that may have buyers; null: none is known, or they are erased.'),
});

const monthData = z.object({
  shopId: z.string().describe('The shop at the compliance service.'),
  month: z.string().describe('Such as 2026-10.'),
  version: z.int().describe('Of the month’s file.'),
  filedOn: z.string().nullable().describe('The day that a person named; null: that of the event.'),
  incomingNumber: z.string().nullable().describe('Under which the agency has it, as far as it is known.'),
});

const timestamp = z.string().describe('When it happened, ISO 8601 in UTC.');

/** The body of a request to an endpoint: docs/reference/events.schema.json is made from it. */
export const eventBody = z.union([
  z.object({ type: z.enum(ORDER_EVENTS), timestamp, data: orderData }),
  z.object({ type: z.literal('month.filed'), timestamp, data: monthData }),
]);

/** A month that was marked as filed. */
export type FiledMonth = z.output<typeof monthData>;

/** An event as it is kept. `buyer`: of an order's, to an endpoint that may have it. */
export type StoredEvent = { type: string; createdAt: string; data: Record<string, unknown>; buyer?: Customer | null };

/** What is sent. Throws if it is not what the schema says. */
export function bodyOf({ type, createdAt, data, buyer }: StoredEvent): string {
  return JSON.stringify(eventBody.parse({ type, timestamp: createdAt, data: buyer === undefined ? data : { ...data, buyer } }));
}
