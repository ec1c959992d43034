import { z } from 'zod';
import type { AdminClient } from './admin-client.ts';
import { LIST, LONG_LISTS, LONGEST_LIST } from './queries.ts';
import { NotWhole } from './read-rest.ts';
import { type OrderShape, orderShape } from './shapes.ts';

const { refunds: refundList, transactions: paymentList } = orderShape.shape;

/** The order with all its refunds and payments, which have no pages. Throws `NotWhole`, also if there are too many. */
export async function withLongLists(client: AdminClient, order: OrderShape): Promise<OrderShape> {
  const { refunds, transactions } = order;
  return {
    ...order,
    refunds: refunds.length < LIST ? refunds : await longList(client, order, { list: 'refunds', shape: refundList }),
    transactions: transactions.length < LIST ? transactions : await longList(client, order, { list: 'transactions', shape: paymentList }),
  };
}

type Long<Node> = { list: keyof typeof LONG_LISTS; shape: z.ZodType<Node[]> };

async function longList<Node>(client: AdminClient, { id, updatedAt }: OrderShape, { list, shape }: Long<Node>): Promise<Node[]> {
  const data = z.object({ node: z.object({ updatedAt: z.string(), list: shape }).nullable() });
  const { node } = (await client.ask({ query: LONG_LISTS[list], variables: { id: `gid://shopify/Order/${id}` }, data })).data;
  if (node?.updatedAt === updatedAt && node.list.length < LONGEST_LIST) return node.list;
  throw new NotWhole(`the order changed while it was read, or has ${LONGEST_LIST} ${list} or more`);
}
