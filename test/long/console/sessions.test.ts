import { expect, test } from 'vitest';
import type { Config } from '../../../src/config/config.ts';
import { setDisabled } from '../../../src/operations/people/people.ts';
import { actsOf, BY_TEST, PASSWORD, withPassword } from '../../support/console/chosen-password.ts';
import { EnteringBrowser } from '../../support/console/entering-browser.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

test('a session ends 12 hours after somebody last came, and 7 days after it began; the sweeper clears it away', async () => {
  await using it = await world();
  const [idle, old, young] = [await signIn(it.bridge), await signIn(it.bridge), await signIn(it.bridge)];
  const age = (set: string, { person }: typeof idle) => it.bridge.pool.query(`update sessions set ${set} where person = $1`, [person.id]);

  await age(`seen_at = now() - interval '12 hours 1 minute'`, idle);
  await age(`created_at = now() - interval '7 days 1 minute'`, old);
  await age(`seen_at = now() - interval '11 hours 59 minutes', created_at = now() - interval '6 days 23 hours'`, young);

  expect(await idle.get('/console')).toMatchObject({ status: 303 });
  expect(await old.get('/console')).toMatchObject({ status: 303 });
  expect(await young.get('/console')).toMatchObject({ status: 200 });
  await until(async () => (await it.bridge.pool.query('select from sessions')).rowCount === 1, {
    what: 'ended sessions to be cleared away',
  });
  // Somebody came: twelve hours begin again.
  expect(await it.bridge.pool.query(`select from sessions where seen_at > now() - interval '1 minute'`)).toMatchObject({ rowCount: 1 });
});

test('who is disabled is out at once, whatever they have open', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge, { role: 'viewer' });

  await setDisabled(it.bridge.app.core, browser.person, { isDisabled: true, ...BY_TEST });
  expect(await browser.get('/console')).toMatchObject({ status: 303 });
  await setDisabled(it.bridge.app.core, browser.person, { isDisabled: false, ...BY_TEST });

  // The session does not come back with the person.
  expect(await browser.get('/console')).toMatchObject({ status: 303 });
  expect((await actsOf(it.bridge, browser.person)).map(({ act, who }) => [act, who])).toEqual([
    ['person.signed-in', `person:${browser.person.id}`],
    ['person.disabled', 'cli:test'],
    ['person.enabled', 'cli:test'],
  ]);
});

const SECURE = /^__Host-orderbridge=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800; Secure$/;
const PLAIN = /^orderbridge=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/;
const FORM = { 'sec-fetch-site': 'same-origin' };

type Way = { where: string; config?: Partial<Config>; headers: Record<string, string>; shape: RegExp };
const trusting = { trustProxy: ['loopback'] };
const https = { 'x-forwarded-proto': 'https' };

test.each<Way>([
  { where: 'on this machine', headers: { origin: 'http://localhost:3000', ...FORM }, shape: PLAIN },
  { where: 'without what browsers say, over http', headers: FORM, shape: PLAIN },
  { where: 'behind a proxy that is trusted', config: trusting, headers: { ...https, ...FORM }, shape: SECURE },
  { where: 'behind one that is not', headers: { ...https, ...FORM }, shape: PLAIN },
  { where: 'behind one that is not, as the page says', headers: { origin: 'https://console.example', ...https, ...FORM }, shape: SECURE },
  {
    where: 'as the page says, over http under an address that is https',
    ...{ config: { publicUrl: 'https://console.example' }, headers: { origin: 'http://console.example', ...FORM }, shape: PLAIN },
  },
])('the cookie is bound to https where the way is: $where', async ({ config = {}, headers, shape }) => {
  await using it = await world({ config });
  await withPassword(it.bridge, 'maria@shop.example');
  const browser = new EnteringBrowser(it.bridge.app.url, 'x-forwarded-proto' in headers ? https : {});

  const answer = await browser.post('/console/sign-in', { email: 'maria@shop.example', password: PASSWORD }, headers);

  expect(answer.setCookies).toEqual([expect.stringMatching(shape)]);
  expect(await browser.get('/console')).toMatchObject({ status: 200 });
  await browser.post('/console/sign-out', {}, headers);
  expect(browser.cookie).toBe('');
});

test('where the way is known to be encrypted, a cookie that another host could set does not count', async () => {
  await using it = await world({ config: { trustProxy: ['loopback'] } });
  const { person, cookie } = await signIn(it.bridge);

  const overHttps = new EnteringBrowser(it.bridge.app.url, { 'x-forwarded-proto': 'https', cookie });
  expect(await overHttps.get('/console')).toMatchObject({ status: 303 });
  const hosted = new EnteringBrowser(it.bridge.app.url, { 'x-forwarded-proto': 'https', cookie: `__Host-${cookie}` });
  expect((await hosted.get('/console')).text).toContain(person.email);
});
