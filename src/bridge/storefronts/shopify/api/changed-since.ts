import { z } from 'zod';
import type { StoreAccess, StoreMeans } from '../../contract.ts';
import type { ChangedPage, ChangedQuery, OrderHead } from '../../store-reader.ts';
import { microText } from '../micro-money.ts';
import { isCancelled, paymentOf, statusText } from '../order-status.ts';
import { utc } from '../utc.ts';
import { adminClient } from './admin-client.ts';
import { askSized } from './node-cost.ts';
import { COSTS, HEAD_REFUNDS, HEADS } from './queries.ts';
import { type HeadShape, headShape, pageInfo } from './shapes.ts';
import { lower } from './to-order.ts';

const LARGEST_PAGE = 250;
/** Pages end at 25,000 orders: before that the sync run goes on in a new window. */
const WINDOW = 20_000;

/** Where a page ended: in the window of what changed at `since` or later, after `cursor`, `count` orders from its beginning. */
const place = z.object({ since: z.string(), cursor: z.string().nullable(), count: z.number() });
type Place = z.output<typeof place>;

const data = z.object({ orders: z.object({ nodes: z.array(headShape), pageInfo }) });

/** The orders of a shop by time of change. It shows those of the last 60 days, unless the app may read all. */
export async function changedSince(access: StoreAccess, { since, after, size }: ChangedQuery, means: StoreMeans): Promise<ChangedPage> {
  const from: Place = after === null ? { since, cursor: null, count: 0 } : place.parse(JSON.parse(after));
  const client = adminClient(access, means);
  const variables = { after: from.cursor, query: `updated_at:>='${wholeSecond(from.since)}'` };
  const page = await askSized(client, {
    ...{ name: 'heads', most: Math.min(size, LARGEST_PAGE), guess: COSTS.heads },
    ask: (first) => ({ query: HEADS, variables: { ...variables, first }, data }),
  });
  const { nodes, pageInfo: end } = page.data.orders;
  const last = nodes.at(-1);
  const isMore = last !== undefined && end.hasNextPage;
  const next = isMore ? placeAfter(from, { count: nodes.length, last: last.updatedAt, cursor: end.endCursor }) : null;
  return { heads: nodes.map(toHead), next: next === null ? null : JSON.stringify(next) };
}

type PageEnd = { count: number; last: string; cursor: string | null };

function placeAfter({ since, count: before }: Place, { count: more, last, cursor }: PageEnd): Place {
  const count = before + more;
  // So many changes in one second can only be followed by the cursor.
  const isMoving = wholeSecond(last) !== wholeSecond(since);
  return count >= WINDOW && isMoving ? { since: last, cursor: null, count: 0 } : { since, cursor, count };
}

function wholeSecond(instant: string): string {
  return `${utc(instant).slice(0, 19)}Z`;
}

/** What webhooks say of an order's refunds and edits is not in its head, so its total is made of the shop's own sums. */
function toHead(head: HeadShape): OrderHead {
  const order = {
    financial_status: lower(head.displayFinancialStatus),
    cancelled_at: head.cancelledAt,
    total_outstanding: head.totalOutstandingSet,
  };
  const payment = paymentOf(order);
  const comesTo = head.currentTotalPriceSet - (payment === 'paid' ? head.totalOutstandingSet : 0n);
  return {
    orderId: head.id,
    number: head.name,
    updatedAt: utc(head.updatedAt),
    status: statusText(order),
    lifecycle: isCancelled(order) ? 'cancelled' : 'live',
    payment,
    test: head.test,
    currency: head.currencyCode,
    total: microText(comesTo + head.totalRefundedSet),
    totalMayDiffer: true,
    soldAt: utc(head.processedAt),
    createdAt: utc(head.createdAt),
    kept: microText(head.netPaymentSet),
    refundIds: head.refunds.length < HEAD_REFUNDS ? head.refunds.map(({ id }) => id) : null,
  };
}
