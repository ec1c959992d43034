import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Core } from '../../../src/app/core.ts';
import { watchDeps } from '../../../src/app/watchdog.ts';
import { storefronts } from '../../../src/bridge/storefronts/registry.ts';
import { changeSettings } from '../../../src/operations/connections/change-settings.ts';
import { connectStore } from '../../../src/operations/connections/connect-store.ts';
import { disconnectStore } from '../../../src/operations/connections/disconnect-store.ts';
import { listConnections } from '../../../src/operations/connections/list-connections.ts';
import { rotateSecret } from '../../../src/operations/connections/store-secrets.ts';
import { BY } from '../../support/samples/by.ts';
import { fetchJson } from '../../support/servers/store-api.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { useClearedWorlds } from '../../support/worlds/cleared-world.ts';
import { later, recorded } from '../../support/worlds/world.ts';

const world = useClearedWorlds();
const disconnecting = (core: Core) => ({ pool: core.pool, connections: core.connections, stores: { watch: watchDeps(core, storefronts), storefronts } });
const BASE = 'https://bridge.example';
const DAY_MS = 24 * 60 * 60 * 1000;

test('a shop has one live connection: a second one is a conflict that names the first', async () => {
  await using it = await world();
  const { core } = it.bridge.app;
  const shopId = randomUUID();
  const { connection: first } = await it.bridge.connect({ shopId });
  const request = {
    platform: 'standard',
    name: 'twin',
    secret: 'whsec_x',
    shopId,
    settings: {},
    access: null,
    store: null,
    ...{ ownShop: true, hosts: [], claim: null, recordFrom: null },
    credentials: null,
  } as const;
  const compliance = { destination: async () => first.destinationId };
  const deps = { pool: core.pool, connections: core.connections, compliance, fetchJson, trustedHttpHosts: [], notify: () => undefined, by: BY };

  await expect(connectStore(deps, request)).rejects.toMatchObject({
    kind: 'conflict',
    what: `the shop ${shopId} is connected already, as ${first.id}`,
  });
  await disconnectStore(disconnecting(core), { id: first.id, by: BY });
  expect(await connectStore(deps, request)).toMatchObject({ connection: { id: first.id, shopId, name: 'twin', closedAt: null } });
});

test('disconnecting twice says since when', async () => {
  await using it = await world();
  const { core } = it.bridge.app;
  const { connection } = await it.bridge.connect();

  expect(await disconnectStore(disconnecting(core), { id: connection.id, by: BY })).toEqual({ since: null, remains: [] });
  expect(await disconnectStore(disconnecting(core), { id: connection.id, by: BY })).toEqual({ since: expect.stringMatching(/^\d{4}-/), remains: [] });
  await expect(disconnectStore(disconnecting(core), { id: 'c_none', by: BY })).rejects.toMatchObject({ kind: 'missing' });
});

test('connections are listed with their address, the end of an old secret and the pauses that concern them, without secrets', async () => {
  await using it = await world();
  const { core } = it.bridge.app;
  const { connection, secret } = await it.bridge.connect();
  const other = await it.bridge.connect();
  const { destinationId, shopId } = connection;
  await core.destinations.pause({ destinationId, shopId, callType: 'records', code: 'compliance.misconfigured', detail: 'no such shop' }, () => 60_000);
  const fresh = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const { oldUntil } = await rotateSecret(core, { id: connection.id, secret: fresh, revokeNow: false, by: BY });

  const [listed, beside] = await listConnections(core, BASE);

  expect(listed).toMatchObject({
    connectionId: connection.id,
    webhookUrl: `${BASE}/webhooks/standard/${connection.id}`,
    oldSecretUntil: oldUntil,
    pauses: [{ callType: 'records', code: 'compliance.misconfigured', detail: 'no such shop' }],
    warnings: [expect.stringContaining('no such shop')],
  });
  expect(beside).toMatchObject({ connectionId: other.connection.id, pauses: [], warnings: [], oldSecretUntil: null });
  for (const hidden of [secret, fresh]) expect(JSON.stringify(listed)).not.toContain(hidden);
});

test('a rotated secret leaves the old one live for a day, or not at all', async () => {
  await using it = await world();
  const { core } = it.bridge.app;
  const { connection, secret: old } = await it.bridge.connect();
  const [second, third] = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);
  const secrets = async () => (await core.connections.find(connection.id))?.secrets;

  const { oldUntil } = await rotateSecret(core, { id: connection.id, secret: second ?? '', revokeNow: false, by: BY });

  expect(Date.parse(oldUntil ?? '') - Date.now()).toBeGreaterThan(DAY_MS - 60_000);
  expect(await secrets()).toEqual([
    { secret: second, until: null },
    { secret: old, until: oldUntil },
  ]);
  expect(await rotateSecret(core, { id: connection.id, secret: third ?? '', revokeNow: true, by: BY })).toEqual({ oldUntil: null });
  expect(await secrets()).toEqual([{ secret: third, until: null }]);
  await expect(rotateSecret(core, { id: connection.id, secret: 'short', revokeNow: true, by: BY })).rejects.toMatchObject({ kind: 'invalid' });
});

test('settings that allow a removal without a refund release the orders that waited for that, and no others', async () => {
  await using it = await world();
  const { core } = it.bridge.app;
  const connected = await it.bridge.connect();
  await recorded(it, connected, '1');
  await it.bridge.send(connected, 'order.cancelled', { order: orderOf('1', { status: 'cancelled', updatedAt: later(5) }) });
  await it.bridge.settled(connected, '1', 'review');
  const { id, settings } = connected.connection;
  const notified: number[] = [];
  const notify = (orders: readonly { id: number }[]) => void notified.push(...orders.map((order) => order.id));
  const deps = { pool: core.pool, connections: core.connections, notify };

  const { again: unchanged } = await changeSettings(deps, { id, by: 'test', settings });
  const { again: allowed } = await changeSettings(deps, { id, by: 'test', settings: { ...settings, removeWithoutRefund: 'remove' } });

  expect([unchanged, allowed]).toEqual([{ released: 0 }, { released: 1 }]);
  expect(notified).toEqual([(await it.bridge.order(connected, '1'))?.id]);
  await it.bridge.settled(connected, '1', 'removed');
});
