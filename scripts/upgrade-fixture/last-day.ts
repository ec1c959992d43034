import { until } from '../../test/support/worlds/settled.ts';
import { refundedStandardOrder, shopifyOrder, standardOrder, wooOrder } from './bodies.ts';
import { mails, type OwnStores } from './history.ts';
import type { OldServer } from './old-program.ts';
import { connect, type Store, type StoreWebhook, send } from './stores.ts';
import { rehearse, type Stores, settled, standing, type World } from './world.ts';

const AT = '2026-11-20T10:00:00Z';
const LATER = '2026-11-20T11:00:00Z';

const sold = (id: string, changes: object = {}): StoreWebhook => ({ topic: 'order.paid', body: { order: { ...standardOrder({ id, at: AT }), ...changes } } });
const changed = (id: string, total: string): StoreWebhook => ({
  topic: 'order.updated',
  body: { order: standardOrder({ id, at: AT, total }, { updatedAt: LATER }) },
});

/** The last day of the old program: something of everything happens, much of it is under way, and then it is killed. */
export async function lastDay(world: World, own: OwnStores, env: Record<string, string>): Promise<Stores> {
  const settings = { recordFrom: '2026-01-01T00:00:00Z', transactionWaitSeconds: 0 };
  const remote = (name: string, shop: string) => connect(world.program, { platform: 'standard', name, shop, settings, env });
  const stores = {
    ...own,
    remote: await remote('Remote', 'aaaaaaaa-0000-4000-8000-000000000001'),
    unknown: await remote('Unknown', 'aaaaaaaa-0000-4000-8000-000000000002'),
  };
  const server = await world.program.start('all', { env: { ...env, COMPLIANCE_REHEARSAL: 'true' } });
  await states(world, stores, server);
  await otherNews(world, stores, server);
  await receiptsFail(world, stores, server);
  await elsewhere(world, stores, server);
  await halfDone(world, stores, server);
  await server.stop('SIGKILL');
  return stores;
}

/** Orders in the states that they may rest in. */
async function states(world: World, { own, woo, shopify }: Stores, server: OldServer): Promise<void> {
  const deliver = (webhook: StoreWebhook) => send(server, own, webhook);
  for (const id of ['plain', 'edited-late', 'edited-half', 'refunded', 'refunded-late', 'refunded-inboxed', 'dollars']) {
    await deliver(sold(id, id === 'dollars' ? { currency: 'USD' } : {}));
    await settled(world, own, { [id]: 'recorded' });
  }
  await deliver({ topic: 'order.refunded', body: { order: refundedStandardOrder({ id: 'refunded', at: AT }, LATER) } });
  await deliver(sold('waiting', { status: 'pending', paidAt: null }));
  await deliver(sold('paid-late', { status: 'pending', paidAt: null }));
  await deliver(sold('ignored', { test: true }));
  await deliver(sold('parked', { payment: { method: 'shells' } }));
  await settled(world, own, { refunded: 'removed', waiting: 'waiting', 'paid-late': 'waiting', ignored: 'ignored', parked: 'parked' });
  await send(server, woo, { topic: 'order.created', body: wooOrder({ id: '102', at: AT }) });
  await send(server, shopify, { topic: 'orders/paid', body: shopifyOrder({ id: '9002', at: AT }) });
  await settled(world, woo, { '102': 'recorded' });
  await settled(world, shopify, { '9002': 'recorded' });
}

/** Webhooks that are about no order, or can't be read. */
async function otherNews({ program }: World, { own, woo, shopify }: Stores, server: OldServer): Promise<void> {
  await send(server, own, { topic: 'order.paid', body: { order: { id: 'unreadable', total: 12 } } });
  await send(server, woo, { topic: 'order.updated', body: { code: 'woocommerce_rest_cannot_view', message: 'No.', data: { status: 401 } } });
  await send(server, shopify, { topic: 'customers/data_request', body: { orders_requested: [9001], data_request: { id: 77 } } });
  await until(async () => (await program.json<unknown[]>(['exports'])).length === 1, { what: 'the export' });
  await until(async () => (await program.json<{ deliveries: unknown[] }>(['parked'])).deliveries.length === 1, { what: 'the unreadable webhook' });
}

