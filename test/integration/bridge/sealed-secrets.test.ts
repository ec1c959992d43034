import { expect, test } from 'vitest';
import { z } from 'zod';
import { openCore } from '../../../src/app/core.ts';
import { createDestinationStore } from '../../../src/bridge/ledger/connections/destination-store.ts';
import { Secret } from '../../../src/config/secret.ts';
import { embeddedDialect } from '../../../src/contract/dialect.ts';
import { listConnections } from '../../../src/operations/connections/list-connections.ts';
import { createLog } from '../../../src/platform/log.ts';
import { readOne, readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { createComplianceService } from '../../../src/service/compliance-service.ts';
import { ENCRYPTION_KEYS, orderOf } from '../../support/worlds/bridge.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const log = createLog({ level: 'silent', name: 'test' });

/** Another process on the same database, with its own key if one is given. */
function anotherCore({ bridge }: World, encryptionKeys: string = ENCRYPTION_KEYS) {
  return openCore({ ...bridge.app.core.config, encryptionKeys: new Secret(encryptionKeys) }, log);
}

const sealedRows = rowsOf('connections', z.object({ id: z.string(), secrets: z.string(), store_access: z.string().nullable() }));
const textRows = rowsOf('secrets', z.object({ sealed: z.string() }));

async function stored({ bridge }: World) {
  return readRows(bridge.pool, sealedRows, { text: 'select id, secrets, store_access from connections order by created_at' });
}

test('finding 11: a sealed secret that is copied to another connection by SQL verifies nothing there, and the other connections go on', async () => {
  await using it = await world();
  const robbed = await it.bridge.connect({ name: 'robbed' });
  const victim = await it.bridge.connect({ name: 'victim' });
  await it.bridge.pool.query('update connections set secrets = (select secrets from connections where id = $2) where id = $1', [
    victim.connection.id,
    robbed.connection.id,
  ]);

  expect(await it.bridge.send({ ...victim, secret: robbed.secret }, 'order.paid', { order: orderOf('1') })).toBe(401);
  expect(await it.bridge.send(robbed, 'order.paid', { order: orderOf('2') })).toBe(200);
  await it.bridge.settled(robbed, '2', 'recorded');
  const { core } = it.bridge.app;
  const [first, second] = await listConnections(core, 'https://bridge.example');
  expect(first).toMatchObject({ name: 'robbed', warnings: [] });
  expect(second).toMatchObject({ name: 'victim', warnings: [expect.stringMatching(/sealed for another row.*rotate-secret/)] });
  const { failedChecks } = await it.bridge.app.healthReader.now();
  expect(failedChecks.filter(({ code }) => code === 'secrets.closed')).toMatchObject([{ subject: victim.connection.id }]);
});

test('a secret that does not open is cured by a new one', async () => {
  await using it = await world();
  const access = { url: 'https://corner.example', consumerKey: 'ck_1', consumerSecret: 'cs_1' };
  const store = await it.bridge.connect({ access });
  const { connections } = it.bridge.app.core;
  await it.bridge.pool.query('update connections set secrets = store_access where id = $1', [store.connection.id]);
  expect(await connections.find(store.connection.id)).toMatchObject({ secrets: [], access, unopened: [expect.stringContaining('webhook secret')] });

  await connections.changeSecrets(store.connection.id, [{ secret: store.secret, until: null }]);

  expect(await connections.find(store.connection.id)).not.toHaveProperty('unopened');
  expect(await it.bridge.send(store, 'order.paid', { order: orderOf('1') })).toBe(200);
});

test('with a wrong key every secret stays as it is, and the words name the key', async () => {
  await using it = await world();
  const store = await it.bridge.connect();
  const before = await stored(it);

  await using wrong = await anotherCore(it, '22'.repeat(32));

  expect(await stored(it)).toEqual(before);
  await expect(wrong.connections.find(store.connection.id)).rejects.toThrow('none of ENCRYPTION_KEYS is the key');
  expect(await wrong.connections.list()).toMatchObject([{ unopened: [expect.stringContaining('none of ENCRYPTION_KEYS is the key')] }]);
});

test('the credentials of a destination are sealed for it, also when the same key is given again', async () => {
  await using it = await world();
  const { core } = it.bridge.app;
  const address = 'https://api.example';
  const id = await core.destinations.ensure(address, { apiKey: 'key', apiSecret: 'old' });
  const other = await core.destinations.ensure(address, { apiKey: 'other', apiSecret: 'theirs' });
  expect(await core.destinations.ensure(address, { apiKey: 'key', apiSecret: 'new' })).toBe(id);
  expect(await core.destinations.find(id)).toMatchObject({ credentials: { apiKey: 'key', apiSecret: 'new' } });
  await it.bridge.pool.query('update destinations set credentials = (select credentials from destinations where id = $2) where id = $1', [id, other]);
  await expect(core.destinations.find(id)).rejects.toThrow('sealed for another row');
});

test('the secret of an API key is sealed for it', async () => {
  await using it = await world({ embeddedService: true });
  const { pool } = it.bridge;
  const { sealer } = it.bridge.app.core;
  const service = createComplianceService({ pool, sealing: sealer, dialectDefaults: embeddedDialect });
  const { id, apiSecret } = await service.keys.create({ multiShop: false });

  const { sealed } = await readOne(pool, textRows, { text: 'select sealed_secret as sealed from compliance.api_keys where id = $1', values: [id] });
  const place = { table: 'compliance.api_keys', column: 'sealed_secret', id };
  expect(sealer.open(sealed, place)).toBe(apiSecret);
  expect(() => sealer.open(sealed, { ...place, id: 'another' })).toThrow('sealed for another row');
});

test('an address that becomes https keeps its destinations, with every key', async () => {
  await using it = await world();
  const destinations = createDestinationStore(it.bridge.pool, it.bridge.app.core.sealer);
  const plain = await destinations.ensure('http://api.example', { apiKey: 'a', apiSecret: 's' });
  const doubled = await destinations.ensure('http://api.example', { apiKey: 'b', apiSecret: 's' });
  const encrypted = await destinations.ensure('https://api.example', { apiKey: 'b', apiSecret: 's' });

  await destinations.callEncrypted('https://api.example');
  await destinations.callEncrypted('http://elsewhere.example');

  expect(await destinations.find(plain)).toMatchObject({ baseUrl: 'https://api.example', credentials: { apiKey: 'a' } });
  expect(await destinations.find(doubled)).toMatchObject({ baseUrl: 'http://api.example' });
  expect(await destinations.ensure('https://api.example', { apiKey: 'b', apiSecret: 's' })).toBe(encrypted);
});
