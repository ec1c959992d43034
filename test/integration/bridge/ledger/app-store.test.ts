import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openCore } from '../../../../src/app/core.ts';
import { Secret } from '../../../../src/config/secret.ts';
import { listApps } from '../../../../src/operations/apps/apps.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { readBridgeActs } from '../../../support/samples/bridge-acts.ts';
import { BY } from '../../../support/samples/by.ts';
import { sampleApp } from '../../../support/samples/sample-app.ts';
import { SHOP, shopifyBody } from '../../../support/samples/signed-webhooks.ts';
import { addApp, connectByApp, sendToNamedApp } from '../../../support/worlds/app-shop.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { PAID } from '../../../support/worlds/shopify-shop.ts';

const world = useSharedWorlds();
const said = { by: BY };
const stored = rowsOf('store_apps', z.object({ id: z.string(), row: z.string() }));

test('an app is kept with its secrets sealed, listed with the live connections that came by it, and each change is an act without a secret', async () => {
  await using it = await world();
  const { bridge } = it;
  const { apps } = bridge.app.core;
  const app = await addApp(bridge);
  const before = await connectByApp(bridge, app);
  await bridge.app.core.connections.close(before.connection.id);
  await connectByApp(bridge, app, 'other.myshopify.com');

  expect(await apps.find('corner')).toMatchObject({ ...sampleApp(), connections: 1, unopened: null });
  await apps.changeSecrets(
    'corner',
    (live) => [{ secret: 'shpss_second', until: null }, ...live.map((one) => ({ ...one, until: '2030-01-01T00:00:00.000Z' }))],
    said,
  );
  expect((await apps.list()).map(({ id, secrets }) => [id, secrets])).toEqual([
    [
      'corner',
      [
        { secret: 'shpss_second', until: null },
        { secret: 'shpss_of_corner', until: '2030-01-01T00:00:00.000Z' },
      ],
    ],
  ]);
  await addApp(bridge, { id: 'short-lived' });
  expect(await apps.remove('short-lived', { ...said, why: 'a trial' })).toEqual({ removed: true });

  const acts = (await readBridgeActs(bridge.pool)).filter(({ act }) => act.startsWith('app.'));
  expect(acts).toMatchObject([
    { act: 'app.added', who: BY, subject: 'corner', after: { clientId: 'client-of-corner', kind: 'custom', scopes: ['read_orders'], secret: 'given' } },
    { act: 'app.secret-rotated', subject: 'corner', after: { secret: 'changed' } },
    { act: 'app.added', subject: 'short-lived' },
    { act: 'app.removed', subject: 'short-lived', why: 'a trial' },
  ]);
  const rows = await readRows(bridge.pool, stored, { text: 'select id, store_apps::text as row from store_apps' });
  expect(JSON.stringify([acts, rows])).not.toContain('shpss');
});

test('an id and a client id are of one app; one that was removed has no secret, and comes back as the same app alone', async () => {
  await using it = await world();
  const { bridge } = it;
  const { apps } = bridge.app.core;
  const app = await addApp(bridge);

  expect(await apps.add(sampleApp({ clientId: 'another' }), said)).toEqual({ taken: 'id' });
  expect(await apps.add(sampleApp({ id: 'other', clientId: app.clientId }), said)).toEqual({ taken: 'clientId', of: 'corner' });
  const connected = await connectByApp(bridge, app);
  expect(await apps.remove('corner', said)).toEqual({ usedBy: [{ id: connected.connection.id, name: 'corner' }] });
  await bridge.app.core.connections.close(connected.connection.id);
  expect(await apps.remove('corner', said)).toEqual({ removed: true });
  expect([await apps.find('corner'), await apps.list(), await apps.remove('corner', said), await apps.changeSecrets('corner', [], said)]).toEqual([
    null,
    [],
    null,
    null,
  ]);

  expect(await apps.add(sampleApp({ clientId: 'another' }), said)).toEqual({ taken: 'removed' });
  expect(await apps.add(sampleApp({ kind: 'public', secrets: [{ secret: 'shpss_anew', until: null }] }), said)).toMatchObject({
    kind: 'public',
    secrets: [{ secret: 'shpss_anew', until: null }],
  });
  expect(await apps.add(sampleApp({ id: 'other', clientId: 'another' }), said)).toMatchObject({ id: 'other' });
});

