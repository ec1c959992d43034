import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connectionSettings } from '../../../../src/bridge/connections/connection-settings.ts';
import { everyTraffic } from '../../../../src/bridge/ledger/deliveries/traffic-store.ts';
import { countStates, findOrder, type KeptOrder } from '../../../../src/bridge/ledger/orders/read-orders.ts';
import { createWatchLedger } from '../../../../src/bridge/ledger/sync/watch-store.ts';
import { formatMoney, parseMoney } from '../../../../src/contract/money.ts';
import { answerOf, RECORDED_SECRET, type Recording, recordings } from '../../../fixtures/woocommerce/recordings.ts';
import { drawn } from '../../../support/run-size.ts';
import { addressOf, hmac, post } from '../../../support/samples/signed-webhooks.ts';
import { recordsOfShop, type ShopRecord } from '../../../support/servers/records-of-shop.ts';
import { type StoreApi, startStoreApi } from '../../../support/servers/store-api.ts';
import type { Bridge, Connected } from '../../../support/worlds/bridge.ts';
import { callerOf, shopDto } from '../../../support/worlds/compliance-caller.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';

const record = z.object({
  number: z.string(),
  currency: z.string(),
  transactionId: z.string().nullable(),
  total: z.string(),
  byVatRate: z.record(z.string(), z.string()),
  discount: z.string().optional(),
});
const outcome = z.object({ record: record.nullable(), review: z.string().optional(), mayStillStand: z.string().optional() });
const { vatGroups, payments, recordFrom } = connectionSettings.shape;
const { settings, scenarios } = z
  .object({
    settings: z.object({ vatGroups, payments, recordFrom }),
    scenarios: z.record(z.string(), z.record(z.string(), outcome)),
  })
  .parse(JSON.parse(readFileSync(new URL('../../../fixtures/woocommerce/expected.json', import.meta.url), 'utf8')));
const names = Object.keys(scenarios).sort();

const world = useSharedWorlds();

const refunds = ['10-refund-partial-line', '11-refund-amount-only', '12-refund-full-lines'].map((name) => answerOf(`${name}--GET-refunds-2-refunded`));

/** The store's API as it answered; order 44 is in the trash until it is restored. */
function storeApi(isRestored: () => boolean): Promise<StoreApi> {
  return startStoreApi((path) => {
    if (path.endsWith('/orders/41')) return answerOf('16-paid-then-cancelled--GET-order-2-cancelled');
    if (path.endsWith('/orders/44')) return answerOf(`19-trash-restore-delete--GET-order-${isRestored() ? 'restored' : 'trashed'}`);
    return refunds.find((answer) => path.startsWith(`${answer.path}?`));
  });
}

async function connect(bridge: Bridge, store: StoreApi): Promise<Connected> {
  const { destinations, connections } = bridge.app.core;
  const embedded = await destinations.find(await bridge.embeddedDestinationId());
  if (embedded === null) throw new Error('there is no embedded service');
  const shop = await callerOf(bridge.app.url, embedded.credentials)('POST', '/shop', { body: shopDto() });
  const access = { url: store.url, consumerKey: 'ck', consumerSecret: 'cs' };
  const { connection } = await bridge.connect({ platform: 'woocommerce', settings, access, shopId: String(shop.body['id']) });
  await connections.changeSecrets(connection.id, [{ secret: RECORDED_SECRET, until: null }]);
  return { connection, secret: RECORDED_SECRET };
}

/** As it was recorded; a restored order bears the time of now, and is signed anew, because the deletion arrives now too. */
function send(bridge: Bridge, connected: Connected, { delivery }: Recording) {
  const headers = new Map([...delivery.headers].filter(([name]) => !['host', 'content-length', 'connection', 'accept-encoding', 'expect'].includes(name)));
  if (headers.get('x-wc-webhook-topic') !== 'order.restored') return post(addressOf(bridge.app.url, connected), delivery.body, Object.fromEntries(headers));
  const now = new Date(Date.now() + 1_000).toISOString().slice(0, 19);
  const body = delivery.body.toString('utf8').replace(/"date_modified_gmt":"[^"]+"/, `"date_modified_gmt":"${now}"`);
  return post(addressOf(bridge.app.url, connected), body, { ...Object.fromEntries(headers), 'x-wc-webhook-signature': hmac(RECORDED_SECRET, body) });
}

