import { expect, test } from 'vitest';
import { watchDeps } from '../../../src/app/watchdog.ts';
import { STORE_API_WARNING } from '../../../src/bridge/connections/connection.ts';
import { watchedStore } from '../../../src/bridge/reconciliation/watch-due.ts';
import { LEASE_MS, watchStore } from '../../../src/bridge/reconciliation/watch-subscriptions.ts';
import { storefronts } from '../../../src/bridge/storefronts/registry.ts';
import { useShopify } from '../../support/connect/at-shopify.ts';
import { useWorlds } from '../../support/worlds/world.ts';

const world = useWorlds();
const shopify = useShopify();

test('a typed token of a public app that never expires is refused with what to do, and not as a missing scope', async () => {
  await using it = await world({ config: { reconcileSeconds: 3_600 } });
  const { core } = it.bridge.app;
  const at = await shopify.opened({ kind: 'public' });
  const { body } = await shopify.grant(at, { code: await shopify.codeOf(at) });
  const access = shopify.access(at.shop, body['access_token']);
  const { connection } = await it.bridge.connect({ platform: 'shopify', store: at.shop.state.domain, access });
  const deps = watchDeps(core, storefronts);
  const store = watchedStore(storefronts, connection);
  const look = async () => {
    const watch = await deps.ledger.take(connection.id, LEASE_MS);
    if (watch === null || store === null) throw new Error('its webhooks can’t be looked after');
    return (await watchStore(deps, { watch, store }, { repair: 'nothing', signal: new AbortController().signal })).kind;
  };
  expect(await look()).toBe('watched');
  at.app.mustExpire = true;

  expect(await look()).toBe('not-listed');
  const { warnings = {} } = (await core.connections.find(connection.id)) ?? {};
  expect(warnings[STORE_API_WARNING]).toMatch(/answered 403: a public app may only use tokens that expire; the merchant must approve the app again/);
  expect(warnings[STORE_API_WARNING]).not.toContain('read_orders');
});
