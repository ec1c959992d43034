import crypto from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, test, vi } from 'vitest';
import { addPerson, setDisabled } from '../../../src/operations/people/people.ts';
import { BY_TEST, PASSWORD, withPassword } from '../../support/console/chosen-password.ts';
import { EnteringBrowser } from '../../support/console/entering-browser.ts';
import { useWorlds } from '../../support/worlds/world.ts';

const world = useWorlds();
/** The tries of a network are counted in the program. */
const ALONE = { role: 'console' } as const;

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const WRONG = 'E-mail or password is not right';

test('a password signs in, and leads to where somebody wanted', async () => {
  await using it = await world(ALONE);
  await withPassword(it.bridge, 'maria@shop.example');
  const browser = new EnteringBrowser(it.bridge.app.url);

  const wanted = await browser.get('/console/account');
  expect(wanted.location).toBe('/console/sign-in?to=%2Fconsole%2Faccount');
  const form = await browser.get(wanted.location ?? '');
  expect(form.text).toContain('name="to" value="/console/account"');
  // Nobody sees what is typed, and programs that keep passwords know where it goes.
  expect(form.text).toMatch(/<input id="password"[^>]* type="password"[^>]* autocomplete="current-password"/);
  const answer = await browser.post('/console/sign-in', { email: 'Maria@Shop.example', password: PASSWORD, to: '/console/account' });

  expect(answer).toMatchObject({ status: 303, location: '/console/account' });
  expect((await browser.get('/console/account')).text).toContain('maria@shop.example');
  // Who is signed in needs no form.
  expect(await browser.get('/console/sign-in?to=/console/account')).toMatchObject({ status: 303, location: '/console/account' });
});

test('a wrong password, an unknown address, a disabled person and one without a password get one answer, for one hash each', async () => {
  await using it = await world(ALONE);
  const { app } = it.bridge;
  await withPassword(it.bridge, 'maria@shop.example');
  const gone = await withPassword(it.bridge, 'gone@shop.example');
  await setDisabled(app.core, gone.person, { isDisabled: true, ...BY_TEST });
  await addPerson(app.core, { email: 'new@shop.example', name: '', role: 'viewer', shops: null, lang: 'en', ...BY_TEST });
  const hashes = vi.spyOn(crypto, 'argon2');
  syncBuiltinESMExports();

  const answers = [];
  const tries = { 'maria@shop.example': 'not the right one', 'nobody@shop.example': PASSWORD, 'gone@shop.example': PASSWORD, 'new@shop.example': PASSWORD };
  for (const [email, password] of Object.entries(tries)) {
    const { status, text, setCookies } = await new EnteringBrowser(app.url).post('/console/sign-in', { email, password });
    const costs = hashes.mock.calls.map(([algorithm, { memory, passes, parallelism }]) => ({ algorithm, memory, passes, parallelism }));
    answers.push(JSON.stringify({ status, text: text.replaceAll(email, 'EMAIL'), setCookies, costs }));
    hashes.mockClear();
  }

  expect(JSON.parse(answers[0] ?? '')).toMatchObject({
    ...{ status: 401, text: expect.stringContaining(WRONG), setCookies: [] },
    costs: [{ algorithm: 'argon2id', memory: 19_456, passes: 2, parallelism: 1 }],
  });
  expect(new Set(answers).size).toBe(1);
});

test('an address has five tries a minute, however many come at once; the right password costs none', async () => {
  await using it = await world(ALONE);
  await withPassword(it.bridge, 'maria@shop.example');
  const sign = (email: string, password: string) => new EnteringBrowser(it.bridge.app.url).post('/console/sign-in', { email, password });

  for (let i = 0; i < 6; i += 1) expect(await sign('maria@shop.example', PASSWORD)).toMatchObject({ status: 303 });
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => sign(`nobody-${i}@shop.example`, PASSWORD)));

  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  const held = answers.find(({ status }) => status === 429);
  expect(Number(held?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(held?.text).toMatch(/Too many tries\. Try again in \d+ seconds?\./);
  expect(await sign('maria@shop.example', PASSWORD)).toMatchObject({ status: 429 });
});

