import { describe, expect, test } from 'vitest';
import { writeBridgeActs } from '../../../src/bridge/ledger/bridge-acts.ts';
import { Secret } from '../../../src/config/secret.ts';
import { secretsToRenew } from '../../../src/operations/keys/report-keys.ts';
import { resetPassword, setDisabled } from '../../../src/operations/people/people.ts';
import { resetFactor } from '../../../src/operations/people/second-factor.ts';
import { Authenticator, codesOn } from '../../support/console/authenticator.ts';
import { actsOf, BY_TEST, PASSWORD, withPassword } from '../../support/console/chosen-password.ts';
import { EnteringBrowser } from '../../support/console/entering-browser.ts';
import { formOf } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { startSmtp } from '../../support/servers/smtp-server.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const EMAIL = 'maria@shop.example';
const STEP = '/console/second-step?to=%2Fconsole';
let guests = 0;

/** Of a network of its own, so that tries are its own. */
function guest({ bridge }: World): EnteringBrowser {
  guests += 1;
  return new EnteringBrowser(bridge.app.url, { 'x-forwarded-for': `192.0.2.${guests}` });
}

const behindProxy = { config: { trustProxy: ['loopback'] } };

/** Somebody with a second factor, whose first code is used. */
async function withFactor(it: World, email = EMAIL) {
  const { person, browser } = await withPassword(it.bridge, email, { role: 'owner' });
  const app = new Authenticator((await browser.get('/console/account/factor')).text);
  const set = await browser.post('/console/account/factor', { kept: app.kept, code: await app.earlierCode() });
  if (set.status !== 200) throw new Error(`no second factor: ${set.status} ${set.text}`);
  return { person, browser, app, codes: codesOn(set.text) };
}

async function halfWay(it: World, email = EMAIL): Promise<EnteringBrowser> {
  const browser = guest(it);
  const answer = await browser.post('/console/sign-in', { email, password: PASSWORD });
  expect(answer).toMatchObject({ status: 303, location: STEP });
  return browser;
}

function give(browser: EnteringBrowser, code: string) {
  return browser.post('/console/second-step', { code, to: '/console/account' });
}

test('who sets up a second step gives a code after the password; what is half done opens nothing', async () => {
  await using it = await world(behindProxy);
  const { person, app, codes } = await withFactor(it);
  expect(codes).toHaveLength(10);
  const browser = await halfWay(it);

  expect(await browser.get('/console')).toMatchObject({ status: 303, location: '/console/sign-in?to=%2Fconsole' });
  expect((await browser.get(STEP)).text).toContain('or a recovery code');
  expect(await give(browser, '000000')).toMatchObject({ status: 401 });
  const done = await give(browser, app.code());

  expect(done).toMatchObject({ status: 303, location: '/console/account' });
  expect((await browser.get('/console/account')).text).toContain('10 recovery codes are left.');
  expect(browser.cookie).not.toContain('half');
  const acts = await actsOf(it.bridge, person);
  expect(acts.map(({ act }) => act)).toEqual(['person.added', 'person.password-chosen', 'person.signed-in', 'person.factor-set', 'person.signed-in']);
  expect(JSON.stringify(acts)).not.toContain(app.code());
});

test('the secret is sealed for its row, recovery codes are hashes, and no page shows them again', async () => {
  await using it = await world(behindProxy);
  const { browser, codes } = await withFactor(it);

  const hex = (code: string) => Buffer.from(code.replaceAll('-', '')).toString('hex');
  const sealed = `select from people where factor like 'v%.%' and recovery_codes::text !~ $1`;
  expect(await it.bridge.pool.query(sealed, [codes.map(hex).join('|')])).toMatchObject({ rowCount: 1 });
  const page = (await browser.get('/console/account')).text;
  expect(codesOn(page)).toEqual([]);
  // Who had the key of the seal may have opened it.
  const left = async () => (await secretsToRenew({ ...it.bridge.app.core, keys: null })).filter(({ what }) => what.startsWith('second'));
  expect(await left()).toEqual([]);
  await writeBridgeActs(it.bridge.pool, [{ who: 'cli:test', act: 'keys.replaced', subject: 'data_keys' }]);
  expect(await left()).toEqual([{ what: `second step of ${EMAIL}`, how: `people reset-factor ${EMAIL}` }]);
  const app = new Authenticator((await browser.get('/console/account/factor')).text);
  expect(await browser.post('/console/account/factor', { kept: app.kept, code: app.code() })).toMatchObject({ status: 200 });
  expect(await left()).toEqual([]);
});

