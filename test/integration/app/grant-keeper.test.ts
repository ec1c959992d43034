import { expect, test } from 'vitest';
import { grantKeeper } from '../../../src/app/grant-keeper.ts';
import { APP_WARNING, STORE_API_WARNING } from '../../../src/bridge/connections/connection.ts';
import { createStoreTokens, grantedTokens } from '../../../src/bridge/ledger/connections/store-tokens.ts';
import { createStoreCallLedger } from '../../../src/bridge/ledger/sync/store-calls.ts';
import { storefronts } from '../../../src/bridge/storefronts/registry.ts';
import { merchantStatus } from '../../../src/connect/pages/status.ts';
import { appCheck, secretCheck, storeCheck } from '../../../src/operations/health/checks/stores.ts';
import type { HealthStatus } from '../../../src/operations/health/health-status.ts';
import { openLink } from '../../../src/operations/onboarding/onboarding.ts';
import { mailMerchants } from '../../support/connect/mail-merchants.ts';
import { startedMerchant } from '../../support/connect/started-merchant.ts';
import { CALM, GrantEndpoint, READINGS } from '../../support/grants/grant-endpoint.ts';
import { Dice } from '../../support/hostile/dice.ts';
import { BY } from '../../support/samples/by.ts';
import { plainTextOf } from '../../support/samples/mail-parts.ts';
import { sampleApp } from '../../support/samples/sample-app.ts';
import { startSmtp } from '../../support/servers/smtp-server.ts';
import { checksBy } from '../../support/worlds/checks-by.ts';
import { readIn } from '../../support/worlds/read-in.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const HOUR_MS = 3_600_000;
const [reading] = READINGS;
if (reading === undefined) throw new Error('there is a reading');

/** A store that a merchant connected by approving an app. */
async function grantedStore({ bridge }: World, url: string, refreshToken = 'shprt_0') {
  const { apps, pool, sealer } = bridge.app.core;
  const app = sampleApp();
  await apps.add(app, { by: BY });
  const merchant = await startedMerchant(bridge, { email: 'maria@shop.example', lang: 'en', connect: { platform: 'shopify', access: { url, app: app.id } } });
  const { connection } = merchant.connected;
  const tokens = createStoreTokens(pool, sealer)(connection);
  await tokens.keep({ token: 'shpat_0', expiresAt: new Date(Date.now() + HOUR_MS).toISOString(), refreshToken });
  return { ...merchant, tokens, id: connection.id };
}

/** What is kept by a look so many hours from now. */
async function keeping({ bridge }: World, hours: number): Promise<void> {
  await grantKeeper(bridge.app.core, storefronts, () => Date.now() + hours * HOUR_MS)(new AbortController().signal);
}

/** The texts of what merchants are mailed of what lasts. */
async function mailedAfter({ bridge }: World, smtp: Awaited<ReturnType<typeof startSmtp>>): Promise<string[]> {
  const began = Date.now();
  for (const ms of [0, 10 * 60_000]) await mailMerchants(bridge.app.core, { smtp, now: new Date(began + ms) });
  return smtp.taken.map(plainTextOf);
}

const NOTHING = { seen: 0, unknown: 0, stale: 0, handed: 0, missed: 0, gone: 0, unread: 0 };
const never = () => Promise.reject(new Error('nothing is made'));

test('a grant that nothing renewed for a day is renewed, though its token is good; one of 17 hours is not', async () => {
  await using it = await world();
  await using endpoint = await GrantEndpoint.start(new Dice(1), reading);
  await grantedStore(it, endpoint.url);

  await keeping(it, 17);
  expect(endpoint.counts.refreshes).toBe(0);
  await keeping(it, 24);
  const { pool, sealer } = it.bridge.app.core;
  const known = async () => (await grantedTokens(pool, sealer)).map(({ token }) => token);

  expect(endpoint.counts).toMatchObject({ refreshes: 1, repeated: 0, refused: 0 });
  expect(await known()).toEqual(['shpat_1']);
});

test('a dead grant is a warning, and the merchant is mailed the one link that mends it', async () => {
  await using it = await world();
  await using smtp = await startSmtp();
  await using endpoint = await GrantEndpoint.start(new Dice(1), reading);
  const { id } = await grantedStore(it, endpoint.url, 'shprt_404');
  const { core } = it.bridge.app;
  const warning = async () => (await core.connections.find(id))?.warnings[STORE_API_WARNING];
  await keeping(it, 24);

  expect(await warning()).toMatch(/the shop no longer lets the app in: .*the merchant must approve the app again$/);
  const [text = '', ...others] = await mailedAfter(it, smtp);
  expect(others).toEqual([]);
  expect(text).toContain('our app was removed');
  const token = /https:\/\/bridge\.example\/connect\/([\w-]+)/.exec(text)?.[1] ?? '';
  expect(await openLink(it.bridge, token)).toMatchObject({ scope: { kind: 'step', step: 'store' } });
});

