import { expect, test } from 'vitest';
import { watchDeps } from '../../../src/app/watchdog.ts';
import { BRIDGE_AUDIT_LOG } from '../../../src/bridge/ledger/bridge-acts.ts';
import { findOnboarding, saveOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { storefronts } from '../../../src/bridge/storefronts/registry.ts';
import { dropAbandoned } from '../../../src/operations/onboarding/drop-abandoned.ts';
import { saveCompany } from '../../../src/operations/onboarding/own-company.ts';
import { PROGRAM, readActs } from '../../../src/platform/audit-log/audit-log.ts';
import { readShop } from '../../../src/service/reading/read-shops.ts';
import { companiesInUse } from '../../../src/service/shops/check-company.ts';
import { uninvited } from '../../support/connect/merchant.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { ownShop } from '../../support/worlds/own-service.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const DAY_MS = 86_400_000;

const drop = ({ bridge: { app, pool } }: World, days = 45) =>
  dropAbandoned(
    { pool, connections: app.core.connections, stores: { watch: watchDeps(app.core, storefronts), storefronts } },
    new Date(Date.now() + days * DAY_MS),
  );

/** A merchant whom nobody invited, with a shop that was made for them, and a store on trial. */
async function stranger(it: World, made: { trial?: boolean } = {}) {
  const { bridge } = it;
  const { pool } = bridge;
  const { call } = await ownShop(it);
  const shopId = String((await call('POST', '/shop', { body: shopDto({ companyUic: '131071587' }) })).body['id']);
  const connected = await bridge.connect({ shopId, trial: made.trial ?? true });
  const { id } = await uninvited(bridge);
  await saveCompany({ pool }, id, () => ({ company: { shop: shopId }, said: { shopId } }));
  const kept = await findOnboarding(pool, id);
  if (kept !== null) await saveOnboarding(pool, kept, { connectionId: connected.connection.id });
  return { id, connected, shopId, connectionId: connected.connection.id };
}

async function left({ bridge: { pool } }: World, { id, shopId, connectionId }: Awaited<ReturnType<typeof stranger>>) {
  const count = async (text: string) => (await pool.query(text, [connectionId])).rowCount ?? 0;
  return {
    way: (await findOnboarding(pool, id)) !== null,
    shop: (await readShop(pool, { id: shopId })) !== null,
    connection: await count('select from connections where id = $1'),
    kept: (await count('select from deliveries where connection_id = $1')) + (await count('select from orders where connection_id = $1')),
  };
}

const NOTHING = { way: false, shop: false, connection: 0, kept: 0 };

test('S4: what a stranger began and never started goes after its days, with store, keys, webhooks, orders and shop', async () => {
  await using it = await world({ embeddedService: true });
  const one = await stranger(it);
  await it.bridge.send(one.connected, 'order.paid', { order: orderOf('1') });
  await it.bridge.settled(one.connected, '1', 'ignored');
  const all = await left(it, one);

  await drop(it, 43);
  expect(await left(it, one)).toEqual(all);
  // First it is disconnected, which takes its webhooks out of the store.
  await drop(it);
  expect(await left(it, one)).toMatchObject({ way: true, connection: 1 });
  expect((await it.bridge.app.core.connections.find(one.connectionId))?.closedAt).not.toBeNull();
  await drop(it);

  expect(await left(it, one)).toEqual(NOTHING);
  const acts = await readActs(it.bridge.pool, BRIDGE_AUDIT_LOG, { limit: 100 });
  expect(acts).toContainEqual(expect.objectContaining({ who: PROGRAM, act: 'invitation.dropped', subject: one.id }));
  // A receiver whose database is busy for a moment goes by what it knew last.
  await expect.poll(() => it.bridge.send(one.connected, 'order.paid', { order: orderOf('2') })).toBe(404);
  // The company is free again.
  expect(await companiesInUse(it.bridge.pool, ['131071587'])).toEqual(new Set());
});

test('S4: nothing goes that recorded anything, by this bridge or at the service, or whose recording began', async () => {
  await using it = await world({ embeddedService: true });
  const recording = await stranger(it, { trial: false });
  await it.bridge.send(recording.connected, 'order.paid', { order: orderOf('1') });
  await it.bridge.settled(recording.connected, '1', 'recorded');
  await drop(it);
  await drop(it);
  expect(await left(it, recording)).toMatchObject({ way: true, shop: true, connection: 1, kept: 2 });
  // Also once it is on trial again.
  await it.bridge.pool.query('update connections set trial_since = now() where id = $1', [recording.connectionId]);
  await drop(it);
  await drop(it);
  expect(await left(it, recording)).toMatchObject({ way: true, shop: true, connection: 1, kept: 2 });
});

test('S4: a shop with orders of other software stays, with all that belongs to it', async () => {
  await using it = await world({ embeddedService: true });
  const one = await stranger(it);
  const { call } = await ownShop(it);
  expect((await call('POST', '/order', { body: orderDto(one.shopId) })).status).toBe(200);

  for (let time = 0; time < 3; time += 1) await drop(it);

  expect(await left(it, one)).toMatchObject({ way: true, shop: true, connection: 1 });
  await until(async () => (await it.bridge.app.core.connections.find(one.connectionId)) !== null, { what: 'the connection to be there' });
});