describe('once', () => {
  test('a code of the app opens one session, of two presses at once, too, and none later', async () => {
    await using it = await world(behindProxy);
    const { app } = await withFactor(it);
    const [one, other] = [await halfWay(it), await halfWay(it)];
    const code = app.code();

    const answers = await Promise.all([give(one, code), give(one, code), give(other, code)]);

    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await give(await halfWay(it), code)).toMatchObject({ status: 401 });
    // The next one is another.
    expect(await give(await halfWay(it), app.code(1))).toMatchObject({ status: 303 });
  });

  test('a recovery code does, however it is typed', async () => {
    await using it = await world(behindProxy);
    const { person, codes } = await withFactor(it);
    const [first = '', second = ''] = codes;
    const browsers = [await halfWay(it), await halfWay(it), await halfWay(it)];

    const answers = await Promise.all(browsers.map((browser) => give(browser, first)));

    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    const browser = await halfWay(it);
    expect(await give(browser, second.toLowerCase().replaceAll('-', ' '))).toMatchObject({ status: 303 });
    expect((await browser.get('/console/account')).text).toContain('8 recovery codes are left.');
    expect((await actsOf(it.bridge, person)).filter(({ act }) => act === 'person.code-used')).toHaveLength(2);
  });

  test('the half-made sign-in, too', async () => {
    await using it = await world(behindProxy);
    const { app } = await withFactor(it);
    const browser = await halfWay(it);
    const { cookie } = browser;
    expect(await give(browser, app.code())).toMatchObject({ status: 303 });

    const copy = new EnteringBrowser(it.bridge.app.url, { cookie });
    expect(await give(copy, app.code(1))).toMatchObject({ status: 410 });
  });
});

test('a link to choose a password goes no further than the password', async () => {
  await using it = await world(behindProxy);
  const { person, app } = await withFactor(it);
  const { link } = await resetPassword(it.bridge.app.core, { id: person.id, isDisabled: false }, BY_TEST);
  const browser = guest(it);

  const chosen = await browser.post('/console/choose-password', { code: link.replace(/.*code=/, ''), password: 'four more words to keep' });

  expect(chosen).toMatchObject({ status: 303, location: STEP });
  expect(await browser.get('/console')).toMatchObject({ status: 303, location: '/console/sign-in?to=%2Fconsole' });
  expect(await give(browser, app.code())).toMatchObject({ status: 303 });
});

test.each([
  ['a reset of the password', (it: World, id: string) => resetPassword(it.bridge.app.core, { id, isDisabled: false }, BY_TEST)],
  ['a reset of the second step', (it: World, id: string) => resetFactor(it.bridge.app.core, { id }, BY_TEST)],
  [
    'disabling',
    async (it: World, id: string) => {
      await setDisabled(it.bridge.app.core, { id }, { isDisabled: true, ...BY_TEST });
      await setDisabled(it.bridge.app.core, { id }, { isDisabled: false, ...BY_TEST });
    },
  ],
  ['ten minutes', async (it: World) => void (await it.bridge.pool.query(`update sign_in_links set expires_at = now() where kind = 'factor'`))],
])('%s ends a sign-in that is half done', async (_, end) => {
  await using it = await world(behindProxy);
  const { person, app } = await withFactor(it);
  await withPassword(it.bridge, 'other-owner@shop.example', { role: 'owner' });
  const browser = await halfWay(it);

  await end(it, person.id);

  expect(await give(browser, app.code())).toMatchObject({ status: 410 });
  expect(await browser.get('/console')).toMatchObject({ status: 303 });
});

test('five codes a minute are tried, of whoever knows the password', async () => {
  await using it = await world({ ...behindProxy, fresh: true });
  const { app } = await withFactor(it);
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) statuses.push((await give(await halfWay(it), `00000${n}`)).status);

  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  expect(await give(await halfWay(it), app.code())).toMatchObject({ status: 429 });
});