test('an app that the shop refuses is one failed check of the operator for all of its stores, and no mail; the stores say that it is not theirs to mend', async () => {
  await using it = await world();
  await using smtp = await startSmtp();
  await using first = await GrantEndpoint.start(new Dice(1), reading);
  await using second = await GrantEndpoint.start(new Dice(2), reading);
  const stores = [await grantedStore(it, first.url), await grantedStore(it, second.url)];
  const { core } = it.bridge.app;
  for (const endpoint of [first, second]) endpoint.refusal = { status: 400, body: { error: 'invalid_client' } };
  const warned = async () => {
    const found = await Promise.all(stores.map(({ id }) => core.connections.find(id)));
    return found.map((one) => one?.warnings ?? {});
  };
  await keeping(it, 24);

  expect((await warned()).map((one) => Object.keys(one))).toEqual([[APP_WARNING], [APP_WARNING]]);
  expect(await mailedAfter(it, smtp)).toEqual([]);
  const about = () => checksBy(core, [secretCheck, appCheck, storeCheck]);
  expect(await about()).toEqual([
    expect.objectContaining({
      ...{ code: 'app.refused', level: 'attention', subject: sampleApp().id, count: 2 },
      ...{
        words: expect.stringContaining('2 connected stores say: storefront.refused: the shop does not take'),
        verb: `shopify-app rotate-secret ${sampleApp().id}`,
      },
    }),
  ]);
  const [{ id } = { id: '' }] = stores;
  const health: HealthStatus = { health: 'attention', at: '', failedChecks: await about() };
  const status = await merchantStatus({ ...core, service: null, readHealth: async () => health, now: () => new Date() }, id);
  expect(status).toMatchObject({ health: 'wrong', failedChecks: [{ en: expect.stringContaining('The person who runs this service must mend it') }] });

  // A host that hangs, or a store that nobody reads, has nothing to do with the app.
  const codes = async () => (await about()).map(({ code }) => code);
  const hangs = { host: '127.0.0.1', connectionId: null, code: 'storefront.unreachable' as const, detail: 'no answer' };
  await createStoreCallLedger(it.bridge.pool).pause(hangs, () => HOUR_MS);
  expect(await codes()).toEqual(['app.refused', 'store.paused', 'store.paused']);
  await it.bridge.pool.query('delete from store_calls where connection_id is null');
  await readIn(it.bridge.pool, id, 86_400_000);
  const lastRead = (error: string) =>
    it.bridge.pool.query(
      `insert into store_syncs (connection_id, read_at, last) values ($1, now() - interval '1 day', $2)
        on conflict (connection_id) do update set read_at = excluded.read_at, last = excluded.last`,
      [id, JSON.stringify({ at: new Date().toISOString(), kind: 'changes', why: null, error, ...NOTHING })],
    );
  await lastRead('storefront.refused: the client id and secret');
  expect(await codes()).toEqual(['app.refused']);
  await lastRead('storefront.unreachable: no answer');
  expect(await codes()).toEqual(['app.refused', 'store.unread']);
  await it.bridge.pool.query('delete from store_syncs');

  // With the right secret the next renewal ends it.
  for (const endpoint of [first, second]) endpoint.refusal = null;
  await it.bridge.pool.query('delete from store_calls');
  await keeping(it, 24);
  expect(await about()).toEqual([]);
});

test('a frozen shop keeps its grant, and its merchant is told to pay its bill', async () => {
  await using it = await world();
  await using smtp = await startSmtp();
  await using endpoint = await GrantEndpoint.start(new Dice(1), reading);
  const { id, tokens } = await grantedStore(it, endpoint.url);
  endpoint.refusal = { status: 402, body: { errors: 'Unavailable Shop' } };
  const warnings = async () => (await it.bridge.app.core.connections.find(id))?.warnings ?? {};
  await keeping(it, 24);

  expect(Object.keys(await warnings())).not.toEqual([]);
  expect(await tokens.token(never)).toBe('shpat_0');
  const [text, ...others] = await mailedAfter(it, smtp);
  expect(others).toEqual([]);
  expect(text).toContain('Pay the bill at Shopify');
  const token = /https:\/\/bridge\.example\/connect\/([\w-]+)/.exec(text ?? '')?.[1] ?? '';
  expect(await openLink(it.bridge, token)).toMatchObject({ scope: { kind: 'status' } });
});

test('a shop that gives no answer keeps its grant, and comes again', async () => {
  await using it = await world();
  await using endpoint = await GrantEndpoint.start(new Dice(1), reading);
  const { id, tokens } = await grantedStore(it, endpoint.url);
  endpoint.weather = { ...CALM, loses: 1 };
  await keeping(it, 24);

  expect(endpoint.counts.lost).toBeGreaterThan(0);
  expect((await it.bridge.app.core.connections.find(id))?.warnings).toEqual({});
  expect(await tokens.token(never)).toBe('shpat_0');
  endpoint.weather = CALM;
  await it.bridge.pool.query('delete from store_calls');
  await keeping(it, 24);
  expect(endpoint.counts).toMatchObject({ refreshes: 2, repeated: 1, refused: 0 });
});
