import { expect, test } from 'vitest';
import { grantKeeper } from '../../../src/app/grant-keeper.ts';
import { watchDeps } from '../../../src/app/watchdog.ts';
import { STORE_API_WARNING } from '../../../src/bridge/connections/connection.ts';
import { watchedStore } from '../../../src/bridge/reconciliation/watch-due.ts';
import { LEASE_MS, watchStore } from '../../../src/bridge/reconciliation/watch-subscriptions.ts';
import { storefronts } from '../../../src/bridge/storefronts/registry.ts';
import { useShopify } from '../../support/connect/at-shopify.ts';
import { mailMerchants } from '../../support/connect/mail-merchants.ts';
import { startedOn } from '../../support/connect/started-merchant.ts';
import { longTest } from '../../support/long-test.ts';
import { plainTextOf } from '../../support/samples/mail-parts.ts';
import { startSmtp } from '../../support/servers/smtp-server.ts';
import type { Bridge } from '../../support/worlds/bridge.ts';
import { type GrantedShop, grantedShop } from '../../support/worlds/granted-shop.ts';
import { readIn } from '../../support/worlds/read-in.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const shopify = useShopify();
/** Nothing reads or watches the stores but what the test does. */
const quiet = { config: { reconcileSeconds: 3_600 } };

/** A store whose app was uninstalled, of which no webhook tells. */
async function unheard(bridge: Bridge): Promise<GrantedShop> {
  const of = await grantedShop(bridge, shopify);
  of.shop.uninstall(of.there);
  of.shop.outbox.length = 0;
  return of;
}

const warning = async ({ app }: Bridge, { connected }: GrantedShop) => (await app.core.connections.find(connected.connection.id))?.warnings[STORE_API_WARNING];

async function look({ app: { core } }: Bridge, { connected }: GrantedShop): Promise<string> {
  const deps = watchDeps(core, storefronts);
  const connection = await core.connections.find(connected.connection.id);
  const [watch, store] = [await deps.ledger.take(connected.connection.id, LEASE_MS), connection === null ? null : watchedStore(storefronts, connection)];
  if (watch === null || store === null) throw new Error('its webhooks can’t be looked after');
  return (await watchStore(deps, { watch, store }, { repair: 'itself', signal: new AbortController().signal })).kind;
}

longTest('one look at its webhooks shows it, the merchant is mailed once, and a new grant ends it by itself', async () => {
  await using it = await world(quiet);
  await using smtp = await startSmtp();
  const { bridge } = it;
  const { core } = bridge.app;
  const of = await unheard(bridge);
  const { id } = of.connected.connection;
  await startedOn(bridge, of.connected, { email: 'maria@shop.example', lang: 'en' });

  expect(await look(bridge, of)).toBe('not-listed');
  const told = await warning(bridge, of);
  expect(told).toMatch(/the shop no longer lets the app in: .*the merchant must approve the app again$/);
  // The store is paused now: what is known is not told anew.
  expect([await look(bridge, of), await warning(bridge, of)]).toEqual(['not-listed', told]);

  const began = Date.now();
  for (const minutes of [0, 10, 20, 60]) await mailMerchants(core, { smtp, now: new Date(began + minutes * 60_000) });
  expect(smtp.taken.map((sent) => plainTextOf(sent).includes('our app was removed'))).toEqual([true]);

  await of.reinstalls();
  // That the earlier key was refused is forgotten in minutes by itself.
  await bridge.pool.query('delete from bridge.store_calls');
  await readIn(bridge.pool, id, 0);
  await until(async () => (await warning(bridge, of)) === undefined, { what: 'the warning to end' });
  expect(await look(bridge, of)).toBe('watched');
  expect((await core.connections.find(id))?.closedAt).toBeNull();
});

test('one look of who keeps grants shows it, too', async () => {
  await using it = await world(quiet);
  const of = await unheard(it.bridge);

  await grantKeeper(it.bridge.app.core, storefronts, () => Date.now() + 24 * 3_600_000)(new AbortController().signal);

  expect(await warning(it.bridge, of)).toContain('the merchant must approve the app again');
});

test('a pause that is left of an earlier key is not told of a new one', async () => {
  await using it = await world(quiet);
  const { bridge } = it;
  const of = await unheard(bridge);
  await look(bridge, of);
  await of.reinstalls();
  await bridge.app.core.connections.endWarning(of.connected.connection.id, STORE_API_WARNING);
  await bridge.pool.query(`update bridge.store_calls set until = now() + interval '1 minute'`);

  expect(await look(bridge, of)).toBe('not-listed');
  expect(await warning(bridge, of)).toBeUndefined();
});
