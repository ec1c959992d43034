import { expect, test } from 'vitest';
import { watchDeps } from '../../src/app/watchdog.ts';
import type { StoreAnswer } from '../../src/bridge/storefronts/contract.ts';
import { storefronts } from '../../src/bridge/storefronts/registry.ts';
import { addressOf, postShopify, SHOP } from '../support/samples/signed-webhooks.ts';
import { until } from '../support/worlds/settled.ts';
import { shopifySettings } from '../support/worlds/shopify-shop.ts';
import { useWorlds } from '../support/worlds/world.ts';
import { orderBody } from '../unit/bridge/storefronts/shopify/bodies.ts';

const world = useWorlds();

test('another version of the API in webhooks or answers is a warning of the connection before a field is missing, and ends with the right one', async () => {
  await using it = await world();
  const { core } = it.bridge.app;
  const access = { url: `https://${SHOP}`, accessToken: 'shpat_x' };
  const connected = await it.bridge.connect({ platform: 'shopify', settings: shopifySettings, store: SHOP, access });
  const { id } = connected.connection;
  const warnings = async () => (await core.connections.find(id))?.warnings ?? {};
  const send = (version: string) =>
    postShopify(addressOf(it.bridge.app.url, connected), { topic: 'orders/updated', body: orderBody(), secret: connected.secret, version });
  const answers = async (apiVersion: string) => {
    const connection = await core.connections.find(id);
    if (connection === null) throw new Error('there is no connection');
    const answer: StoreAnswer = { status: 200, body: null, apiVersion };
    const { fetchJson } = await watchDeps(core, storefronts).means(connection, async () => answer);
    await fetchJson({ url: access.url });
  };

  expect((await send('2025-10')).status).toBe(200);
  await until(async () => 'webhook-version' in (await warnings()), { what: 'the warning' });
  await answers('2027-01');
  expect(await warnings()).toMatchObject({
    'webhook-version': expect.stringContaining('its webhooks come in version 2025-10 of the API'),
    'api-version': expect.stringContaining('answers in version 2027-01, though 2026-10 is asked for'),
  });

  // Of webhooks all versions count that are read here.
  await until(async () => (await send('2026-04')).status === 200 && !('webhook-version' in (await warnings())), { what: 'the warning to end' });
  await answers('2026-10');
  expect(await warnings()).not.toHaveProperty('api-version');
});