test('an account has five tries a minute, from wherever they come', async () => {
  await using it = await world({ ...ALONE, config: { trustProxy: ['loopback'] } });
  await withPassword(it.bridge, 'maria@shop.example');
  const sign = (from: string, email: string, password: string) =>
    new EnteringBrowser(it.bridge.app.url, { 'x-forwarded-for': from }).post('/console/sign-in', { email, password });

  for (let i = 0; i < 5; i += 1) expect(await sign(`192.0.2.${i}`, 'maria@shop.example', 'wrong wrong wrong')).toMatchObject({ status: 401 });

  expect(await sign('192.0.2.77', 'MARIA@shop.example', PASSWORD)).toMatchObject({ status: 429 });
  expect(await sign('192.0.2.77', 'nobody@shop.example', PASSWORD)).toMatchObject({ status: 401 });
});

test('a session that somebody planted is not the one that begins, and the browser’s own before it ends', async () => {
  await using it = await world(ALONE);
  const { browser: before } = await withPassword(it.bridge, 'maria@shop.example');
  const planted = new EnteringBrowser(it.bridge.app.url, { cookie: 'orderbridge=planted-by-somebody' });

  const fresh = await planted.post('/console/sign-in', { email: 'maria@shop.example', password: PASSWORD });
  expect(fresh.setCookies[0]).toMatch(/^orderbridge=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/);

  const old = before.cookie;
  expect(await before.post('/console/sign-in', { email: 'maria@shop.example', password: PASSWORD })).toMatchObject({ status: 303 });
  expect(before.cookie).not.toBe(old);
  expect(await new EnteringBrowser(it.bridge.app.url, { cookie: old }).get('/console')).toMatchObject({ status: 303 });
  expect(await before.get('/console')).toMatchObject({ status: 200 });
});

test('after signing in nobody is led out of the console', async () => {
  await using it = await world(ALONE);
  await withPassword(it.bridge, 'maria@shop.example');
  const browser = new EnteringBrowser(it.bridge.app.url);

  const outside = ['https://evil.example/', '//evil.example', '/\\evil.example', '/console/../admin', '/console/%2e%2e/admin', '/console\t/../admin'];
  for (const to of [...outside, '/consolex', 'javascript:alert(1)', '']) {
    expect(await browser.post('/console/sign-in', { email: 'maria@shop.example', password: PASSWORD, to })).toMatchObject({
      status: 303,
      location: '/console',
    });
    expect(await browser.get(`/console/sign-in?to=${encodeURIComponent(to)}`)).toMatchObject({ location: '/console' });
  }
  expect(await browser.get(`/console/sign-in?to=${encodeURIComponent('/console/orders?q=%231042&state=review')}`)).toMatchObject({
    location: '/console/orders?q=%231042&state=review',
  });
});

test('no form that signs in is taken from another site, and none is answered by what was typed', async () => {
  await using it = await world(ALONE);
  await withPassword(it.bridge, 'maria@shop.example');
  const browser = new EnteringBrowser(it.bridge.app.url);

  for (const path of ['sign-in', 'setup', 'choose-password', 'enter']) {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, {}]) {
      const answer = await browser.post(`/console/${path}`, { email: 'maria@shop.example', password: PASSWORD, code: 'x' }, headers);
      expect(answer).toMatchObject({ status: 403, setCookies: [] });
    }
  }
  const typed = await browser.post('/console/sign-in', { email: '"><script>alert(1)</script>', password: '<b>', to: '"><img>' });
  expect(typed).toMatchObject({ status: 401 });
  expect(typed.text).toContain('value="&quot;&gt;&lt;script&gt;');
  expect(typed.text).not.toContain('<script>alert');
  expect(await browser.post('/console/sign-in', { email: ' ', password: PASSWORD })).toMatchObject({ status: 422 });
});

