import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Secret } from '../../../src/config/secret.ts';
import { addPerson, listPeople } from '../../../src/operations/people/people.ts';
import { BY_TEST, withPassword } from '../../support/console/chosen-password.ts';
import type { EnteringBrowser } from '../../support/console/entering-browser.ts';
import { CALLBACK, claimsOf, guest, oidcConfig, PUBLIC_URL } from '../../support/console/oidc-world.ts';
import { OTHER_CLIENT, ProviderBrowser, type RealProvider, startRealProvider } from '../../support/servers/real-provider.ts';
import { startSmtp } from '../../support/servers/smtp-server.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

// A provider that was certified, and that nobody here wrote.
const world = useSharedWorlds();
let provider: RealProvider;
beforeAll(async () => {
  provider = await startRealProvider({ redirectUri: `${PUBLIC_URL}${CALLBACK}` });
});
afterEach(() => {
  provider.replaced = null;
  vi.useRealTimers();
});
afterAll(() => provider?.[Symbol.asyncDispose]());

const begin = (more: Parameters<typeof oidcConfig>[1] = {}) =>
  world({ config: { publicUrl: PUBLIC_URL, oidc: oidcConfig(provider, more), trustProxy: ['loopback'] } });

/** Somebody before two pages: ours and the provider's. */
function somebody(it: World, name: string, groups: string[]) {
  const { sub: _none, ...claims } = claimsOf(name, groups);
  provider.people.set(name, claims);
  return { here: guest(it), there: new ProviderBrowser(name) };
}

type Somebody = ReturnType<typeof somebody>;

/** The path to which the provider sends them back. */
async function wayBack({ here, there }: Somebody, query = 'to='): Promise<string> {
  const begun = await here.get(`/console/oidc?${query}`);
  if (begun.location === null) throw new Error(`nothing is begun: ${begun.status}`);
  const { pathname, search } = new URL(await there.visit(begun.location));
  return `${pathname}${search}`;
}

const come = async (one: Somebody, query?: string) => one.here.get(await wayBack(one, query));
const isIn = async (browser: EnteringBrowser) => (await browser.get('/console')).status === 200;

/** Of the clock of this process, which is the provider's and the console's. */
function later(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
}

test('by code, with what the provider says of them at its own endpoint', async () => {
  await using it = await begin();
  const maria = somebody(it, 'maria', ['ops']);

  expect(await come(maria, 'to=/console/account')).toMatchObject({ status: 303, location: '/console/account' });

  expect(maria.there.asked).toEqual(['login', 'consent']);
  expect(await listPeople(it.bridge.app.core)).toMatchObject([{ email: 'maria@shop.example', name: 'Мария', role: 'operator', issuer: provider.url }]);
  expect(await isIn(maria.here)).toBe(true);
});

test('a code counts once, and only with the verifier of the browser that asked for it', async () => {
  await using it = await begin();
  const maria = somebody(it, 'maria', ['ops']);
  const other = somebody(it, 'other', ['ops']);
  const [path, own] = [await wayBack(maria), await wayBack(other)];
  const code = (of: string) => new URLSearchParams(of.slice(of.indexOf('?'))).get('code') ?? '';

  expect(await other.here.get(own.replace(code(own), code(path)))).toMatchObject({ status: 400 });
  expect(await listPeople(it.bridge.app.core)).toEqual([]);
  const fresh = await wayBack(maria);
  const { cookie } = maria.here;
  expect(await maria.here.get(fresh)).toMatchObject({ status: 303 });
  expect(await guest(it, { cookie }).get(fresh)).toMatchObject({ status: 400 });
});

test('an identity token of another sign-in, client or provider lets nobody in', async () => {
  await using it = await begin();
  const evil = somebody(it, 'evil', ['ops-admins']);
  const refused = async (token: string) => {
    provider.replaced = () => token;
    expect(await come(evil)).toMatchObject({ status: 400 });
    provider.replaced = null;
  };
  await wayBack(evil).then((path) => guest(it).get(path));

  // Its nonce is that of another one.
  const owner = somebody(it, 'owner', ['ops-admins']);
  expect(await come(owner)).toMatchObject({ status: 303 });
  await refused(provider.token());
  // Its audience is another program.
  await using elsewhere = await world({ config: { publicUrl: PUBLIC_URL, oidc: oidcConfig(provider, other), trustProxy: ['loopback'] } });
  expect(await come(somebody(elsewhere, 'owner', ['ops-admins']))).toMatchObject({ status: 303 });
  await refused(provider.token());
  // Its issuer is another provider, whose keys are others.
  await using foreign = await startRealProvider({ redirectUri: `${PUBLIC_URL}${CALLBACK}` });
  foreign.people.set('owner', claimsOf('owner', ['ops-admins']));
  await using strange = await world({ config: { publicUrl: PUBLIC_URL, oidc: oidcConfig(foreign), trustProxy: ['loopback'] } });
  expect(await come({ here: guest(strange), there: new ProviderBrowser('owner') })).toMatchObject({ status: 303 });
  await refused(foreign.token());

  expect((await listPeople(it.bridge.app.core)).map(({ email }) => email)).toEqual(['owner@shop.example']);
});

