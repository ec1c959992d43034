import { expect, test } from 'vitest';
import { passkeysOf } from '../../../src/operations/people/passkeys.ts';
import { resetPassword, setDisabled } from '../../../src/operations/people/people.ts';
import { halfSignedIn, resetFactor, signInByFactor } from '../../../src/operations/people/second-factor.ts';
import { signedInBy } from '../../../src/operations/people/sessions.ts';
import { Authenticator } from '../../support/console/authenticator.ts';
import { actsOf, BY_TEST, PASSWORD, withPassword } from '../../support/console/chosen-password.ts';
import { EnteringBrowser } from '../../support/console/entering-browser.ts';
import { formOf } from '../../support/console/form-of.ts';
import { askedOn, SoftPasskey } from '../../support/console/soft-passkey.ts';
import { runs } from '../../support/run-size.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const ORIGIN = 'https://console.example';
const EMAIL = 'maria@shop.example';
const ADD = '/console/account/factor/passkeys';
const STEP = '/console/second-step';
const LATER = `update sessions set confirmed_at = now() - interval '11 minutes', factor_at = now() - interval '11 minutes'`;
let guests = 0;

const begin = () => world({ config: { publicUrl: ORIGIN, trustProxy: ['loopback'] } });

/** Of a network of its own, so that tries are its own. */
function guest({ bridge }: World): EnteringBrowser {
  guests += 1;
  return new EnteringBrowser(bridge.app.url, { 'x-forwarded-for': `198.51.100.${guests % 250}` });
}

/** Somebody with an app that makes codes. */
async function withFactor(it: World, email = EMAIL) {
  const made = await withPassword(it.bridge, email, { role: 'owner' });
  const app = new Authenticator((await made.browser.get('/console/account/factor')).text);
  expect(await made.browser.post('/console/account/factor', { kept: app.kept, code: await app.earlierCode() })).toMatchObject({ status: 200 });
  return { ...made, app };
}

/** Adds it on the page of the account. */
async function add(browser: EnteringBrowser, passkey: SoftPasskey, name = 'Phone') {
  const { options, kept } = askedOn((await browser.get('/console/account')).text, ADD);
  return browser.post(ADD, { 'passkey-kept': kept, passkey: passkey.create(options), name });
}

async function withPasskey(it: World, email = EMAIL) {
  const made = await withFactor(it, email);
  const passkey = new SoftPasskey(ORIGIN);
  expect(await add(made.browser, passkey)).toMatchObject({ location: '/console/account?done=passkey-added' });
  return { ...made, passkey };
}

async function halfWay(it: World, email = EMAIL) {
  const browser = guest(it);
  expect(await browser.post('/console/sign-in', { email, password: PASSWORD })).toMatchObject({ status: 303 });
  return { browser, asked: askedOn((await browser.get(STEP)).text, STEP) };
}

const give = (browser: EnteringBrowser, kept: string, passkey: string) => browser.post(STEP, { 'passkey-kept': kept, passkey, to: '/console/account' });

test('a passkey that was added takes the place of the code, and codes go on to work', async () => {
  await using it = await begin();
  const { person, browser, app, passkey } = await withPasskey(it);
  expect(askedOn((await browser.get('/console/account')).text, ADD).options).toMatchObject({
    rp: { id: 'console.example' },
    excludeCredentials: [{ id: passkey.id }],
  });
  const half = await halfWay(it);
  expect(half.asked.options).toMatchObject({ rpId: 'console.example', allowCredentials: [{ id: passkey.id, transports: ['internal', 'hybrid'] }] });

  expect(await give(half.browser, half.asked.kept, passkey.get(half.asked.options))).toMatchObject({ status: 303, location: '/console/account' });

  const account = (await half.browser.get('/console/account')).text;
  expect(account).toMatch(/<td[^>]*>Phone<\/td>/);
  expect(await passkeysOf(it.bridge, person)).toMatchObject([{ id: passkey.id, name: 'Phone', counter: 2, usedAt: expect.any(String) }]);
  expect((await actsOf(it.bridge, person)).map(({ act }) => act).slice(-3)).toEqual(['person.factor-set', 'person.passkey-added', 'person.signed-in']);
  const other = await halfWay(it);
  expect(await other.browser.post(STEP, { code: app.code(), to: '/console/account' })).toMatchObject({ status: 303 });
});

