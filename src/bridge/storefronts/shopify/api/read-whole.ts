import { z } from 'zod';
import type { AdminClient } from './admin-client.ts';
import { askSized } from './node-cost.ts';
import { COSTS, LIST, LONG_LISTS, LONGEST_LIST, ORDERS, type Part, REFUNDS, restOf } from './queries.ts';
import { type OrderShape, orderShape, pageInfo, partNodes, type RefundShape, refundShape } from './shapes.ts';
import type { WholeOrder } from './to-order.ts';

/** `missing`: the shop does not show it. `unread`: it shows it, but not so that it can be read. */
type ReadOrders = { whole: WholeOrder[]; missing: string[]; unread: string[] };

/** An order that changes while its pages are read is read again. */
const ATTEMPTS = 3;

const data = z.object({ shop: z.object({ ianaTimezone: z.string() }), nodes: z.array(z.unknown()) });

type Block = { timeZone: string; orders: OrderShape[]; missing: string[]; unread: string[] };

/** Reads orders with all their pages, refunds and payments. */
export async function readWhole(client: AdminClient, orderIds: readonly string[]): Promise<ReadOrders> {
  const read: ReadOrders = { whole: [], missing: [], unread: [] };
  let left = [...orderIds];
  while (left.length > 0) {
    const { block, size } = await readBlock(client, left);
    left = left.slice(size);
    read.missing.push(...block.missing);
    read.unread.push(...block.unread);
    const parts = await wholeOf(client, block);
    read.whole.push(...parts.whole);
    for (const orderId of parts.moved) await readAgain(client, orderId, read);
  }
  return read;
}

async function readAgain(client: AdminClient, orderId: string, read: ReadOrders): Promise<void> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
    const { block } = await readBlock(client, [orderId]);
    const { whole, moved } = await wholeOf(client, block);
    read.whole.push(...whole);
    read.missing.push(...block.missing);
    read.unread.push(...block.unread);
    if (moved.length === 0) return;
  }
  read.unread.push(orderId);
}

async function readBlock(client: AdminClient, orderIds: readonly string[]): Promise<{ block: Block; size: number }> {
  const ask = (count: number) => ({ query: ORDERS, variables: { ids: orderIds.slice(0, count).map((id) => `gid://shopify/Order/${id}`) }, data });
  const page = await askSized(client, { name: 'orders', most: orderIds.length, guess: COSTS.orders, ask });
  const block: Block = { timeZone: page.data.shop.ianaTimezone, orders: [], missing: [], unread: [] };
  for (const [nth, orderId] of orderIds.slice(0, page.size).entries()) {
    const node = page.data.nodes[nth] ?? null;
    const order = orderShape.safeParse(node);
    if (node === null) block.missing.push(orderId);
    else if (order.success) block.orders.push(order.data);
    else block.unread.push(orderId);
  }
  return { block, size: page.size };
}

/** `moved`: it could not be read as of one state. */
async function wholeOf(client: AdminClient, { orders, timeZone }: Block): Promise<{ whole: WholeOrder[]; moved: string[] }> {
  const read: OrderShape[] = [];
  for (const order of orders) {
    const filled = await ifWhole(async () => withAllLines(client, await withLongLists(client, order)));
    if (filled !== null) read.push(filled);
  }
  const refunds = (await ifWhole(() => readRefunds(client, read))) ?? new Map<OrderShape, undefined>();
  const whole = read.flatMap((order) => {
    const own = refunds.get(order);
    return own === undefined ? [] : [{ order, refunds: own, timeZone }];
  });
  const isWhole = new Set(whole.map(({ order }) => order.id));
  return { whole, moved: orders.map(({ id }) => id).filter((id) => !isWhole.has(id)) };
}

async function withAllLines(client: AdminClient, order: OrderShape): Promise<OrderShape> {
  const of = { id: `gid://shopify/Order/${order.id}`, updatedAt: order.updatedAt };
  const lines = await allNodes(client, { part: 'lineItems', shape: partNodes.lineItems, first: order.lineItems, ...of });
  const shipping = await allNodes(client, { part: 'shippingLines', shape: partNodes.shippingLines, first: order.shippingLines, ...of });
  const { lineItems, shippingLines } = order;
  return { ...order, lineItems: { ...lineItems, nodes: lines }, shippingLines: { ...shippingLines, nodes: shipping } };
}

async function ifWhole<Read>(read: () => Promise<Read>): Promise<Read | null> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof NotWhole) return null;
    throw thrown;
  }
}

const { refunds: refundList, transactions: paymentList } = orderShape.shape;

/** The order with all its refunds and payments, which have no pages. Throws `NotWhole`, also if there are too many. */
async function withLongLists(client: AdminClient, order: OrderShape): Promise<OrderShape> {
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

const AT_ONCE = 25;

const refundsData = z.object({ nodes: z.array(z.unknown()) });

/** The refunds that these orders list, with all their pages, in that order; undefined for an order whose refunds can't be read as of one state. */
async function readRefunds(client: AdminClient, orders: readonly OrderShape[]): Promise<Map<OrderShape, RefundShape[] | undefined>> {
  const ids = orders.flatMap(({ refunds }) => refunds.map(({ id }) => id));
  const found = new Map<string, RefundShape>();
  let left = ids;
  while (left.length > 0) {
    const from = left;
    const ask = (count: number) => ({ query: REFUNDS, variables: { ids: from.slice(0, count).map((id) => `gid://shopify/Refund/${id}`) }, data: refundsData });
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

const NODES_AT_ONCE = 100;

type Page<Node> = { nodes: Node[]; pageInfo: z.output<typeof pageInfo> };

/** An order can't be read whole: it changed while its pages were read, or a part of it is not as expected. */
class NotWhole extends Error {
  override readonly name = 'NotWhole';
}

/** `id`: of the order or refund, as the API names it. `updatedAt`: when its order had changed as the first page was read. */
type Rest<Node> = { part: Part; shape: z.ZodType<Node>; first: Page<Node>; id: string; updatedAt: string };

/** All nodes of a part that comes in pages, of which the first one is known. Throws `NotWhole`. */
async function allNodes<Node>(client: AdminClient, { part, shape, first, id, updatedAt }: Rest<Node>): Promise<Node[]> {
  const list = z.array(shape);
  const page = z.object({ nodes: z.array(z.unknown()), pageInfo });
  const change = z.string().optional();
  const data = z.object({ node: z.object({ updatedAt: change, order: z.object({ updatedAt: change }).optional(), page }).nullable() });
  const nodes = [...first.nodes];
  let end = first.pageInfo;
  while (end.hasNextPage) {
    const after = end.endCursor;
    const ask = (first: number) => ({ query: restOf(part), variables: { id, after, first }, data });
    const { node } = (await askSized(client, { name: `rest of ${part}`, most: NODES_AT_ONCE, guess: COSTS.rest, ask })).data;
    const read = list.safeParse(node?.page.nodes);
    if (!read.success || node === null || (node.updatedAt ?? node.order?.updatedAt) !== updatedAt) throw new NotWhole('the order changed while it was read');
    nodes.push(...read.data);
    end = node.page.pageInfo;
  }
  return nodes;
}
