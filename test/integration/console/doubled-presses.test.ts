import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { liveLinks } from '../../../src/bridge/ledger/invitations/invitation-store.ts';
import { openLinks } from '../../../src/bridge/ledger/people/link-store.ts';
import { passwordLink, signInLink } from '../../../src/operations/people/links.ts';
import { addPerson, listPeople, resetPassword, setDisabled } from '../../../src/operations/people/people.ts';
import { resetFactor } from '../../../src/operations/people/second-factor.ts';
import { type Person, sessionsOf } from '../../../src/operations/people/sessions.ts';
import { readOne, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { hashOf } from '../../../src/platform/token-hash.ts';
import { plainCode } from '../../../src/platform/typed-code.ts';
import { startedMerchant } from '../../support/connect/started-merchant.ts';
import { Authenticator, codesOn } from '../../support/console/authenticator.ts';
import { BY_TEST, codeOf, PASSWORD } from '../../support/console/chosen-password.ts';
import { type Answer, EnteringBrowser } from '../../support/console/entering-browser.ts';
import { formOf } from '../../support/console/form-of.ts';
import { drawn, runs, SEED } from '../../support/run-size.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const ROUNDS = runs(1, 12);
const NEXT = 'another four words 8';
const FACTOR = '/console/account/factor';

let it: World;
beforeAll(async () => {
  it = await world({ config: { trustProxy: ['loopback'] } });
  await somebody();
});
afterAll(() => it[Symbol.asyncDispose]());

let guests = 0;
let random = SEED;

function below(most: number): number {
  random = (random * 48_271 + 11) % 2_147_483_647;
  return random % most;
}

/** Of a network of its own, so that tries are its own; `cookie`: of a browser that keeps nothing new. */
function guest(cookie?: string): EnteringBrowser {
  guests += 1;
  const from = `192.0.${2 + Math.floor(guests / 250)}.${1 + (guests % 250)}`;
  return new EnteringBrowser(it.bridge.app.url, { 'x-forwarded-for': from, ...(cookie === undefined ? {} : { cookie }) });
}

type Somebody = { person: Person; browser: EnteringBrowser; app: Authenticator | null };

/** An owner who is signed in. */
async function somebody({ hasFactor = false } = {}): Promise<Somebody> {
  const { core } = it.bridge.app;
  const { person, link } = await addPerson(core, { email: `p${guests}@shop.example`, name: '', role: 'owner', shops: null, lang: 'en', ...BY_TEST });
  const browser = guest();
  expect(await browser.post('/console/choose-password', { code: codeOf(link), password: PASSWORD })).toMatchObject({ status: 303 });
  if (!hasFactor) return { person, browser, app: null };
  const app = new Authenticator((await browser.get(FACTOR)).text);
  expect(await browser.post(FACTOR, { kept: app.kept, code: await app.earlierCode() })).toMatchObject({ status: 200 });
  return { person, browser, app };
}

/**
 * What somebody presses. `act`: what the audit log has of it once, or so many times; `of`: of whom, unless of who presses. `stays`: they are signed in
 * afterwards, even if the answer to the first press is lost.
 */
type Press = {
  person: Person;
  browser: EnteringBrowser;
  path: string;
  fields?: Record<string, string | string[]>;
  act: string;
  of?: string;
  most?: number;
  stays: boolean;
  /** What else is so afterwards. */
  also?(answers: readonly Answer[]): Promise<void>;
};

/** A form about another person, as its page has it. */
async function about(verb: string, act: string, more: { hasFactor?: boolean; also?(person: Person): Promise<void> } = {}): Promise<Press> {
  const [{ person, browser }, other] = [await somebody(), await somebody(more)];
  const page = `/console/people/${other.person.id}`;
  if (verb === '/enable') await setDisabled(it.bridge.app.core, other.person, { isDisabled: true, ...BY_TEST });
  const form = formOf((await browser.get(page)).text, `${page}${verb}`);
  const also = async () => more.also?.(other.person);
  return { person, browser, path: `${page}${verb}`, fields: { ...form, role: 'viewer' }, act, of: other.person.id, stays: true, also };
}

async function aboutInvitation(verb: string, act: string, left: number): Promise<Press> {
  const { person, browser } = await somebody();
  const { core } = it.bridge.app;
  const { id } = await startedMerchant(it.bridge, { connect: { name: `store ${guests}` } });
  const page = '/console/stores/invitations';
  await browser.post(`${page}/${id}/link`, formOf((await browser.get(page)).text, `${page}/${id}/link`));
  const fields = formOf((await browser.get(page)).text, `${page}/${id}/${verb}`);
  const also = async () => expect(await liveLinks(core.pool, [id])).toHaveLength(left);
  return { person, browser, path: `${page}/${id}/${verb}`, fields, act, of: id, stays: true, also, ...(verb === 'link' ? { most: 2 } : {}) };
}

/** The same, sent from the page in which its person is asked again. */
async function askedAgain(press: Press, given: Record<string, string>): Promise<Press> {
  const { browser, path, fields = {}, person } = press;
  const long = `now() - interval '11 minutes'`;
  await it.bridge.pool.query(`update sessions set confirmed_at = ${long}, factor_at = ${long} where person = $1`, [person.id]);
  const { text, status } = await browser.post(path, fields);
  expect(status).toBe(403);
  return { ...press, fields: { 'sent-before': formOf(text, path)['sent-before']?.[0] ?? '', ...given } };
}

async function halfWay(hasFactor: boolean): Promise<Somebody> {
  const { person, app } = await somebody({ hasFactor });
  const browser = guest();
  await browser.post('/console/sign-in', { email: person.email, password: PASSWORD });
  return { person, browser, app };
}

async function newPerson({ person, browser }: Somebody): Promise<Press> {
  const email = `new-${guests}@shop.example`;
  const fields = { email, name: '', lang: 'en', role: 'viewer' };
  const also = async () => expect((await listPeople(it.bridge.app.core)).filter((one) => one.email === email).length).toBeLessThan(2);
  return { person, browser, path: '/console/people', fields, act: 'person.added', of: 'anybody', stays: true, also };
}

const codesLeft = rowsOf('people', z.object({ codes: z.array(z.instanceof(Buffer)) }));

async function newCodes({ person, browser }: Somebody): Promise<Press> {
  const also = async (answers: readonly Answer[]) => {
    const { codes } = await readOne(it.bridge.pool, codesLeft, { text: 'select recovery_codes as codes from people where id = $1', values: [person.id] });
    expect(codes).toHaveLength(10);
    // A page shows those that count.
    const shown = answers.map(({ text }) => codesOn(text).map((code) => hashOf(plainCode(code)).toString('hex')));
    expect(shown).toContainEqual(codes.map((code) => code.toString('hex')));
  };
  return { person, browser, path: `${FACTOR}/codes`, act: 'person.codes-made', most: 2, stays: true, also };
}

const onlyLink = async ({ id }: Person) => expect((await openLinks(it.bridge.pool)).filter(({ person }) => person === id)).toHaveLength(1);

/** Every form that changes sessions, links, second steps or codes of people of the console, and their invitations of merchants. */
const presses: Readonly<Record<string, () => Promise<Press>>> = {
  // Each press opens a session, and the browser keeps one.
  'a password signs in': async () => {
    const { person } = await somebody();
    const fields = { email: person.email, password: PASSWORD };
    return { person, browser: guest(), path: '/console/sign-in', fields, act: 'person.signed-in', most: 2, stays: true };
  },
  'a mailed link signs in': async () => {
    const { person } = await somebody();
    const link = await signInLink(it.bridge.app.core, { email: person.email, to: '/' });
    return { person, browser: guest(), path: '/console/enter', fields: { code: codeOf(link?.path ?? ''), to: '/' }, act: 'person.signed-in', stays: false };
  },
  'a code signs in': async () => {
    const { person, browser, app } = await halfWay(true);
    return { person, browser, path: '/console/second-step', fields: { code: app?.code() ?? '' }, act: 'person.signed-in', stays: false };
  },
  'a link chooses a password': async () => {
    const { person } = await somebody();
    const code = codeOf(await passwordLink(it.bridge.app.core, person));
    return { person, browser: guest(), path: '/console/choose-password', fields: { code, password: NEXT }, act: 'person.password-chosen', stays: false };
  },
  'a password is changed': async () => {
    const { person, browser } = await somebody();
    return { person, browser, path: '/console/account/password', fields: { old: PASSWORD, chosen: NEXT }, act: 'person.password-chosen', stays: true };
  },
  'other sessions end': async () => {
    const { person, browser } = await somebody();
    await guest().post('/console/sign-in', { email: person.email, password: PASSWORD });
    return { person, browser, path: '/console/account/sessions', fields: { which: 'others' }, act: 'session.ended', stays: true };
  },
  'a second step is set up': async () => {
    const { person, browser } = await somebody();
    const app = new Authenticator((await browser.get(FACTOR)).text);
    return { person, browser, path: FACTOR, fields: { kept: app.kept, code: await app.earlierCode() }, act: 'person.factor-set', stays: true };
  },
  'recovery codes are made': async () => newCodes(await somebody({ hasFactor: true })),
  'a second step ends': async () => {
    const { person, browser } = await somebody({ hasFactor: true });
    return { person, browser, path: `${FACTOR}/end`, act: 'person.factor-ended', stays: true };
  },
  'a person is added': async () => newPerson(await somebody()),
  'a role is changed': () => about('', 'person.changed'),
  'a person is disabled': () => about('/disable', 'person.disabled'),
  'a person is enabled': () => about('/enable', 'person.enabled'),
  'a password is reset': async () => ({ ...(await about('/reset', 'person.reset', { also: onlyLink })), most: 2 }),
  'a second step is reset': () => about('/reset-factor', 'person.factor-reset', { hasFactor: true }),
  'sessions of another end': () => about('/end-sessions', 'session.ended'),
  'a merchant’s link is made anew': () => aboutInvitation('link', 'invitation.renewed', 1),
  'a merchant’s link ends': () => aboutInvitation('end-status', 'link.ended', 0),
  'an invitation is revoked': () => aboutInvitation('revoke', 'invitation.revoked', 0),
  'asked again, by a password': async () => askedAgain(await newPerson(await somebody()), { 'confirm-password': PASSWORD }),
  'asked again, by a code': async () => {
    const who = await somebody({ hasFactor: true });
    return askedAgain(await newCodes(who), { code: who.app?.code() ?? '' });
  },
};
/** What the first answer takes along is always tried. */
const names = [...new Set([...drawn(Object.keys(presses), 5), ...Object.keys(presses).slice(-2)])];

const counted = rowsOf('acts', z.object({ count: z.int() }));

async function acts({ act, of, person }: Press): Promise<number> {
  const [text, values] = of === 'anybody' ? ['who = $2', [act, `person:${person.id}`]] : ['subject = $2', [act, of ?? person.id]];
  return (await readOne(it.bridge.pool, counted, { text: `select count(*)::int from acts where act = $1 and ${text}`, values })).count;
}

/** The first press from a copy of the browser, which keeps nothing of the answer. */
function first({ browser, path, fields }: Press): Promise<Answer> {
  return guest(browser.cookie).post(path, fields);
}

async function hasEffect(press: Press, before: number, answers: readonly Answer[]): Promise<void> {
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const count = (await acts(press)) - before;
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(press.most ?? 1);
  await press.also?.(answers);
  if (press.stays) expect(await press.browser.get('/console/account')).toMatchObject({ status: 200 });
}

test.each(names)('%s: pressed twice at once, it is done once, and nobody is signed out', async (name) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const press = await presses[name]?.();
    if (press === undefined) throw new Error('there is no such press');
    const before = await acts(press);
    const [lost, shown] = await Promise.all([first(press), press.browser.post(press.path, press.fields)]);
    await hasEffect(press, before, [lost, shown]);
  }
});