test('two that are added at once under one client id are one', async () => {
  await using it = await world();
  const { apps } = it.bridge.app.core;

  const added = await Promise.all(['one', 'two', 'three'].map((id) => apps.add(sampleApp({ id, clientId: 'shared' }), said)));

  expect(added.filter((one) => 'taken' in one)).toHaveLength(2);
  expect(await apps.list()).toHaveLength(1);
});

test('a connection bears the app that its keys name, and a change of its keys changes that', async () => {
  await using it = await world();
  const { bridge } = it;
  const { connections } = bridge.app.core;
  const [app, other] = [await addApp(bridge), await addApp(bridge, { id: 'other' })];
  const { connection } = await connectByApp(bridge, app);
  const nothing = { name: null, secrets: null, access: null, storeIdentity: null, destinationId: null, settings: null, recordFrom: null };
  const replace = (access: { url: string; app?: string } | null) => connections.replace(connection.id, { ...nothing, access, host: null, cures: [] }, said);
  const url = `https://${SHOP}`;

  expect(connection.app).toBe('corner');
  expect((await replace({ url, app: other.id }))?.app).toBe('other');
  expect((await replace(null))?.app).toBe('other');
  expect((await replace({ url }))?.app).toBeNull();
  await replace({ url, app: app.id });

  await connections.close(connection.id);
  const { connection: again } = await bridge.connect({ platform: 'shopify', store: SHOP, shopId: connection.shopId });
  expect([again.id, again.app]).toEqual([connection.id, 'corner']);
  await connections.close(connection.id);
  const { connection: byHand } = await bridge.connect({ platform: 'shopify', store: SHOP, shopId: connection.shopId, access: { url } });
  expect([byHand.id, byHand.app]).toEqual([connection.id, null]);
  await expect(bridge.connect({ platform: 'shopify', store: SHOP, shopId: randomUUID(), access: { url, app: 'nobodys' } })).rejects.toThrow(/"barred":"app"/);

  const acts = (await readBridgeActs(bridge.pool)).filter(({ act }) => act === 'store.changed');
  expect(acts[0]).toMatchObject({ before: { app: 'corner' }, after: { app: 'other' } });
});

test('secrets that were copied from another app verify nothing, the other apps go on, and anyone who looks is told', async () => {
  await using it = await world();
  const { bridge } = it;
  const { core } = bridge.app;
  const [robbed, victim] = [await addApp(bridge, { id: 'robbed' }), await addApp(bridge, { id: 'victim' })];
  await connectByApp(bridge, victim);
  await bridge.pool.query(`update store_apps set secrets = (select secrets from store_apps where id = 'robbed') where id = 'victim'`);
  const body = shopifyBody(PAID);

  for (const app of [robbed, victim]) expect((await sendToNamedApp(bridge, { app: { ...app, id: 'victim' } }, ['orders/paid', body])).status).toBe(401);
  expect((await sendToNamedApp(bridge, { app: robbed }, ['orders/paid', body])).status).toBe(200);
  expect(await listApps(core, 'shopify')).toMatchObject([
    { id: 'robbed', unopened: null },
    { id: 'victim', secrets: [], unopened: expect.stringMatching(/sealed for another row.*orderbridge shopify-app rotate-secret victim/) },
  ]);
  const { failedChecks } = await bridge.app.healthReader.now();
  expect(failedChecks).toContainEqual(expect.objectContaining({ code: 'app.closed', words: expect.stringContaining('app victim: ') }));

  await core.apps.changeSecrets('victim', [{ secret: 'shpss_mended', until: null }], said);
  expect((await core.apps.find('victim'))?.unopened).toBeNull();
});

test('with a wrong ENCRYPTION_KEYS an app is listed, and not found', async () => {
  await using it = await world();
  const { bridge } = it;
  await addApp(bridge);
  await using other = await openCore({ ...bridge.app.core.config, encryptionKeys: new Secret('22'.repeat(32)) }, createLog({ level: 'silent', name: 'test' }));

  await expect(other.apps.find('corner')).rejects.toThrow(/ENCRYPTION_KEYS/);
  expect(await other.apps.list()).toMatchObject([{ id: 'corner', secrets: [], unopened: expect.stringContaining('ENCRYPTION_KEYS') }]);
});
