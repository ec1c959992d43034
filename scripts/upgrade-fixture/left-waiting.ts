import { refundedStandardOrder, shopifyOrder, shopifyRefund, standardOrder, wooOrder } from './bodies.ts';
import { returnedLate } from './history.ts';
import { type Store, type StoreWebhook, send } from './stores.ts';
import type { Stores, World } from './world.ts';

const AT = '2026-11-20T10:00:00Z';
const LATER = '2026-11-20T12:00:00Z';

const sold = (id: string, changes: object = {}): StoreWebhook => ({ topic: 'order.paid', body: { order: { ...standardOrder({ id, at: AT }), ...changes } } });

/** A receiver alone takes webhooks, without a recorder: most stay on the queue, those that came while it was down in the inbox. */
export async function leaveWaiting(world: World, stores: Stores, env: Record<string, string>): Promise<void> {
  const server = await world.program.start('receiver', { env });
  for (const [store, webhook] of waiting(stores)) await send(server, store, webhook);
  const held = await world.holdQueue();
  for (const [store, webhook] of inbox(stores)) await send(server, store, webhook);
  // Killed, so that nothing it still has in hand gets to the queue after all.
  await server.stop('SIGKILL');
  await held.end();
}

function waiting({ own, woo, shopify, remote }: Stores): [Store, StoreWebhook][] {
  return [
    [own, sold('new')],
    [own, sold('new')],
    [own, sold('paid-late', { updatedAt: LATER })],
    [own, { topic: 'order.updated', body: { order: standardOrder({ id: 'edited-late', at: AT, total: '30.00' }, { updatedAt: LATER }) } }],
    [own, { topic: 'order.refunded', body: { order: refundedStandardOrder({ id: 'refunded-late', at: AT }, LATER) } }],
    [own, { topic: 'order.refunded', body: { order: refundedStandardOrder(returnedLate, LATER) } }],
    [own, { topic: 'order.paid', body: { order: { id: 'unreadable-late', total: 12 } } }],
    [woo, { topic: 'order.created', body: wooOrder({ id: '104', at: AT }) }],
    [woo, { topic: 'order.updated', body: wooOrder({ id: '102', at: AT }, { status: 'cancelled', date_modified_gmt: LATER.replace('Z', '') }) }],
    [shopify, { topic: 'orders/paid', body: shopifyOrder({ id: '9003', at: AT }) }],
    [shopify, { topic: 'refunds/create', body: shopifyRefund({ id: '9002', at: LATER }) }],
    [shopify, { topic: 'customers/redact', body: { orders_to_redact: [9001] } }],
    [remote, sold('late')],
  ];
}

function inbox({ own, woo }: Stores): [Store, StoreWebhook][] {
  return [
    [own, sold('inboxed')],
    [own, { topic: 'order.refunded', body: { order: refundedStandardOrder({ id: 'refunded-inboxed', at: AT }, LATER) } }],
    [woo, { topic: 'order.created', body: wooOrder({ id: '105', at: AT }) }],
  ];
}
