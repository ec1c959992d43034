import { z } from 'zod';
import { DELIVERIES, MAINTENANCE, SUBMISSIONS } from '../../bridge/delivery/jobs.ts';
import { COMPLIANCE, MAILS } from '../compliance-jobs.ts';

const text = z.string();
const maybe = text.nullish();

// Only what is named here is shown: a field that is added to a job stays hidden until somebody decides otherwise.
const order = z.object({ orderId: maybe, snapshot: z.object({ number: maybe }).nullish() });
const delivery = z
  .object({
    id: text,
    connectionId: text,
    store: maybe,
    topic: text,
    arrivedAt: text,
    normalized: z.object({ kind: text, news: order.nullish() }),
  })
  .transform(({ connectionId, normalized: { kind, news }, ...same }) => ({
    ...same,
    connection: connectionId,
    kind,
    orderId: news?.orderId ?? null,
    orderNumber: news?.snapshot?.number ?? null,
  }));

const shown: Readonly<Record<string, z.ZodType>> = {
  [DELIVERIES]: z.object({ v: z.int(), deliveries: z.array(delivery) }),
  [SUBMISSIONS]: z.object({
    v: z.int(),
    orderId: z.int(),
    connectionId: text,
    // Without the names of what was bought, which may name the buyer.
    order: z.object({ number: maybe, total: maybe, currency: maybe }),
  }),
  [MAINTENANCE]: z.object({
    v: z.int(),
    what: text,
    scope: z.object({ destinationId: text, shopId: maybe, callType: text }).optional(),
  }),
  [COMPLIANCE]: z.object({ v: z.int(), what: text, shopId: text.optional(), month: text.optional() }),
  [MAILS]: z.object({ v: z.int(), what: text, id: text.optional() }),
};

/** What a job is about, for the dashboard: store, order number, topic, when. Never a buyer or a body. */
export function shownData(queue: string, data: unknown): unknown {
  const parsed = shown[queue]?.safeParse(data);
  return parsed?.success === true ? parsed.data : 'This job is of an unknown shape; its content is not shown.';
}

/** Why a job failed, without what may be quoted in it: values of a row, an address. */
export function shownReason(reason: string): string {
  const [line = ''] = reason.split('\n');
  return line
    .replace(/"[^"]*"?|'[^']*'?|“[^”]*”?/g, '…')
    .replace(/\S*@\S*/g, '…')
    .slice(0, 300);
}

/** The frames of a stack, without the message that they begin with. */
export function shownStack(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at [^\n]*$/.test(line))
    .join('\n');
}
