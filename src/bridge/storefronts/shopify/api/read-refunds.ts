import { z } from 'zod';
import type { AdminClient } from './admin-client.ts';
import { askSized } from './node-cost.ts';
import { COSTS, REFUNDS } from './queries.ts';
import { allNodes } from './read-rest.ts';
import { type OrderShape, partNodes, type RefundShape, refundShape } from './shapes.ts';

const AT_ONCE = 25;

const data = z.object({ nodes: z.array(z.unknown()) });

/** The refunds that these orders list, with all their pages, in that order; undefined for an order whose refunds can't be read as of one state. */
export async function readRefunds(client: AdminClient, orders: readonly OrderShape[]): Promise<Map<OrderShape, RefundShape[] | undefined>> {
  const ids = orders.flatMap(({ refunds }) => refunds.map(({ id }) => id));
  const found = new Map<string, RefundShape>();
  let left = ids;
  while (left.length > 0) {
    const from = left;
    const ask = (count: number) => ({ query: REFUNDS, variables: { ids: from.slice(0, count).map((id) => `gid://shopify/Refund/${id}`) }, data });
    const page = await askSized(client, { name: 'refunds', most: Math.min(AT_ONCE, from.length), guess: COSTS.refunds, ask });
    for (const node of page.data.nodes) {
      const refund = refundShape.safeParse(node);
      if (refund.success) found.set(refund.data.id, await withAllPages(client, refund.data));
    }
    left = from.slice(page.size);
  }
  return new Map(orders.map((order) => [order, refundsOf(order, found)]));
}

function refundsOf({ updatedAt, refunds }: OrderShape, found: ReadonlyMap<string, RefundShape>): RefundShape[] | undefined {
  const own = refunds.flatMap(({ id }) => found.get(id) ?? []);
  return own.length === refunds.length && own.every(({ order }) => order.updatedAt === updatedAt) ? own : undefined;
}

async function withAllPages(client: AdminClient, refund: RefundShape): Promise<RefundShape> {
  const of = { id: `gid://shopify/Refund/${refund.id}`, updatedAt: refund.order.updatedAt };
  const { refundLineItems, refundShippingLines, orderAdjustments, transactions } = refund;
  const whole = <Node>(nodes: Node[]) => ({ nodes, pageInfo: { hasNextPage: false, endCursor: null } });
  return {
    ...refund,
    refundLineItems: whole(await allNodes(client, { part: 'refundLineItems', shape: partNodes.refundLineItems, first: refundLineItems, ...of })),
    refundShippingLines: whole(
      await allNodes(client, { part: 'refundShippingLines', shape: partNodes.refundShippingLines, first: refundShippingLines, ...of }),
    ),
    orderAdjustments: whole(await allNodes(client, { part: 'orderAdjustments', shape: partNodes.orderAdjustments, first: orderAdjustments, ...of })),
    transactions: whole(await allNodes(client, { part: 'transactions', shape: partNodes.transactions, first: transactions, ...of })),
  };
}
