import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import got from 'got';
import { expect, test } from 'vitest';
import { CALLBACK, goes, leaves, useShopify } from '../../support/connect/at-shopify.ts';
import type { ShopifyApp } from '../../support/servers/shopify-admin/shopify-app.ts';

const { opened, authorizeUrl, codeOf, grant, urlOf, app: other, environment } = useShopify();

/** As the facts have it, written apart from the stand-in. */
function isSigned({ search }: URL, secret: string): boolean {
  const pairs = search.slice(1).split('&');
  const rest = pairs.filter((pair) => !pair.startsWith('hmac=')).map((pair) => pair.replaceAll('+', '%20'));
  return pairs.includes(`hmac=${createHmac('sha256', secret).update(rest.toSorted().join('&')).digest('hex')}`);
}

test('they sign in, consent, and are sent to the callback with a signed query', async () => {
  const { app, shop } = await opened({}, { moreQuery: { locale: 'bg', note: 'a b&c' } });
  const asked = authorizeUrl({ shop, app }, { scope: 'read_orders,write_orders' });
  const page = await goes(asked, { answer: 'no-answer' });
  const back = await leaves(asked);

  expect(page).toMatchObject({ stays: { status: 200, text: expect.stringContaining('<li>write_orders</li>') } });
  expect(`${back.origin}${back.pathname}`).toBe(CALLBACK);
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ shop: shop.state.domain, state: 'S', locale: 'bg', note: 'a b&c' });
  expect(back.searchParams.get('code')).toMatch(/^[0-9a-f]{32}$/);
  expect(Math.abs(Number(back.searchParams.get('timestamp')) - Date.now() / 1000)).toBeLessThan(60);
  expect(isSigned(back, app.secret)).toBe(true);
  expect(shop.grants.installations.get(app.clientId)?.scopes).toEqual(['write_orders']);
  // Once granted, nobody is asked again.
  expect(await goes(asked, { answer: 'no-answer' })).toHaveProperty('left');
});

test.each([
  { what: 'another client id', more: { client_id: 'nobody' }, words: 'Could not find' },
  { what: 'a callback that is not the app’s', more: { redirect_uri: `${CALLBACK}/` }, words: 'not whitelisted' },
])('$what is refused', async ({ more, words }) => {
  const of = await opened();
  expect(await goes(authorizeUrl(of, { ...more }))).toMatchObject({ stays: { status: 400, text: expect.stringContaining(words) } });
});

test('an app for one store, and a person who may not install, get no further', async () => {
  const { app, shop } = await opened({ onlyShop: 'other.myshopify.com' });
  const staff = await opened({}, { mayInstall: false });

  expect(await goes(authorizeUrl({ shop, app }))).toMatchObject({ stays: { text: expect.stringContaining('can’t be installed on this store') } });
  expect(await goes(authorizeUrl(staff))).toMatchObject({ stays: { status: 403 } });
});

test('who cancels stays in the administration, or is sent back: both can be', async () => {
  const { app, shop } = await opened();
  const stays = await goes(authorizeUrl({ shop, app }), { answer: 'cancel' });
  shop.state.cancelLeadsTo = 'callback';

  expect(stays).toMatchObject({ stays: { url: `${urlOf(shop)}/admin` } });
  expect(await goes(authorizeUrl({ shop, app }), { answer: 'cancel' })).toEqual({ left: `${CALLBACK}?error=access_denied&state=S` });
  expect(shop.grants.installations.size).toBe(0);
});

test('a merchant can grant less than was asked, by either way of installation', async () => {
  const { app, shop } = await opened({ scopes: ['read_orders', 'read_all_orders'] }, { grantsOnly: ['read_orders'] });
  const managed = other({ ...app, clientId: `${app.clientId}-managed`, managed: true });
  const code = await codeOf({ shop, app }, { scope: 'read_orders,read_all_orders' });

  expect((await grant({ shop, app }, { code })).body).toMatchObject({ scope: 'read_orders' });
  await leaves(`${urlOf(shop)}/admin/oauth/install?client_id=${managed.clientId}`);
  expect(shop.grants.installations.get(managed.clientId)?.scopes).toEqual(['read_orders']);
});

test('an install that begins at Shopify leads to the app, signed: before the consent, or after it where Shopify manages it', async () => {
  const { app, shop } = await opened({ applicationUrl: 'https://bridge.example/shopify/install?app=one' });
  const managed = other({ ...app, clientId: `${app.clientId}-managed`, managed: true });
  const begins = ({ clientId }: ShopifyApp) => `${urlOf(shop)}/admin/oauth/install?client_id=${clientId}`;

  const plain = await leaves(begins(app));
  expect([`${plain.origin}${plain.pathname}`, plain.searchParams.get('app')]).toEqual(['https://bridge.example/shopify/install', 'one']);
  expect(shop.grants.installations.has(app.clientId)).toBe(false);
  expect(await goes(begins(managed), { answer: 'cancel' })).toMatchObject({ stays: { url: `${urlOf(shop)}/admin` } });
  const after = await leaves(begins(managed));
  expect(isSigned(after, managed.secret)).toBe(false);
  after.searchParams.delete('app');
  expect(isSigned(after, managed.secret)).toBe(true);
  shop.state.signsAppQuery = true;
  const whole = await leaves(begins(managed));
  expect([whole.searchParams.get('app'), isSigned(whole, managed.secret)]).toEqual(['one', true]);
  expect([...after.searchParams.keys()].toSorted()).toEqual(['hmac', 'host', 'shop', 'timestamp']);
  expect(shop.grants.installations.has(managed.clientId)).toBe(true);
  expect(await leaves(`${urlOf(shop)}/admin/apps/${managed.clientId}`)).toMatchObject({ pathname: '/shopify/install' });
  expect(await goes(`${urlOf(shop)}/admin/apps/${app.clientId}`)).toMatchObject({ stays: { status: 404 } });
});

test('an unknown shop is no shop; addresses of others are not directed anywhere', async () => {
  const unknown = await got('https://nobody.myshopify.com/', { throwHttpErrors: false, retry: { limit: 0 } });
  expect(unknown.statusCode).toBe(404);
  await expect(got('https://127.0.0.1:1/', { retry: { limit: 0 } })).rejects.toThrow(/ECONNREFUSED/);
});

test('another process calls shops there, too', async () => {
  const { shop } = await opened();
  const script = `import got from 'got'; console.log((await got('${urlOf(shop)}/')).statusCode)`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env: { ...process.env, ...environment() } });

  expect((await run).stdout).toBe('200\n');
});
