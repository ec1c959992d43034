import { z } from 'zod';
import type { AdminClient } from './admin-client.ts';
import { askSized } from './node-cost.ts';
import { COSTS, ORDERS } from './queries.ts';
import { withLongLists } from './read-lists.ts';
import { readRefunds } from './read-refunds.ts';
import { allNodes, NotWhole } from './read-rest.ts';
import { type OrderShape, orderShape, partNodes } from './shapes.ts';
import type { WholeOrder } from './to-order.ts';

/** `missing`: the shop does not show it. `unread`: it shows it, but not so that it can be read. */
export type ReadOrders = { whole: WholeOrder[]; missing: string[]; unread: string[] };

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