test('a first code that is wrong keeps the form, and a form of before is no secret any more', async () => {
  await using it = await world(behindProxy);
  const { browser } = await withPassword(it.bridge, EMAIL, { role: 'owner' });
  const app = new Authenticator((await browser.get('/console/account/factor')).text);

  const wrong = await browser.post('/console/account/factor', { kept: app.kept, code: '12345' });
  expect(wrong).toMatchObject({ status: 422 });
  expect(new Authenticator(wrong.text).code()).toBe(app.code());
  const other = await withPassword(it.bridge, 'other@shop.example');
  expect(await other.browser.post('/console/account/factor', { kept: app.kept, code: app.code() })).toMatchObject({ status: 422 });
  expect(await browser.post('/console/account/factor', { kept: app.kept, code: app.code() })).toMatchObject({ status: 200 });
  const again = await browser.post('/console/account/factor', { kept: app.kept, code: app.code(1) });
  expect(again).toMatchObject({ status: 422 });
  expect(again.text).toContain('no longer valid');
});

test('another app may take over within the same half minute', async () => {
  await using it = await world(behindProxy);
  const { browser } = await withFactor(it);
  for (const later of [1, 0]) {
    const app = new Authenticator((await browser.get('/console/account/factor')).text);
    expect(await browser.post('/console/account/factor', { kept: app.kept, code: app.code(later) })).toMatchObject({ status: 200 });
  }
});

test('a second step that is set up ends the other sessions of its person', async () => {
  await using it = await world(behindProxy);
  const { browser } = await withPassword(it.bridge, EMAIL, { role: 'owner' });
  const other = guest(it);
  expect(await other.post('/console/sign-in', { email: EMAIL, password: PASSWORD })).toMatchObject({ status: 303 });
  expect(await other.get('/console')).toMatchObject({ status: 200 });

  const app = new Authenticator((await browser.get('/console/account/factor')).text);
  expect(await browser.post('/console/account/factor', { kept: app.kept, code: app.code() })).toMatchObject({ status: 200 });

  expect(await browser.get('/console')).toMatchObject({ status: 200 });
  expect(await other.get('/console')).toMatchObject({ status: 303 });
});

test('new recovery codes end those of before; turned off, the password alone signs in', async () => {
  await using it = await world(behindProxy);
  const { browser, codes } = await withFactor(it);

  const made = codesOn((await browser.post('/console/account/factor/codes')).text);
  expect(await give(await halfWay(it), codes[0] ?? '')).toMatchObject({ status: 401 });
  expect(await give(await halfWay(it), made[0] ?? '')).toMatchObject({ status: 303 });
  expect(await browser.post('/console/account/factor/end')).toMatchObject({ location: '/console/account?done=factor-ended' });

  expect(await guest(it).post('/console/sign-in', { email: EMAIL, password: PASSWORD })).toMatchObject({ location: '/console' });
  expect(await browser.post('/console/account/factor/end')).toMatchObject({ status: 409 });
});

test('where an account signed in before, nobody else’s tries lock it out, and a mailed link has a brake of its own', async () => {
  await using smtp = await startSmtp();
  const mail = { smtpUrl: new Secret(smtp.url), from: 'orderbridge@shop.example' };
  await using it = await world({ config: { ...behindProxy.config, mail, publicUrl: 'http://bridge.example' }, fresh: true });
  await withPassword(it.bridge, EMAIL, { role: 'owner' });
  const home = guest(it);
  const enter = (browser: EnteringBrowser, password = PASSWORD) => browser.post('/console/sign-in', { email: EMAIL, password });
  expect(await enter(home)).toMatchObject({ status: 303 });
  await home.post('/console/sign-out');

  for (let n = 0; n < 5; n += 1) expect(await enter(guest(it), `wrong ${n}`)).toMatchObject({ status: 401 });

  expect(await enter(guest(it))).toMatchObject({ status: 429 });
  expect(await guest(it).post('/console/sign-in', { email: EMAIL, way: 'link' })).toMatchObject({ status: 200 });
  expect(await enter(home)).toMatchObject({ status: 303 });
  expect(await it.bridge.pool.query(`select from people where networks::text ~ '192.0.2'`)).toMatchObject({ rowCount: 0 });
});

