import { expect, test } from 'vitest';
import { useShopify } from '../../support/connect/at-shopify.ts';
import { denials } from '../../support/servers/shopify-admin/serve-shop.ts';

const DAY_MS = 86_400_000;
const { opened, codeOf, grant, pairOf, refresh, queries } = useShopify();

test('a code is good once, for 60 seconds, and with the right secret', async () => {
  const clock = { now: Date.now() };
  const { app, shop } = await opened({}, { now: () => clock.now });
  const code = async () => await codeOf({ shop, app });
  const [first, late] = [await code(), await code()];

  expect(await grant({ shop, app }, { client_secret: 'wrong', code: first })).toMatchObject({ status: 400, body: { error: 'invalid_client' } });
  const pair = await grant({ shop, app }, { code: first, expiring: '1' });
  expect(pair).toMatchObject({ status: 200, body: { scope: 'read_orders', expires_in: 3600, refresh_token_expires_in: 7_776_000 } });
  expect(await grant({ shop, app }, { code: first, expiring: '1' })).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  clock.now += 61_000;
  expect((await grant({ shop, app }, { code: late })).status).toBe(400);
  expect((await grant({ shop, app }, { client_id: 'nobody', client_secret: 'x' })).status).toBe(400);
});

test('an access token ends after its time; a refresh token is good until its successor is used', async () => {
  const clock = { now: Date.now() };
  const { app, shop } = await opened({}, { now: () => clock.now });
  const first = await pairOf({ shop, app });
  expect((await queries({ shop }, first['access_token'])).status).toBe(200);
  clock.now += 3_601_000;
  expect((await queries({ shop }, first['access_token'])).status).toBe(401);

  const lost = (await refresh({ shop, app }, first)).body;
  const second = (await refresh({ shop, app }, first)).body;
  expect(await queries({ shop }, second['access_token'])).toMatchObject({ body: { data: { shop: { myshopifyDomain: shop.state.domain } } } });
  const third = await refresh({ shop, app }, second);
  expect(third.status).toBe(200);
  expect((await refresh({ shop, app }, first)).status).toBe(401);
  expect((await refresh({ shop, app }, lost)).status).toBe(401);
  shop.state.deadGrantIs = 400;
  expect(await refresh({ shop, app }, first)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

test('a refresh token ends after 90 days, and 30 days after its first use', async () => {
  const clock = { now: Date.now() };
  const { app, shop } = await opened({}, { now: () => clock.now });
  const [first, other] = [await pairOf({ shop, app }), await opened({}, { now: () => clock.now })];
  const unused = await pairOf(other);
  expect((await refresh({ shop, app }, first)).status).toBe(200);
  clock.now += 31 * DAY_MS;
  expect((await refresh({ shop, app }, first)).status).toBe(401);
  clock.now += 60 * DAY_MS;
  expect((await refresh(other, unused)).status).toBe(401);
});

test('a new grant by code ends all refresh tokens that were before', async () => {
  const { app, shop } = await opened();
  const first = await pairOf({ shop, app });
  const again = await pairOf({ shop, app });

  expect((await refresh({ shop, app }, first)).status).toBe(401);
  expect((await refresh({ shop, app }, again)).status).toBe(200);
});

test('a token that lasts is the same each time, and is refused where it must expire', async () => {
  const { app, shop } = await opened({ kind: 'public' });
  const lasting = async () => {
    const code = await codeOf({ shop, app });
    return (await grant({ shop, app }, { code })).body['access_token'];
  };
  const token = await lasting();
  expect(await lasting()).toBe(token);
  app.mustExpire = true;
  expect((await queries({ shop }, token)).status).toBe(403);
});

test('client credentials are for installed apps of the shop’s own organisation', async () => {
  const { app, shop } = await opened({ kind: 'own', organisation: 'corner' });
  const form = { grant_type: 'client_credentials' };

  expect(await grant({ shop, app }, form)).toMatchObject({ status: 400, body: { error: 'app_not_installed' } });
  shop.grants.install(app.clientId, ['read_orders']);
  const { body } = await grant({ shop, app }, form);
  expect(body).toMatchObject({ scope: 'read_orders', expires_in: 86_399 });
  expect((await queries({ shop }, body['access_token'])).status).toBe(200);
  shop.state.organisation = 'another';
  expect(await grant({ shop, app }, form)).toMatchObject({ status: 400, body: { error: 'shop_not_permitted' } });
});

test('an answer can be lost after its work was done, and any other can come in its place', async () => {
  const { app, shop } = await opened();
  const first = await pairOf({ shop, app });
  shop.state.intercept = ({ path }) => (path === '/admin/oauth/access_token' ? 'lost' : undefined);
  await expect(refresh({ shop, app }, first)).rejects.toThrow();
  expect(shop.grants.installations.get(app.clientId)?.refreshTokens.size).toBe(2);
  for (const [name, denial] of Object.entries(denials)) {
    shop.state.intercept = () => denial;
    expect([name, (await refresh({ shop, app }, first)).status]).toEqual([name, denial.status]);
  }
  shop.state.intercept = async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return undefined;
  };
  const began = performance.now();
  expect((await refresh({ shop, app }, first)).status).toBe(200);
  expect(performance.now() - began).toBeGreaterThan(45);
});