const cents = (amount: string) => parseMoney(amount, 2) ?? 0n;
const sum = (amounts: bigint[]) =>
  formatMoney(
    amounts.reduce((a, b) => a + b, 0n),
    2,
  );

/** The parts of a record that `expected.json` contains. */
function summary({ record: { internalNumber, currency, transactionId, lineItems }, totals }: ShopRecord) {
  const gross = (rate: string) =>
    sum(lineItems.filter(({ vatRate }) => vatRate === rate).map(({ price, quantity, discount }) => cents(price) * BigInt(quantity) - cents(discount)));
  const byVatRate = Object.fromEntries(lineItems.map(({ vatRate }) => [vatRate, gross(vatRate)]));
  const discount = sum(lineItems.map((line) => cents(line.discount)));
  return { number: internalNumber, currency, transactionId, total: formatMoney(cents(totals.total), 2), byVatRate, discount };
}

type End = { order: KeptOrder | null; current: ShopRecord[]; must: z.output<typeof outcome> };

function expectEnd({ order, current, must: { record: wanted, review, mayStillStand } }: End): void {
  if (order === null) throw new Error('the order is not known yet');
  expect(order.revision).toBeLessThanOrEqual(Math.max(order.recordedRevision, order.reviewRevision));
  if (wanted !== null) {
    expect(current.map(summary)).toMatchObject([wanted]);
    expect(order).toMatchObject({ state: 'recorded', complianceId: current[0]?.id });
    return;
  }
  expect(current.map(({ totals }) => formatMoney(cents(totals.total), 2))).toEqual(current.length === 0 ? [] : [mayStillStand]);
  if (review !== undefined) expect(order).toMatchObject({ state: 'review', review: { code: review } });
}

describe('what a real store sent, replayed', () => {
  test.each(drawn(names, 6))('scenario %s ends at the service as it must', async (scenario) => {
    await using it = await world({ embeddedService: true });
    const { bridge } = it;
    let isRestored = false;
    await using store = await storeApi(() => isRestored);
    const connected = await connect(bridge, store);
    const { shopId, id } = connected.connection;
    const wanted = Object.entries(scenarios[scenario] ?? {});

    for (const recording of recordings.filter((one) => one.scenario === scenario)) {
      isRestored ||= recording.delivery.headers.get('x-wc-webhook-topic') === 'order.restored';
      expect((await send(bridge, connected, recording)).status).toBe(200);
    }

    for (const [orderId, must] of wanted) {
      const look = async () => {
        const current = (await recordsOfShop(bridge.pool, shopId)).filter((one) => one.record.internalId === orderId);
        expectEnd({ order: await findOrder(bridge.pool, id, orderId), current, must });
        return true;
      };
      await until(look, { what: `order ${orderId} to end as it must` });
    }
    const states = await countStates(bridge.pool);
    expect(Object.values(states).reduce((a, b) => a + b, 0)).toBe(wanted.length);
  });

  test.each(drawn(['29', '58']))('scenario %s: the signed error bodies become a warning to the merchant', async (scenario) => {
    await using it = await world({ embeddedService: true });
    await using store = await storeApi(() => false);
    const connected = await connect(it.bridge, store);

    for (const recording of recordings.filter((one) => one.scenario === scenario)) await send(it.bridge, connected, recording);

    await until(async () => (await it.bridge.app.core.connections.find(connected.connection.id))?.warnings['delivery']?.includes('signs an error'), {
      what: 'the warning',
    });
  });

  test('the pings of new webhooks are answered 200, and noted beside what was accepted', async () => {
    await using it = await world({ embeddedService: true });
    await using store = await storeApi(() => false);
    const connected = await connect(it.bridge, store);

    const pings = recordings.filter(({ kind }) => kind === 'ping');
    expect(pings.length).toBeGreaterThan(3);
    for (const ping of pings) expect((await send(it.bridge, connected, ping)).status).toBe(200);
    const { core } = it.bridge.app;
    const noted = () => createWatchLedger(core.pool, core.sealer).accepted(connected.connection.id);
    await until(async () => [...(await noted()).keys()].join() === 'ping', { what: 'the ping to be noted' });
    expect(await everyTraffic(core.pool)).toMatchObject([{ lastAccepted: null, refusedInARow: 0 }]);
  });
});
