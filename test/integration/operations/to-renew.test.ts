import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openService } from '../../../src/app/embedded-service.ts';
import { writeBridgeActs } from '../../../src/bridge/ledger/bridge-acts.ts';
import { insertEndpoint } from '../../../src/bridge/ledger/events/endpoint-store.ts';
import { insertHandOver, takeHandOver } from '../../../src/bridge/ledger/invitations/hand-over-store.ts';
import { insertOnboarding, saveOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { embeddedDialect } from '../../../src/contract/dialect.ts';
import { rotateEndpoint } from '../../../src/operations/events.ts';
import { secretsToRenew } from '../../../src/operations/keys/report-keys.ts';
import type { ListedKey } from '../../../src/service/keys/api-keys.ts';
import { sampleApp } from '../../support/samples/sample-app.ts';
import { Program } from '../../support/servers/program.ts';
import { ENCRYPTION_KEYS } from '../../support/worlds/bridge.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const BY = { by: 'cli:test' };
/** The key of the service that other stores of this world use. */
const OTHERS = 'key …key of ';
const SAME = { name: null, secrets: null, access: null, storeIdentity: null, settings: null, recordFrom: null, host: null, cures: [] };

/** One that is made now. */
function apiKey(hint: string): ListedKey {
  const createdAt = new Date().toISOString();
  return {
    id: randomUUID(),
    hint,
    label: null,
    createdAt,
    revokedAt: null,
    endsAt: null,
    ownerId: randomUUID(),
    multiShop: true,
    test: false,
    dialect: embeddedDialect,
  };
}

test('what a leak gave away is listed until each of it was renewed, and what is newer never was', async () => {
  await using it = await world();
  const { core } = it.bridge.app;
  const { pool, connections, destinations, apps } = core;
  const ofService = [apiKey('of-a-shop')];
  const left = async () =>
    (await secretsToRenew({ ...core, keys: { list: async () => ofService } })).map(({ what }) => what).filter((what) => !what.includes(OTHERS));
  const at = await destinations.ensure('https://api.example', { apiKey: 'key-of-before', apiSecret: 's' });
  const { connection } = await it.bridge.connect({ access: { url: 'https://corner.example' } });
  await connections.replace(connection.id, { ...SAME, destinationId: at }, BY);
  await apps.add(sampleApp(), BY);
  expect(await left()).toEqual([]);

  await writeBridgeActs(pool, [{ who: BY.by, act: 'keys.replaced', subject: 'data_keys' }]);

  const all = ['client secret of the app corner', 'webhook secret of corner', 'keys of the API of corner', 'key …fore of https://api.example'];
  expect(await left()).toEqual([...all, 'API key of-a-shop… (without label)']);

  await it.bridge.connect({ name: 'newer', shopId: randomUUID(), access: { url: 'https://newer.example' } });
  ofService.push(apiKey('newer'));
  await connections.changeSecrets(connection.id, [{ secret: 'another secret', until: null }], BY);
  expect(await left()).toEqual([...all.filter((what) => !what.startsWith('webhook')), 'API key of-a-shop… (without label)']);
  await connections.replace(connection.id, { ...SAME, access: { url: 'https://corner.example/new' }, destinationId: null }, BY);
  await apps.changeSecrets('corner', [{ secret: 'new', until: null }], BY);
  // Rotated a day ago, it has ended by itself.
  Object.assign(ofService[0] ?? {}, { endsAt: new Date().toISOString() });
  expect(await left()).toEqual(['key …fore of https://api.example']);
  const fresh = await destinations.ensure('https://api.example', { apiKey: 'key-that-is-new', apiSecret: 's' });
  await connections.replace(connection.id, { ...SAME, destinationId: fresh }, BY);
  // Nobody can see here whether it was ended there.
  expect(await left()).toEqual(['key …fore of https://api.example']);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(await left()).toEqual([]);
});

test('what signs events and what merchants gave before their store was connected is listed, too', async () => {
  await using it = await world();
  const { core } = it.bridge.app;
  const { pool, connections } = core;
  const left = async () => (await secretsToRenew({ ...core, keys: null })).map(({ what }) => what).filter((what) => !what.includes(OTHERS));
  const endpoint = (host: string) =>
    insertEndpoint(pool, { url: `https://${host}/key`, shopId: null, company: null, withBuyers: false, secret: 'whsec_YQ==' }, BY);
  const newWay = () => insertOnboarding(pool, { who: BY.by, email: null, lang: null, shopId: null, destinationId: null, days: 14 });
  const signs = await endpoint('books.example');
  const [kept, handed, connected] = [await newWay(), await newWay(), await newWay()];
  await saveOnboarding(pool, kept, { sealed: 'v1.keys' });
  const state = Buffer.from('11'.repeat(32), 'hex');
  await insertHandOver(pool, { state, onboarding: handed.id, url: 'https://shop.example', minutes: 15 });
  await takeHandOver(pool, { state, sealed: 'v1.keys' });

  await writeBridgeActs(pool, [{ who: BY.by, act: 'keys.replaced', subject: 'data_keys' }]);

  await endpoint('newer.example');
  await saveOnboarding(pool, await newWay(), { sealed: 'v1.keys' });
  const ofWays = [kept, handed].map(({ id }) => `keys of a store that is not connected yet (invitation ${id})`);
  expect(await left()).toEqual(['secret that signs events for books.example', ...ofWays]);

  // The connection of a merchant who was invited before may have keys of before.
  const { connection } = await it.bridge.connect({ access: { url: 'https://corner.example' } });
  await saveOnboarding(pool, connected, { connectionId: connection.id });
  await rotateEndpoint(core, { id: signs, revokeNow: true, ...BY });
  expect(await left()).toEqual(['webhook secret of corner', 'keys of the API of corner', ...ofWays]);
  await connections.changeSecrets(connection.id, [{ secret: 'another secret', until: null }], BY);
  await connections.replace(connection.id, { ...SAME, access: { url: 'https://corner.example/new' }, destinationId: null }, BY);
  expect(await left()).toEqual(ofWays);
});

test('the API keys of our own service are listed, too, where it is a process of its own', async () => {
  await using it = await world({ fresh: true });
  const { bridge, databaseUrl, redisUrl, service: elsewhere } = it;
  await using own = await openService(bridge.app.core);
  await own.keys.create({ multiShop: true, label: 'corner' });
  await writeBridgeActs(bridge.pool, [{ who: BY.by, act: 'keys.replaced', subject: 'data_keys' }]);
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, ENCRYPTION_KEYS, COMPLIANCE_API_URL: elsewhere.url, COMPLIANCE_AMOUNTS: 'decimal' };
  await using program = await Program.prepare(env);

  const { toRenew } = await program.json<{ toRenew: { what: string }[] }>(['keys', 'show']);

  expect(toRenew.map(({ what }) => what)).toContainEqual(expect.stringMatching(/^API key .+corner/));
});