const refused = async ({ browser }: { browser: EnteringBrowser }, kept: string, answer: string) =>
  expect(await give(browser, kept, answer)).toMatchObject({ status: 401 });

test('an answer counts once, of two presses at once, too, and only in the sign-in for which it was asked', async () => {
  await using it = await begin();
  const { person, passkey } = await withPasskey(it);
  const [one, two] = [await halfWay(it), await halfWay(it)];
  const answer = passkey.get(one.asked.options);

  await refused(two, one.asked.kept, answer);
  await refused(two, two.asked.kept, answer);
  await refused(two, 'made up', answer);
  const both = await Promise.all([1, 2].map(() => give(one.browser, one.asked.kept, answer)));

  expect(both.filter(({ status }) => status === 303)).toHaveLength(1);
  expect((await actsOf(it.bridge, person)).map(({ act }) => act)).not.toContain('person.passkey-refused');
});

test('only of a passkey of that person, and of this address', async () => {
  await using it = await begin();
  const { passkey } = await withPasskey(it);
  const { passkey: foreign } = await withPasskey(it, 'other@shop.example');
  const half = await halfWay(it);
  const { kept, options } = half.asked;

  await refused(half, kept, foreign.get(options));
  await refused(half, kept, 'no JSON');
  await refused(half, kept, passkey.get({ ...options, rpId: 'evil.example' }));
  passkey.origin = 'https://console.example.evil.example';
  await refused(half, kept, passkey.get(options));
  passkey.origin = ORIGIN;
  expect(await give(half.browser, kept, passkey.get(options))).toMatchObject({ status: 303 });
});

test('a counter that is not above the last one is refused, and noted; a passkey that does not count may say 0', async () => {
  await using it = await begin();
  const { person, browser, passkey } = await withPasskey(it);
  const silent = new SoftPasskey(ORIGIN);
  silent.counter = 0;
  expect(await add(browser, silent, '')).toMatchObject({ status: 303 });
  const enter = async (by: SoftPasskey) => {
    const half = await halfWay(it);
    return give(half.browser, half.asked.kept, by.get(half.asked.options));
  };
  expect(await enter(passkey)).toMatchObject({ status: 303 });

  for (const counter of [2, 1, 0]) {
    passkey.counter = counter;
    expect(await enter(passkey)).toMatchObject({ status: 401 });
  }
  passkey.counter = 9;
  expect(await enter(passkey)).toMatchObject({ status: 303 });
  for (let n = 0; n < 2; n += 1) expect(await enter(silent)).toMatchObject({ status: 303 });

  expect((await actsOf(it.bridge, person)).filter(({ act }) => act === 'person.passkey-refused')).toHaveLength(3);
});

test('who is asked again may use it instead of password or code, with a PIN or a finger', async () => {
  await using it = await begin();
  const { browser, passkey } = await withPasskey(it);
  const people = '/console/people';
  const ask = async (path: string, fields: Record<string, string>) => {
    await it.bridge.pool.query(LATER);
    const asked = await browser.post(path, fields);
    expect(asked).toMatchObject({ status: 403 });
    return { sent: formOf(asked.text, path)['sent-before']?.[0] ?? '', ...askedOn(asked.text, path) };
  };
  const NEW = { email: 'ivan@shop.example', name: 'Ivan', lang: 'bg', role: 'viewer' };

  const { sent, kept, options } = await ask(people, NEW);
  expect(options).toMatchObject({ userVerification: 'required' });
  passkey.isVerified = false;
  const press = (answer: string) => browser.post(people, { 'sent-before': sent, 'passkey-kept': kept, passkey: answer });
  const refused = await press(passkey.get(options));
  expect(refused).toMatchObject({ status: 401 });
  expect(refused.text).toContain('This code or passkey is not right');
  passkey.isVerified = true;
  expect(await press(passkey.get(options))).toMatchObject({ status: 200 });

  const codes = '/console/account/factor/codes';
  const again = await ask(codes, {});
  const done = await browser.post(codes, { 'sent-before': again.sent, 'passkey-kept': again.kept, passkey: passkey.get(again.options) });
  expect(done).toMatchObject({ status: 200 });
});

