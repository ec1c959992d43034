import { request } from 'node:http';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createLog } from '../../../src/platform/log.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { hashOf } from '../../../src/platform/token-hash.ts';
import { type AppWorld, approves, goesToApprove } from '../../support/connect/app-merchant.ts';
import { approved, begins, exchanges, INSTALL, newBrowser, openAttempts, SHOP, seen, stateOf, titleIn } from '../../support/connect/grant-attempts.ts';
import { inviteMerchant } from '../../support/connect/store-merchant.ts';
import { type Answer, EnteringBrowser } from '../../support/console/entering-browser.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { addApp } from '../../support/worlds/app-shop.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

const tables = rowsOf('tables', z.object({ name: z.string() }));
const texts = rowsOf('any', z.object({ text: z.string() }));

/** All that the database holds, as text. */
async function held({ it }: AppWorld): Promise<string> {
  const { pool } = it.bridge;
  const all = await readRows(pool, tables, {
    text: `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  });
  const rows = await Promise.all(all.map(({ name }) => readRows(pool, texts, { text: `select to_jsonb(t)::text as text from ${name} t` })));
  return rows
    .flat()
    .map(({ text }) => text)
    .join('\n');
}

const hex = (text: string) => Buffer.from(text).toString('hex');

test('neither code, state, signature, secret, token nor link comes into the log, the audit log or a page; the database has them sealed, or as hashes', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'trace', name: 'test', destination: { write: (line) => void lines.push(line) } });
  await using at = await openAttempts(world, { log });
  const { it, shop, atShopify } = at;
  const merchant = await inviteMerchant(it);
  const linked = await approves(at, await goesToApprove(merchant, at));
  const { browser, back, state } = await approved(at);
  const pages = [await newBrowser(at).get(back), await newBrowser(at, browser.cookie).get(back.replace(/hmac=../, 'hmac=00'))];
  // On our side something is wrong, after Shopify has given its tokens, and before.
  for (const table of ['onboardings', 'grant_requests']) {
    await it.bridge.pool.query(`alter table ${table} rename to gone`);
    pages.push(await newBrowser(at, browser.cookie).get(back));
    await it.bridge.pool.query(`alter table gone rename to ${table}`);
  }
  pages.push(await merchant.browser.get(linked), await merchant.get('/webhooks'));
  await merchant.chooseCompany();
  pages.push(await merchant.post('/webhooks', { act: 'make' }), await merchant.get('/webhooks'));
  shop.state.intercept = ({ path }) => (path.endsWith('access_token') ? { status: 500, body: `<p>${atShopify.secret}</p>` } : undefined);
  const broken = await approved(at);
  pages.push(await broken.browser.get(broken.back));

  expect(pages.filter(({ status }) => status === 500).length).toBeGreaterThan(0);
  expect(lines.filter((line) => line.includes('a request failed')).length).toBeGreaterThan(0);
  const { accessTokens, refreshTokens } = shop.grants.installations.get(atShopify.clientId) ?? { accessTokens: new Map(), refreshTokens: new Map() };
  const given = [back, linked, broken.back].map((one) => new URL(one, 'http://any').searchParams);
  const once = given.flatMap((query) => ['code', 'hmac', 'state'].map((name) => query.get(name) ?? ''));
  const secrets = [...once, atShopify.secret, merchant.token, ...accessTokens.keys(), ...refreshTokens.keys()];
  expect([secrets.filter((one) => one.length < 15), secrets.length]).toEqual([[], 15]);
  const [database, auditLog] = [await held(at), JSON.stringify(await readBridgeActs(it.bridge.pool))];
  expect(secrets.filter((one) => lines.join('').includes(one))).toEqual([]);
  expect(secrets.filter((one) => auditLog.includes(one))).toEqual([]);
  expect(secrets.filter((one) => database.includes(one) || database.includes(hex(one)))).toEqual([]);
  expect(secrets.filter((one) => one !== merchant.token && pages.some(({ text }) => text.includes(one)))).toEqual([]);
  for (const kept of [state, merchant.token]) expect(database).toContain(hashOf(kept).toString('hex'));
  // The merchant's link is known to our own pages alone.
  expect(JSON.stringify(shop.asked)).not.toContain(merchant.token);
  for (const { headers } of pages) expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['no-referrer', 'no-store']);
});

test('who begins again and again from one network is slowed down, and others are not', async () => {
  await using at = await openAttempts(world);
  const from = (address: string) => new EnteringBrowser(at.it.bridge.app.url, { 'x-forwarded-for': address, 'accept-language': 'en' });
  const { browser, back } = await approved(at, from('203.0.113.1'));
  for (const address of ['203.0.113.1', '2001:db8:1:2::1']) {
    const answers: Answer[] = [];
    // More than 20 come through only if they take longer than those of a person.
    while (answers.length < 200 && answers.at(-1)?.status !== 429) {
      const host = `${address}${address.includes(':') ? answers.length : ''}`;
      answers.push(await from(host).get(answers.length % 2 === 0 ? INSTALL : '/shopify/callback?code=x&state=y&hmac=z'));
    }
    const last = answers.at(-1);
    expect([answers.length > 15, last?.status, Number(last?.headers.get('retry-after')) > 0, last?.location]).toEqual([true, 429, true, null]);
    // Their approval waits, too, and is used up by none of this.
    if (address === '203.0.113.1') expect((await browser.get(back)).status).toBe(429);
  }
  for (const other of ['203.0.113.2', '2001:db8:1:3::1']) expect((await from(other).get(INSTALL)).status).toBe(303);
  expect(exchanges(at.shop)).toBe(0);
});

test('without an address of its own the server sends nobody away, and says what is missing', async () => {
  await using at = await openAttempts(world, { config: { publicUrl: null } });
  const answer = await newBrowser(at).get(INSTALL);
  expect([answer.status, answer.location, answer.setCookies, answer.text.includes('(PUBLIC_URL)')]).toEqual([503, null, [], true]);
  const merchant = await inviteMerchant(at.it);
  await merchant.post('/store', { kind: 'address', platform: 'shopify', address: 'corner' });
  expect((await merchant.get('/store/go?app=corner')).location).toBe(`${merchant.base}/store/found`);
});

test('an app that is not known, or is one of several that none is named of, leads nowhere', async () => {
  await using at = await openAttempts(world);
  await addApp(at.it.bridge, { id: 'another' });
  for (const query of [`shop=${SHOP}`, 'name=corner', `app=nobody&shop=${SHOP}`, `app=__proto__&shop=${SHOP}`, `app=corner&app=another&shop=${SHOP}`, ''])
    expect([query, ...seen(await newBrowser(at).get(`/shopify/install?${query}`))]).toEqual([query, 404, 'This link leads to no app']);
  expect(seen(await newBrowser(at).get('/shopify/install?app=corner'))).toEqual([200, 'Connect your Shopify store']);
});

type Raw = { status: number; location: string; cookies: string[]; text: string };

/** As a browser asks that knows the server by this name. */
function asked({ it }: AppWorld, path: string, headers: Record<string, string>): Promise<Raw> {
  const { hostname, port } = new URL(it.bridge.app.url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () => {
          const { location = '', 'set-cookie': cookies = [] } = response.headers;
          resolve({ status: response.statusCode ?? 0, location, cookies, text: Buffer.concat(parts).toString() });
        });
    })
      .on('error', reject)
      .end();
  });
}

test('the cookie of an approval is for this host alone, over https where the server is there, and no script reads it', async () => {
  await using plain = await openAttempts(world);
  const begun = await begins(plain);
  const { setCookies } = await newBrowser(plain).get(INSTALL);
  expect(begun.browser.cookie).toBe(`orderbridge-grant-${begun.state.slice(0, 8)}=${begun.state}.`);
  expect(setCookies).toEqual([expect.stringMatching(/^orderbridge-grant-[\w-]{8}=[\w-]{43}\.; Path=\/; HttpOnly; SameSite=Lax; Max-Age=900$/)]);

  const publicUrl = 'https://bridge.example';
  await using at = await openAttempts(world, { config: { publicUrl }, app: { redirectUrls: [`${publicUrl}/shopify/callback`] } });
  const host = { host: 'bridge.example', 'accept-language': 'en' };
  const { location, cookies } = await asked(at, INSTALL, host);
  expect(cookies).toEqual([expect.stringMatching(/^__Host-orderbridge-grant-[\w-]{8}=[\w-]{43}\.; Path=\/; HttpOnly; SameSite=Lax; Max-Age=900; Secure$/)]);
  const gone = await at.owner.goes(location);
  const back = 'left' in gone ? gone.left.slice(publicUrl.length) : '';
  const [pair = ''] = cookies[0]?.split(';') ?? [];
  // A cookie that another host of the same domain could have set is none.
  const forged = await asked(at, back, { ...host, cookie: pair.replace('__Host-', '') });
  expect([forged.status, titleIn(forged.text)]).toEqual([400, 'This approval can’t be used']);
  const landed = await asked(at, back, { ...host, cookie: pair });
  expect([landed.status, landed.location]).toEqual([303, expect.stringMatching(/^\/connect\/[\w-]{43}$/)]);
  expect(landed.cookies).toEqual([`__Host-orderbridge-grant-${stateOf(back).slice(0, 8)}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure`]);
});