test.each(names)('%s: pressed again when it is done, whose answer is lost, it does no harm, and nobody is signed out', async (name) => {
  const press = await presses[name]?.();
  if (press === undefined) throw new Error('there is no such press');
  const before = await acts(press);
  const lost = await first(press);
  const shown = await press.browser.post(press.path, press.fields);
  await hasEffect(press, before, [lost, shown]);
});

test('signing out, pressed twice, ends the session', async () => {
  const { person, browser } = await somebody();
  const both = await Promise.all([guest(browser.cookie).post('/console/sign-out'), browser.post('/console/sign-out')]);

  expect(both.map(({ status }) => status)).toEqual([303, 303]);
  expect(await sessionsOf(it.bridge.app.core, person)).toEqual([]);
});

test('the token of before opens nothing, neither alone nor with the page of another press', async () => {
  const { browser, ...who } = await somebody();
  const press = await askedAgain(await newPerson({ browser, ...who }), { 'confirm-password': PASSWORD });
  const other = await askedAgain(await newPerson({ browser, ...who }), {});
  const { cookie } = browser;
  expect(await browser.post(press.path, press.fields)).toMatchObject({ status: 200 });

  expect(await guest(cookie).get('/console')).toMatchObject({ status: 303 });
  expect(await guest(cookie).post(other.path, other.fields)).toMatchObject({ status: 303, setCookies: [] });
  const stranger = await somebody();
  expect(await stranger.browser.post(press.path, press.fields)).toMatchObject({ status: 422 });
  // Ten minutes later the page of that press is of no use, either.
  await it.bridge.pool.query(`update sessions set confirmed_at = now() - interval '11 minutes'`);
  expect(await guest(cookie).post(press.path, press.fields)).toMatchObject({ status: 303, setCookies: [] });
});