test('it goes with the second step, and nobody has one without; one that is removed opens nothing', async () => {
  await using it = await begin();
  const { browser, passkey } = await withPasskey(it);
  const { passkey: foreign, person: other } = await withPasskey(it, 'other@shop.example');
  const account = askedOn((await browser.get('/console/account')).text, ADD);
  expect(await browser.post(`${ADD}/remove`, { id: foreign.id })).toMatchObject({ status: 404 });

  const half = await halfWay(it);
  expect(await browser.post(`${ADD}/remove`, { id: passkey.id })).toMatchObject({ location: '/console/account?done=passkey-removed' });
  expect(await give(half.browser, half.asked.kept, passkey.get(half.asked.options))).toMatchObject({ status: 401 });
  expect((await (await halfWay(it)).browser.get(STEP)).text).not.toContain('data-passkey');

  expect(await browser.post('/console/account/factor/end')).toMatchObject({ location: '/console/account?done=factor-ended' });
  expect(await browser.post(ADD, { 'passkey-kept': account.kept, passkey: passkey.create(account.options) })).toMatchObject({ status: 422 });
  expect((await browser.get('/console/account')).text).not.toContain('data-passkey');
  await resetFactor(it.bridge, other, BY_TEST);
  expect(await it.bridge.pool.query('select from passkeys')).toMatchObject({ rowCount: 0 });
});

test('a passkey is added once, by the challenge of the session that got it, at this address', async () => {
  await using it = await begin();
  const { browser } = await withFactor(it);
  const other = await withFactor(it, 'other@shop.example');
  const passkey = new SoftPasskey(ORIGIN);
  const { options, kept } = askedOn((await browser.get('/console/account')).text, ADD);
  const answer = { 'passkey-kept': kept, passkey: passkey.create(options), name: 'Key' };

  expect(await other.browser.post(ADD, answer)).toMatchObject({ status: 422 });
  const both = await Promise.all([browser.post(ADD, answer), browser.post(ADD, answer)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([303, 422]);
  // The same key again, by a challenge of its own.
  expect(await add(browser, passkey)).toMatchObject({ status: 422 });
  expect(await add(browser, new SoftPasskey('https://evil.example'))).toMatchObject({ status: 422 });
});

test.each(['http://console.example', 'https://192.0.2.7', null])('browsers make none for %s', async (publicUrl) => {
  await using it = await world({ config: { publicUrl, trustProxy: ['loopback'] } });
  const { browser } = await withFactor(it);
  expect((await browser.get('/console/account')).text).not.toContain('data-passkey');
  expect(await browser.post(ADD, { 'passkey-kept': 'x', passkey: '{}' })).toMatchObject({ status: 422 });
});

test('resets, disabling and removal while sign-ins are under way: none that began before is left', async () => {
  await using it = await begin();
  const { core } = it.bridge.app;
  await withPassword(it.bridge, 'other-owner@shop.example', { role: 'owner' });
  const entry = { url: ORIGIN, isFactorRequired: false, now: () => new Date() };
  const endings = {
    reset: (id: string) => resetFactor(core, { id }, BY_TEST),
    password: async (id: string) => void (await resetPassword(core, { id, isDisabled: false }, BY_TEST)),
    disabled: (id: string) => setDisabled(core, { id }, { isDisabled: true, ...BY_TEST }),
  };
  for (let round = 0; round < runs(3, 60); round += 1) {
    const { person, passkey } = await withPasskey(it, `round-${round}@shop.example`);
    const halves = await Promise.all([1, 2, 3].map(() => halfWay(it, person.email)));
    const signIns = halves.map(async ({ browser, asked }) => {
      const half = /orderbridge-half=([\w-]+)/.exec(browser.cookie)?.[1] ?? '';
      const known = await halfSignedIn(core, half);
      if (known === null) return null;
      const given = { kept: asked.kept, answer: passkey.get(asked.options), bound: half, isVerified: false };
      return signInByFactor({ ...core, ...entry }, { half, person: known, given, agent: 'test' });
    });
    const end = Object.values(endings)[round % 3];
    const [, ...made] = await Promise.all([end?.(person.id), ...signIns]);

    const live = await Promise.all(made.map((one) => (one == null ? null : signedInBy(core, one.token))));
    expect(live.filter((one) => one !== null)).toEqual([]);
  }
});