test('where it is required, owners and operators are told for 14 days, then set it up at the sign-in, never within a session', async () => {
  await using it = await world({ config: { ...behindProxy.config, secondFactor: 'required' } });
  const viewer = await withPassword(it.bridge, 'viewer@shop.example', { role: 'viewer' });
  const { browser } = await withPassword(it.bridge, EMAIL, { role: 'operator' });
  expect((await viewer.browser.get('/console')).text).not.toContain('second step');
  expect((await browser.get('/console')).text).toMatch(/From .+ on you can sign in only with a second step/);

  await it.bridge.pool.query('update people set factor_due_at = now() where factor_due_at is not null');
  expect((await browser.get('/console')).text).toContain('Your next sign-in asks you to set up a second step');
  const [one, other, late] = [await halfWay(it), await halfWay(it), await halfWay(it)];
  const lateApp = new Authenticator((await late.get(STEP)).text, '/console/second-step');
  const page = (await one.get(STEP)).text;
  const app = new Authenticator(page, '/console/second-step');
  expect(await one.get('/console')).toMatchObject({ status: 303 });
  const enrol = (code: string) => one.post('/console/second-step', { kept: app.kept, code, to: '/console/account' });
  expect(await enrol('000000')).toMatchObject({ status: 401 });
  // Of two who set one up at once one does.
  const enrolLate = () => late.post('/console/second-step', { kept: lateApp.kept, code: lateApp.code(1), to: '/console/account' });
  const both = await Promise.all([enrol(app.code()), enrolLate()]);

  expect(both.map(({ text }) => codesOn(text).length).toSorted()).toEqual([0, 10]);
  expect((await one.get('/console')).text).not.toContain('only with a second step');
  expect(await browser.get('/console'), 'a session from before, opened by the password alone').toMatchObject({ status: 303 });
  // The one that was half done meanwhile needs the code that there is now.
  expect((await other.get(STEP)).text).toContain('or a recovery code');
});

test('owners are mailed when somebody becomes an owner, is reset or loses a second step', async () => {
  await using smtp = await startSmtp();
  const mail = { smtpUrl: new Secret(smtp.url), from: 'orderbridge@shop.example' };
  await using it = await world({ config: { ...behindProxy.config, mail, publicUrl: 'http://bridge.example' } });
  const owner = await signIn(it.bridge, { email: 'owner@shop.example' });
  const { person } = await withFactor(it);
  const seen = async () => ({ seen: formOf((await owner.get(`/console/people/${person.id}`)).text, `/console/people/${person.id}/reset`)['seen'] ?? [] });

  await owner.post('/console/people', { email: 'new@shop.example', role: 'owner', lang: 'en' });
  await owner.post('/console/people', { email: 'viewer@shop.example', role: 'viewer', lang: 'en' });
  expect(await owner.post(`/console/people/${person.id}/reset-factor`, await seen())).toMatchObject({ status: 303 });
  expect(await owner.post(`/console/people/${person.id}/reset`, await seen())).toMatchObject({ status: 200 });
  const { browser } = await withFactor(it, 'petar@shop.example');
  expect(await browser.post('/console/account/factor/end')).toMatchObject({ status: 303 });

  const told = () =>
    smtp.taken.filter(({ text, to }) => to.includes('owner@shop.example') && text.replaceAll('=\r\n', '').includes('because you are an owner'));
  // Two when Maria and Petar were added, and the last when he took his own away.
  await until(() => told().length === 6, { what: 'six mails to the owner' });
  expect(
    told()
      .map(({ text }) => /\w+@shop.example may sign in as an owner|was taken away|no second step/.exec(text.replaceAll('=\r\n', ''))?.[0])
      .toSorted(),
  ).toEqual([
    'maria@shop.example may sign in as an owner',
    'new@shop.example may sign in as an owner',
    'no second step',
    'no second step',
    'petar@shop.example may sign in as an owner',
    'was taken away',
  ]);
});
