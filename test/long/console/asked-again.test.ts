import { expect, test } from 'vitest';
import { Secret } from '../../../src/config/secret.ts';
import { listPeople } from '../../../src/operations/people/people.ts';
import { Authenticator, codesOn } from '../../support/console/authenticator.ts';
import { PASSWORD, withPassword } from '../../support/console/chosen-password.ts';
import { EnteringBrowser } from '../../support/console/entering-browser.ts';
import { formOf, unescaped } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { startSmtp } from '../../support/servers/smtp-server.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const NEW = { email: 'ivan@shop.example', name: 'Иван "Ив"', lang: 'bg', role: 'viewer' };

async function later({ bridge }: World): Promise<void> {
  await bridge.pool.query(`update sessions set confirmed_at = now() - interval '11 minutes'`);
}

function sentIn(page: string): Record<string, string> {
  return { 'sent-before': formOf(page, '/console/people')['sent-before']?.[0] ?? '' };
}

async function owner(it: World): Promise<EnteringBrowser> {
  return (await withPassword(it.bridge, 'maria@shop.example', { role: 'owner' })).browser;
}

test('ten minutes after signing in an owner gives the password, and what they sent is done as it was', async () => {
  await using it = await world();
  const browser = await owner(it);
  await later(it);

  const asked = await browser.post('/console/people', NEW);
  expect(asked).toMatchObject({ status: 403 });
  expect(asked.text).not.toContain(NEW.email);
  const wrong = await browser.post('/console/people', { ...sentIn(asked.text), 'confirm-password': 'not the right one' });
  expect(wrong).toMatchObject({ status: 401 });
  expect(wrong.text).toContain('This is not your password.');
  const { cookie } = browser;
  const done = await browser.post('/console/people', { ...sentIn(wrong.text), 'confirm-password': PASSWORD });

  const acts = await readBridgeActs(it.bridge.pool);
  expect(acts.filter(({ act }) => act === 'person.confirmed').map(({ after }) => after)).toEqual([{ way: 'password' }]);
  // Whoever copied the cookie before has proved nothing by it.
  expect(browser.cookie).not.toBe(cookie);
  expect(await new EnteringBrowser(it.bridge.app.url, { cookie }).get('/console')).toMatchObject({ status: 303 });
  expect(done).toMatchObject({ status: 200 });
  expect(unescaped((await browser.get('/console/people')).text)).toContain(NEW.name);
  // For ten minutes.
  expect(await browser.post('/console/people', { ...NEW, email: 'other@shop.example' })).toMatchObject({ status: 200 });
});

test('what waits is of one person and one address', async () => {
  await using it = await world();
  const browser = await owner(it);
  const other = await signIn(it.bridge);
  await later(it);
  const asked = await browser.post('/console/people', NEW);
  await it.bridge.pool.query('update sessions set confirmed_at = now()');

  expect(await other.post('/console/people', sentIn(asked.text))).toMatchObject({ status: 422 });
  expect(await other.post(`/console/people/${other.person.id}/disable`, sentIn(asked.text))).toMatchObject({ status: 409 });
  expect(await browser.post('/console/people', sentIn(asked.text))).toMatchObject({ status: 200 });
});

test('who has no password gives a code of their app, once', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge);
  const app = new Authenticator((await browser.get('/console/account/factor')).text);
  expect(await browser.post('/console/account/factor', { kept: app.kept, code: await app.earlierCode() })).toMatchObject({ status: 200 });
  await later(it);
  const asked = await browser.post('/console/people', NEW);

  const code = app.code();
  expect(await browser.post('/console/people', { ...sentIn(asked.text), code: '000000' })).toMatchObject({ status: 401 });
  expect(await browser.post('/console/people', { ...sentIn(asked.text), code })).toMatchObject({ status: 200 });
  await later(it);
  expect(await browser.post('/console/people', { ...sentIn(asked.text), code })).toMatchObject({ status: 401 });
});