const other = { clientId: OTHER_CLIENT.id, clientSecret: new Secret(OTHER_CLIENT.secret) };

test('an issuer that names itself otherwise, and a wrong secret, are said to be refused or down, and let nobody in', async () => {
  await using named = await begin({ issuer: provider.url.replace('127.0.0.1', 'localhost') });
  expect((await guest(named).get('/console/oidc')).status).toBeGreaterThanOrEqual(400);
  await using it = await begin({ clientSecret: new Secret('not the right one') });
  expect(await come(somebody(it, 'maria', ['ops']))).toMatchObject({ status: 400 });
  expect(await listPeople(it.bridge.app.core)).toEqual([]);
});

test('the provider changes its key: of those who come then one begins again, and nobody waits', async () => {
  await using it = await begin();
  const maria = somebody(it, 'maria', ['ops']);
  expect(await come(maria)).toMatchObject({ status: 303 });

  await provider.changeKey();

  expect(await come(maria)).toMatchObject({ status: 400 });
  expect(await come(maria)).toMatchObject({ status: 303 });
  expect(await isIn(maria.here)).toBe(true);
});

test('signing out here ends the session here; at the provider, the next one asks for the password', async () => {
  await using it = await begin();
  const maria = somebody(it, 'maria', ['ops']);
  await come(maria);

  await maria.here.post('/console/sign-out');
  expect(await isIn(maria.here)).toBe(false);
  maria.there.asked = [];
  await come(maria);
  expect([maria.there.asked, await isIn(maria.here)]).toEqual([[], true]);

  await maria.there.signOut(provider.url);
  expect(await isIn(maria.here)).toBe(true);
  await come(maria);
  expect(maria.there.asked[0]).toBe('login');
});

test('who is asked again gives their password to the provider, unless they did within the last minute', async () => {
  await using it = await begin();
  const maria = somebody(it, 'maria', ['ops-admins']);
  await come(maria);
  const ago = `update sessions set confirmed_at = now() - interval '11 minutes'`;
  await it.bridge.pool.query(ago);
  const add = () => maria.here.post('/console/people', { email: 'new@shop.example', role: 'viewer', lang: 'en' });

  const asked = await add();
  expect(asked).toMatchObject({ status: 403 });
  expect(asked.text).toContain('/console/oidc?again=1');
  maria.there.asked = [];
  later(70);
  expect(await come(maria, 'again=1')).toMatchObject({ status: 303 });
  expect(maria.there.asked[0]).toBe('login');
  vi.useRealTimers();
  expect(await add()).toMatchObject({ status: 200 });
});

test('owners are mailed of an owner whom the provider makes, lets in or raises', async () => {
  await using smtp = await startSmtp();
  const mail = { smtpUrl: new Secret(smtp.url), from: 'orderbridge@shop.example' };
  await using it = await world({ config: { publicUrl: PUBLIC_URL, oidc: oidcConfig(provider), trustProxy: ['loopback'], mail } });
  await withPassword(it.bridge, 'first@shop.example', { role: 'owner' });
  await addPerson(it.bridge.app.core, { email: 'added@shop.example', name: '', role: 'owner', shops: null, lang: 'en', ...BY_TEST });
  const told = () => smtp.taken.filter(({ to, text }) => to.includes('first@shop.example') && text.includes('because you are an owner'));
  await until(() => told().length === 2, { what: 'the mails of who was added here' });

  await come(somebody(it, 'made', ['ops-admins']));
  await come(somebody(it, 'added', ['ops-admins']));
  await come(somebody(it, 'raised', ['staff']));
  await come(somebody(it, 'raised', ['ops-admins']));
  await come(somebody(it, 'viewer', ['staff']));

  await until(() => told().length === 5, { what: 'the mails of who came by the provider' });
  const texts = told()
    .slice(2)
    .map(({ text }) => text.replaceAll('=\r\n', ''));
  expect(texts.map((text) => /(\w+)@shop\.example may sign in as an owner/.exec(text)?.[1]).toSorted()).toEqual(['added', 'made', 'raised']);
  expect(texts.every((text) => text.includes('By: the identity provider'))).toBe(true);
});