describe('while an owner shuts out who presses', () => {
  /** True: sessions and links of before have ended, but for a password that counts still. */
  const endings = {
    'a reset': (person: Person) => resetPassword(it.bridge.app.core, person, BY_TEST).then(() => true),
    'a reset of the second step': (person: Person) =>
      resetFactor(it.bridge.app.core, person, BY_TEST).then(
        () => true,
        () => false,
      ),
    'disabling and enabling': async ({ id }: Person) => {
      await setDisabled(it.bridge.app.core, { id }, { isDisabled: true, ...BY_TEST });
      await setDisabled(it.bridge.app.core, { id }, { isDisabled: false, ...BY_TEST });
      return true;
    },
  };
  const ways = Object.keys(endings) as (keyof typeof endings)[];

  test.each(names)('%s: once at most, no session is left of before, and they come in again', async (name) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const press = await presses[name]?.();
      const way = ways[below(ways.length)] ?? 'a reset';
      if (press === undefined) throw new Error('there is no such press');
      const { core } = it.bridge.app;
      const before = await acts(press);
      const ending = sleep(below(60)).then(() => endings[way](press.person));
      const [lost, shown, isOver] = await Promise.all([first(press), press.browser.post(press.path, press.fields), ending]);

      expect([lost, shown].filter(({ status }) => status >= 500)).toEqual([]);
      expect((await acts(press)) - before).toBeLessThanOrEqual(press.most ?? 1);
      if (isOver && press.path !== '/console/sign-in') expect(await sessionsOf(core, press.person)).toEqual([]);
      await resetFactor(core, press.person, BY_TEST).catch(() => undefined);
      const { link } = await resetPassword(core, press.person, BY_TEST);
      const browser = guest();
      expect(await browser.post('/console/choose-password', { code: codeOf(link), password: NEXT })).toMatchObject({ status: 303 });
      expect(await browser.get('/console/account')).toMatchObject({ status: 200 });
    }
  });
});
