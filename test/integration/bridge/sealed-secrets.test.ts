import { expect, test } from 'vitest';
import { z } from 'zod';
import { openCore } from '../../../src/app/core.ts';
import { createDestinationStore } from '../../../src/bridge/ledger/destination-store.ts';
import { Secret } from '../../../src/config/secret.ts';
import { embeddedDialect } from '../../../src/contract/dialect.ts';
import { listConnections } from '../../../src/operations/connections/list-connections.ts';
import { checkSecrets } from '../../../src/operations/health/check-secrets.ts';
import { createLog } from '../../../src/platform/log.ts';
import { readOne, readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { sealer } from '../../../src/platform/seal.ts';
import { createComplianceService } from '../../../src/service/compliance-service.ts';
import { sealedEarlier } from '../../support/samples/sealed-earlier.ts';
import { ENCRYPTION_KEY, orderOf } from '../../support/worlds/bridge.ts';
import { useWorlds, type World } from '../../support/worlds/world.ts';

const world = useWorlds();
const KEY = Buffer.from(ENCRYPTION_KEY, 'hex');
const log = createLog({ level: 'silent', name: 'test' });

/** Another process on the same database, with its own key if one is given. */
function anotherCore({ bridge }: World, encryptionKey: string = ENCRYPTION_KEY) {
  return openCore({ ...bridge.app.core.config, encryptionKey: new Secret(encryptionKey) }, log);
}

const sealedRows = rowsOf('connections', z.object({ id: z.string(), secrets: z.string(), store_access: z.string().nullable() }));
const textRows = rowsOf('secrets', z.object({ sealed: z.string() }));

async function stored({ bridge }: World) {
  return readRows(bridge.pool, sealedRows, { text: 'select id, secrets, store_access from connections order by created_at' });
}

/** Leaves the secrets as a release before this one stored them. */
async function sealEarlier({ bridge }: World): Promise<void> {
  for (const { id, secrets, access } of await bridge.app.core.connections.list()) {
    const sealed = [secrets, access].map((value) => (value === null ? null : sealedEarlier(KEY, JSON.stringify(value))));
    await bridge.pool.query('update connections set secrets = $2, store_access = $3 where id = $1', [id, ...sealed]);
  }
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
  expect(await checkSecrets(core)).toEqual([{ what: 'secrets', verdict: 'wrong', words: expect.stringContaining(victim.connection.id) }]);
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

test('what an earlier release sealed is bound to its row by the next start, in two processes at once, too', async () => {
  await using it = await world();
  const access = { url: 'https://corner.example', consumerKey: 'ck_1', consumerSecret: 'cs_1' };
  const [with_, without] = [await it.bridge.connect({ access, name: 'with' }), await it.bridge.connect({ name: 'without' })];
  const before = await it.bridge.app.core.connections.list();
  await sealEarlier(it);
  expect((await stored(it)).every(({ secrets }) => secrets.startsWith('v1.'))).toBe(true);

  await using one = await anotherCore(it);
  await using two = await anotherCore(it);

  const after = await stored(it);
  expect(after.map(({ secrets }) => secrets.slice(0, 3))).toEqual(['v2.', 'v2.']);
  expect(after.map(({ store_access: sealed }) => sealed?.slice(0, 3))).toEqual(['v2.', undefined]);
  expect(await one.connections.list()).toEqual(before);
  expect(await two.connections.find(without.connection.id)).toEqual(before[1]);
  expect(await it.bridge.send(with_, 'order.paid', { order: orderOf('1') })).toBe(200);
});

test('with a wrong key every secret stays as it is, and the words name the key', async () => {
  await using it = await world();
  const store = await it.bridge.connect();
  await sealEarlier(it);
  const before = await stored(it);

  await using wrong = await anotherCore(it, '22'.repeat(32));

  expect(await stored(it)).toEqual(before);
  await expect(wrong.connections.find(store.connection.id)).rejects.toThrow('ENCRYPTION_KEY is not the key');
  expect(await wrong.connections.list()).toMatchObject([{ unopened: [expect.stringContaining('ENCRYPTION_KEY is not the key')] }]);
});

test('the credentials of a destination are sealed for it, also when the same key is given again; those of an earlier one are bound', async () => {
  await using it = await world();
  const { core } = it.bridge.app;
  const address = 'https://api.example';
  const id = await core.destinations.ensure(address, { apiKey: 'key', apiSecret: 'old' });
  const other = await core.destinations.ensure(address, { apiKey: 'other', apiSecret: 'theirs' });
  expect(await core.destinations.ensure(address, { apiKey: 'key', apiSecret: 'new' })).toBe(id);
  expect(await core.destinations.find(id)).toMatchObject({ credentials: { apiKey: 'key', apiSecret: 'new' } });
  await it.bridge.pool.query('update destinations set credentials = (select credentials from destinations where id = $2) where id = $1', [id, other]);
  await expect(core.destinations.find(id)).rejects.toThrow('sealed for another row');

  await it.bridge.pool.query('update destinations set credentials = $2 where id = $1', [id, sealedEarlier(KEY, '{"apiKey":"key","apiSecret":"new"}')]);
  await using again = await anotherCore(it);
  expect(await again.destinations.find(id)).toMatchObject({ credentials: { apiKey: 'key', apiSecret: 'new' } });
  const { sealed } = await readOne(it.bridge.pool, textRows, { text: 'select credentials as sealed from destinations where id = $1', values: [id] });
  expect(sealed).toMatch(/^v2\./);
});

test('the secret of an API key is sealed for it; that of an earlier release is bound when the service starts', async () => {
  await using it = await world({ embeddedService: true });
  const { pool } = it.bridge;
  const service = createComplianceService({ pool, sealing: sealer(KEY), dialectDefaults: embeddedDialect });
  const { id } = await service.keys.create({ multiShop: false });
  await pool.query('update compliance.api_keys set sealed_secret = $2 where id = $1', [id, sealedEarlier(KEY, 'cs_secret')]);

  await service.migrate();

  const { sealed } = await readOne(pool, textRows, { text: 'select sealed_secret as sealed from compliance.api_keys where id = $1', values: [id] });
  const place = { table: 'compliance.api_keys', column: 'sealed_secret', id };
  expect(sealer(KEY).open(sealed, place)).toBe('cs_secret');
  expect(() => sealer(KEY).open(sealed, { ...place, id: 'another' })).toThrow('sealed for another row');
});

test('an address that becomes https keeps its destinations, with every key', async () => {
  await using it = await world();
  const destinations = createDestinationStore(it.bridge.pool, sealer(KEY));
  const plain = await destinations.ensure('http://api.example', { apiKey: 'a', apiSecret: 's' });
  const doubled = await destinations.ensure('http://api.example', { apiKey: 'b', apiSecret: 's' });
  const encrypted = await destinations.ensure('https://api.example', { apiKey: 'b', apiSecret: 's' });

  await destinations.callEncrypted('https://api.example');
  await destinations.callEncrypted('http://elsewhere.example');

  expect(await destinations.find(plain)).toMatchObject({ baseUrl: 'https://api.example', credentials: { apiKey: 'a' } });
  expect(await destinations.find(doubled)).toMatchObject({ baseUrl: 'http://api.example' });
  expect(await destinations.ensure('https://api.example', { apiKey: 'b', apiSecret: 's' })).toBe(encrypted);
});

test('a weak webhook secret of an earlier release goes on working, and is named', async () => {
  await using it = await world();
  const { connection } = await it.bridge.connect();
  const { core } = it.bridge.app;
  await core.connections.changeSecrets(connection.id, [{ secret: 'hush', until: null }]);

  expect((await listConnections(core, 'https://bridge.example'))[0]?.warnings).toEqual([expect.stringContaining('fewer than 8 characters')]);
  expect(await checkSecrets(core)).toMatchObject([{ verdict: 'remark', words: expect.stringMatching(`${connection.id}: .*fewer than 8 characters`) }]);
  expect((await core.connections.find(connection.id))?.secrets).toEqual([{ secret: 'hush', until: null }]);
});