test('a hash of less cost is made anew at the next sign-in, and takes the same password', async () => {
  await using it = await world(ALONE);
  const { person } = await withPassword(it.bridge, 'maria@shop.example');
  const salt = Buffer.alloc(16, 7);
  const tag = crypto.argon2Sync('argon2id', { message: PASSWORD, nonce: salt, memory: 1_024, passes: 1, parallelism: 1, tagLength: 32 });
  const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  await it.bridge.pool.query('update people set password = $2 where id = $1', [person.id, `$argon2id$v=19$m=1024,t=1,p=1$${plain(salt)}$${plain(tag)}`]);
  const sign = (password: string) => new EnteringBrowser(it.bridge.app.url).post('/console/sign-in', { email: 'maria@shop.example', password });

  expect(await sign('not the right one')).toMatchObject({ status: 401 });
  expect(await it.bridge.pool.query(`select from people where password like '$argon2id$v=19$m=1024%'`)).toMatchObject({ rowCount: 1 });
  expect(await sign(PASSWORD)).toMatchObject({ status: 303 });
  expect(await it.bridge.pool.query(`select from people where password like '$argon2id$v=19$m=19456,t=2,p=1$%'`)).toMatchObject({ rowCount: 1 });
  expect(await sign(PASSWORD)).toMatchObject({ status: 303 });
});

test('who types the address alone comes to the console', async () => {
  await using it = await world(ALONE);

  expect(await new EnteringBrowser(it.bridge.app.url).get('/')).toMatchObject({ status: 302, location: '/console' });
});

/** A browser that was made to look for this name here; `fetch` names no other host than that of its address. */
async function pressBy(host: string, url: string): Promise<{ status: number | undefined; cookies: string[] | undefined }> {
  const headers = { host, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
  const asked = request(`${url}/console/sign-in`, { method: 'POST', headers }).end(String(new URLSearchParams(PRESS)));
  const [answer]: IncomingMessage[] = await once(asked, 'response');
  answer?.resume();
  return { status: answer?.statusCode, cookies: answer?.headers['set-cookie'] };
}

const DEMO = { email: 'owner@demo.example', name: 'Demo', role: 'owner', shops: null, lang: 'en', ...BY_TEST } as const;
const PRESS = { way: 'demo', to: '/console/people' };
const VERB = 'Sign in as the demo’s owner';

test('the owner of a demo is signed in by a press, again and again, on this machine alone', async () => {
  await using it = await world({ ...ALONE, demoOwner: DEMO.email });
  const { app } = it.bridge;
  const { person } = await addPerson(app.core, DEMO);

  for (const _again of [1, 2]) {
    const browser = new EnteringBrowser(app.url);
    expect((await browser.get('/console/sign-in?to=/console/people')).text).toContain(VERB);
    expect(await browser.post('/console/sign-in', PRESS)).toMatchObject({ status: 303, location: '/console/people' });
    expect((await browser.get('/console/people')).text).toContain(DEMO.email);
  }
  for (const headers of [{ 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }]) {
    const elsewhere = new EnteringBrowser(app.url, headers);
    expect((await elsewhere.get('/console/sign-in')).text).not.toContain(VERB);
    expect(await elsewhere.post('/console/sign-in', PRESS)).toMatchObject({ status: 401, setCookies: [] });
  }
  expect(await pressBy('evil.example', app.url)).toEqual({ status: 401, cookies: undefined });
  expect(await new EnteringBrowser(app.url).post('/console/sign-in', PRESS, { 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403, setCookies: [] });
  // The last owner is never shut out.
  await addPerson(app.core, { ...DEMO, email: 'other@demo.example' });
  await setDisabled(app.core, person, { isDisabled: true, ...BY_TEST });
  expect(await new EnteringBrowser(app.url).post('/console/sign-in', PRESS)).toMatchObject({ status: 401, setCookies: [] });
});

test('where there is no demo nobody is signed in by a press', async () => {
  await using it = await world(ALONE);
  const browser = new EnteringBrowser(it.bridge.app.url);
  await addPerson(it.bridge.app.core, DEMO);

  expect((await browser.get('/console/sign-in')).text).not.toContain(VERB);
  expect(await browser.post('/console/sign-in', PRESS)).toMatchObject({ status: 401, setCookies: [] });
});