const NO_RECEIPTS = { on: 'receipt', times: 1_000, do: 'status', status: 503, retryAfter: 60 };

/** Receipts alone are paused; mails wait, too, because the mail server does not answer. */
async function receiptsFail(world: World, { own }: Stores, server: OldServer): Promise<void> {
  await until(async () => (await mails(world, own.shop)).filter(({ state }) => state === 'waiting').length >= 6, { what: 'mails to wait', timeoutMs: 20_000 });
  await rehearse(server, [NO_RECEIPTS]);
  await send(server, own, sold('receipt-due'));
  await settled(world, own, { 'receipt-due': 'recorded' });
  await paused(world, own, 'receipts');
}

/** The other compliance API does not know a shop, loses a reply, refuses an order, and then throttles. */
async function elsewhere(world: World, { remote, unknown }: Stores, server: OldServer): Promise<void> {
  const deliver = (webhook: StoreWebhook) => send(server, remote, webhook);
  for (const id of ['recorded', 'edited']) {
    await deliver(sold(id));
    await settled(world, remote, { [id]: 'recorded' });
  }
  world.remote.next('create', 'lose-reply');
  await deliver(sold('unconfirmed'));
  await settled(world, remote, { unconfirmed: 'unconfirmed' });
  world.remote.next('create', { status: 422, body: { title: 'not like this' } });
  await deliver(sold('refused'));
  await settled(world, remote, { refused: 'parked' });
  // No probe before the program is killed: only the story decides which work is under way then.
  const headers = { 'retry-after': '60' };
  world.remote.always({ status: 404, body: { title: 'no such shop' }, headers });
  await send(server, unknown, sold('held'));
  await paused(world, unknown, 'records');
  world.remote.always({ status: 503, body: { title: 'not now' }, headers });
  await deliver(sold('new'));
  await deliver(changed('edited', '30.00'));
  await paused(world, remote, 'records');
  await settled(world, remote, { new: 'queued', edited: 'queued' });
}

/** A submission waits for its time; a create has lost its reply; a replacement is deleted and not yet created again. */
async function halfDone(world: World, { own, woo }: Stores, server: OldServer): Promise<void> {
  const { program } = world;
  const patient = await program.file('patient.json', { recordFrom: '2026-01-01T00:00:00Z', transactionWaitSeconds: 0, settleSeconds: 120 });
  await program.run(['settings', woo.connection, patient]);
  await send(server, woo, { topic: 'order.created', body: wooOrder({ id: '103', at: AT }) });
  await settled(world, woo, { '103': 'queued' });
  await rehearse(server, [NO_RECEIPTS, { on: 'create', do: 'lose-reply' }, { on: 'create', times: 100, do: 'slow', ms: 600_000 }]);
  await send(server, own, sold('reply-lost'));
  await untilRecorded(world, own, ['reply-lost', true]);
  await send(server, own, changed('edited-half', '30.00'));
  await untilRecorded(world, own, ['edited-half', false]);
}

async function untilRecorded(world: World, store: Store, [id, wanted]: readonly [id: string, wanted: boolean]): Promise<void> {
  await until(async () => (await standing(world, store)).some(({ internalId }) => internalId === id) === wanted, {
    what: `${id} ${wanted ? '' : 'not '}to be recorded`,
  });
}

async function paused({ program }: World, { connection, name }: Store, lane: string): Promise<void> {
  const isPaused = async () => {
    const connections = await program.json<{ connectionId: string; pauses: { lane: string }[] }[]>(['connections']);
    return connections.find(({ connectionId }) => connectionId === connection)?.pauses.some((pause) => pause.lane === lane);
  };
  await until(isPaused, { what: `${lane} of ${name} to be paused`, timeoutMs: 20_000 });
}
