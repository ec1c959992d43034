import { expect } from 'vitest';
import { z } from 'zod';
import { BODY, WITH_BODIES } from '../../../src/bridge/ledger/body-columns.ts';
import { movedStore, notOurStore } from '../../../src/operations/connections/decide-host.ts';
import { listConnections } from '../../../src/operations/connections/list-connections.ts';
import { listWaiting } from '../../../src/operations/orders/list-review.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { BY } from '../../support/samples/by.ts';
import { addressOf, postWoo } from '../samples/signed-webhooks.ts';
import { wooLine, wooOrder } from '../samples/woo-order.ts';
import { fetchJson } from '../servers/store-api.ts';
import type { Bridge, Connected } from './bridge.ts';
import { until } from './settled.ts';
import type { World } from './world.ts';

export const STORE = 'https://shop.example/';
export const STAGING = 'https://staging.shop.example/';
export const HOST = 'staging.shop.example';

/** A paid order of one piece at this price, without VAT in it. */
export function order(id: number, net: string, values: Record<string, unknown> = {}): Record<string, unknown> {
  const line = wooLine({ subtotal: net, subtotal_tax: '0.00', total: net, total_tax: '0.00', taxes: [] });
  return wooOrder({ id, number: String(id), total: net, line_items: [line], tax_lines: [], ...values });
}

export const connectWoo = ({ bridge }: World) => bridge.connect({ platform: 'woocommerce' });

type Webhook = readonly [store: string, body: object, topic?: string];

export async function send(bridge: Bridge, connected: Connected, [store, body, topic = 'order.updated']: Webhook): Promise<void> {
  const { status } = await postWoo(addressOf(bridge.app.url, connected), { topic, body, secret: connected.secret, store });
  expect(status).toBe(200);
}

/** A store whose first delivery, order 5000, named STORE. */
export async function known(it: World): Promise<Connected> {
  const connected = await connectWoo(it);
  await send(it.bridge, connected, [STORE, order(5000, '10.00')]);
  await it.bridge.settled(connected, '5000', 'recorded');
  return connected;
}

export const stores = async ({ pool }: Bridge) => (await listWaiting({ pool })).stores;

export async function quarantined(bridge: Bridge, count: number): Promise<void> {
  await until(async () => (await stores(bridge)).reduce((sum, { deliveries }) => sum + deliveries, 0) === count, {
    what: `${count} deliveries to be quarantined`,
  });
}

const rowShape = rowsOf('deliveries', z.object({ outcome: z.string(), kept: z.boolean(), count: z.int() }));

/** What became of the deliveries that name the staging host. */
export async function outcomes({ pool }: Bridge): Promise<string[]> {
  const text = `select outcome, ${BODY} is not null as kept, count(*) as count from ${WITH_BODIES} where store like '%staging%' group by 1, 2 order by 1, 2`;
  return (await readRows(pool, rowShape, { text })).map(({ outcome, kept, count }) => `${count} ${outcome}${kept ? '' : ', no body'}`);
}

export const hosts = async ({ app: { core } }: Bridge, { connection }: Connected) => (await core.connections.find(connection.id))?.hosts;
/** How stores are called when one has moved: here none has keys. */
const moving = { fetchJson, trustedHttpHosts: [], notify: () => undefined };
export const moved = ({ app: { core } }: Bridge, { connection: { id } }: Connected, host: string) => movedStore({ ...core, ...moving, by: BY }, { id, host });
export const notOurs = ({ app: { core } }: Bridge, { connection: { id } }: Connected, host: string) => notOurStore({ ...core, by: BY }, { id, host });
export const warnings = async ({ app: { core } }: Bridge) => (await listConnections(core, 'https://bridge.example')).flatMap((one) => one.warnings);