test('a password alone changes no second step: that takes a code of it, or a recovery code', async () => {
  await using it = await world({ fresh: true, role: 'console' });
  const browser = await owner(it);
  const factor = '/console/account/factor';
  const app = new Authenticator((await browser.get(factor)).text);
  const [recovery = ''] = codesOn((await browser.post(factor, { kept: app.kept, code: await app.earlierCode() })).text);
  await it.bridge.pool.query(`update sessions set confirmed_at = now() - interval '11 minutes', factor_at = now() - interval '11 minutes'`);
  const people = await browser.post('/console/people', NEW);
  expect(await browser.post('/console/people', { ...sentIn(people.text), 'confirm-password': PASSWORD })).toMatchObject({ status: 200 });

  for (const path of [factor, `${factor}/codes`, `${factor}/end`]) {
    const asked = await browser.post(path);
    expect([path, asked.status]).toEqual([path, 403]);
    expect(asked.text).toContain('or a recovery code');
    const waits = formOf(asked.text, path)['sent-before']?.[0] ?? '';
    expect((await browser.post(path, { 'sent-before': waits, 'confirm-password': PASSWORD })).status).toBe(401);
  }
  const { text } = await browser.post(`${factor}/end`);
  const waits = formOf(text, `${factor}/end`)['sent-before']?.[0] ?? '';
  expect(await browser.post(`${factor}/end`, { 'sent-before': waits, code: recovery })).toMatchObject({ location: '/console/account?done=factor-ended' });
});

test('nobody resets their own second step with the verb of People', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge);
  const app = new Authenticator((await browser.get('/console/account/factor')).text);
  await browser.post('/console/account/factor', { kept: app.kept, code: app.code() });
  const own = `/console/people/${browser.person.id}`;
  const { seen = [] } = formOf((await browser.get(own)).text, own);

  expect(await browser.post(`${own}/reset-factor`, { seen })).toMatchObject({ status: 409 });
  expect((await listPeople(it.bridge.app.core)).map(({ hasFactor }) => hasFactor)).toEqual([true]);
});

test('who has neither, and no mailbox that is mailed, is told what to do first', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge);
  await later(it);

  const asked = await browser.post('/console/people', NEW);

  expect(asked).toMatchObject({ status: 403 });
  expect(asked.text).toContain('Choose a password first');
  expect(await browser.post('/console/account/password', { chosen: PASSWORD })).toMatchObject({ location: '/console/account?done=password-changed' });
  expect(await browser.post('/console/people', { ...sentIn(asked.text), 'confirm-password': PASSWORD })).toMatchObject({ status: 200 });
});

test('a first password is no way around it: a mailed link comes before, or a code of the app', async () => {
  await using smtp = await startSmtp();
  const mail = { smtpUrl: new Secret(smtp.url), from: 'orderbridge@shop.example' };
  await using it = await world({ config: { mail, publicUrl: 'http://bridge.example' } });
  const [mailed, coded] = [await signIn(it.bridge), await signIn(it.bridge)];
  const app = new Authenticator((await coded.get('/console/account/factor')).text);
  expect(await coded.post('/console/account/factor', { kept: app.kept, code: await app.earlierCode() })).toMatchObject({ status: 200 });
  await later(it);
  const choose = (browser: typeof mailed, fields: Record<string, string> = { chosen: PASSWORD }) => browser.post('/console/account/password', fields);

  const asked = await choose(mailed);
  expect(asked).toMatchObject({ status: 403 });
  expect(asked.text).toContain('value="link"');
  expect(asked.text).not.toContain(PASSWORD);
  const askedCode = await choose(coded);
  expect(askedCode).toMatchObject({ status: 403 });
  expect((await listPeople(it.bridge.app.core)).some(({ hasPassword }) => hasPassword)).toBe(false);

  const waits = formOf(askedCode.text, '/console/account/password')['sent-before']?.[0] ?? '';
  expect(await choose(coded, { 'sent-before': waits, code: app.code() })).toMatchObject({ location: '/console/account?done=password-changed' });
});

test('passwords that are tried there count as tries to sign in', async () => {
  await using it = await world({ fresh: true, role: 'console' });
  const browser = await owner(it);
  await later(it);
  const sent = sentIn((await browser.post('/console/people', NEW)).text);
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) statuses.push((await browser.post('/console/people', { ...sent, 'confirm-password': `wrong ${n}` })).status);

  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
});
