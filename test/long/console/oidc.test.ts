import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signInLink } from '../../../src/operations/people/links.ts';
import { addPerson, listPeople, resetPassword, setDisabled } from '../../../src/operations/people/people.ts';
import { Authenticator } from '../../support/console/authenticator.ts';
import { actsOf, BY_TEST, PASSWORD, withPassword } from '../../support/console/chosen-password.ts';
import { claimsOf, comeBy, guest, oidcConfig, PUBLIC_URL, startIssuer, wayBack } from '../../support/console/oidc-world.ts';
import type { OidcIssuer } from '../../support/servers/oidc-issuer.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
let issuer: OidcIssuer;
beforeEach(async () => {
  issuer = await startIssuer();
});
afterEach(() => issuer[Symbol.asyncDispose]());

type Changes = Parameters<typeof oidcConfig>[1];
const begin = (changes?: Changes) => world({ config: { publicUrl: PUBLIC_URL, oidc: oidcConfig(issuer, changes), trustProxy: ['loopback'] } });

const everybody = async ({ bridge }: World) => (await listPeople(bridge.app.core)).map(({ email, role, hasPassword }) => ({ email, role, hasPassword }));

test('whom the issuer knows is let in, with the highest role of their groups, and goes on to where they wanted', async () => {
  await using it = await begin();
  const browser = guest(it, { 'accept-language': 'bg' });
  issuer.user = claimsOf('maria', ['staff', 'ops', 'others']);

  const form = await browser.get('/console/sign-in?to=/console/account');
  expect(form.text).toContain(`href="${PUBLIC_URL}/console/oidc?to=%2Fconsole%2Faccount">Вход с 127.0.0.1:`);
  expect(form.text).not.toContain('people add');
  const answer = await comeBy(browser, issuer, { to: '/console/account' });

  expect(answer).toMatchObject({ status: 303, location: '/console/account' });
  expect(answer.setCookies).toEqual([
    'orderbridge-oidc=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    expect.stringMatching(/^orderbridge=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/),
  ]);
  expect((await browser.get('/console/account')).text).toContain('maria@shop.example');
  expect(issuer.scopes).toEqual(['openid email profile groups']);
  const [person] = await listPeople(it.bridge.app.core);
  expect(person).toMatchObject({
    email: 'maria@shop.example',
    name: 'Мария',
    role: 'operator',
    lang: 'bg',
    shops: null,
    issuer: issuer.url,
    hasPassword: false,
  });
  expect((await actsOf(it.bridge, person ?? { id: '' })).map(({ who, act, after }) => ({ who, act, after }))).toEqual([
    { who: 'orderbridge', act: 'person.added', after: { role: 'operator', shops: null, issuer: issuer.url } },
    { who: `person:${person?.id}`, act: 'person.signed-in', after: { way: 'oidc' } },
  ]);
});

test.each(['cross-site', 'same-site'])('a page elsewhere that sends a browser there (%s) signs nobody in: they press themselves', async (site) => {
  await using it = await begin();

  const answer = await guest(it, { 'sec-fetch-site': site }).get('/console/oidc?to=/console/account');

  expect(answer).toMatchObject({ status: 303, location: '/console/sign-in?to=%2Fconsole%2Faccount', setCookies: [] });
});

test('the role follows the groups at each sign-in, by subject alone; who has none any more is signed out everywhere', async () => {
  await using it = await begin();
  const [first, second] = [guest(it), guest(it)];
  issuer.user = claimsOf('maria', ['ops-admins']);
  await comeBy(first, issuer);
  issuer.user = { ...claimsOf('maria', ['books']), email: 'maria.new@shop.example', name: 'Another' };
  expect(await comeBy(second, issuer)).toMatchObject({ status: 303 });

  // Without the issuer nobody comes in, by a mailed link neither.
  expect(await signInLink(it.bridge.app.core, { email: 'maria.new@shop.example', to: '/console' })).toBeNull();

  const [person] = await listPeople(it.bridge.app.core);
  expect(person).toMatchObject({ email: 'maria.new@shop.example', name: 'Мария', role: 'accountant', sessions: 2 });
  expect(await actsOf(it.bridge, person ?? { id: '' })).toContainEqual(
    expect.objectContaining({ who: 'orderbridge', act: 'person.changed', before: expect.objectContaining({ role: 'owner' }) }),
  );

  issuer.user = claimsOf('maria', ['gardeners']);
  const refused = await comeBy(guest(it), issuer);
  expect(refused).toMatchObject({ status: 403 });
  expect(refused.text).toContain('a group that OIDC_ROLES names');
  expect(refused.text).not.toContain('maria');
  expect(await first.get('/console')).toMatchObject({ status: 303, location: '/console/sign-in?to=%2Fconsole' });
  expect(await second.get('/console')).toMatchObject({ status: 303 });
});

describe('what the claim says', () => {
  test('text, a list within, or an address that is verified; more is asked for where the token does not say it', async () => {
    await using it = await begin({ roleClaim: 'realm_access.roles' });
    issuer.user = { sub: 'a', realm_access: { roles: ['staff'] }, email: 'a@shop.example', email_verified: true };
    expect(await comeBy(guest(it), issuer)).toMatchObject({ status: 303 });
    issuer.user = { sub: 'b' };
    issuer.more = { realm_access: { roles: ['ops'] }, email: 'b@shop.example', email_verified: true };
    expect(await comeBy(guest(it), issuer)).toMatchObject({ status: 303 });
    issuer.more = { realm_access: { roles: 'books' }, email: 'b@shop.example', email_verified: 'true' };
    issuer.user = { sub: 'c', email: 'c@shop.example' };
    expect(await comeBy(guest(it), issuer)).toMatchObject({ status: 303 });

    expect(await everybody(it)).toEqual([
      { email: 'a@shop.example', role: 'viewer', hasPassword: false },
      { email: 'b@shop.example', role: 'operator', hasPassword: false },
      // Verified was another one than the token says.
      { email: 'c@127.0.0.1.invalid', role: 'accountant', hasPassword: false },
    ]);
  });

  test('an address that nobody has checked gives no role, and is nobody’s', async () => {
    await using it = await begin({ roleClaim: 'email', roles: [{ role: 'owner', value: 'boss@shop.example' }] });
    issuer.user = { sub: 'evil', email: 'boss@shop.example', email_verified: false };
    expect(await comeBy(guest(it), issuer)).toMatchObject({ status: 403 });
    issuer.user = { sub: 'boss', email: 'boss@shop.example', email_verified: true };
    expect(await comeBy(guest(it), issuer)).toMatchObject({ status: 303 });
    expect(await everybody(it)).toEqual([{ email: 'boss@shop.example', role: 'owner', hasPassword: false }]);
  });
});

test('who signs in here with a password is not taken over, until an owner resets them; an unverified address never is theirs', async () => {
  await using it = await begin();
  const { core } = it.bridge.app;
  const { person, browser } = await withPassword(it.bridge, 'maria@shop.example', { role: 'owner' });
  issuer.user = claimsOf('maria', ['staff']);

  const refused = await comeBy(guest(it), issuer);
  expect(refused).toMatchObject({ status: 409, setCookies: [expect.stringContaining('Max-Age=0')] });
  expect(refused.text).toContain('already signs in here in another way');
  expect(await browser.get('/console')).toMatchObject({ status: 200 });
  issuer.user = claimsOf('maria', ['ops-admins'], { email_verified: false });
  await comeBy(guest(it), issuer);
  expect(await everybody(it)).toEqual([
    { email: 'maria@127.0.0.1.invalid', role: 'owner', hasPassword: false },
    { email: 'maria@shop.example', role: 'owner', hasPassword: true },
  ]);

  const app = new Authenticator((await browser.get('/console/account/factor')).text);
  expect(await browser.post('/console/account/factor', { kept: app.kept, code: app.code() })).toMatchObject({ status: 200 });
  const { link } = await resetPassword(core, person, BY_TEST);
  issuer.user = claimsOf('the-same-maria', ['ops'], { email: 'Maria@shop.example' });
  expect(await comeBy(guest(it), issuer)).toMatchObject({ status: 303 });
  const bound = (await listPeople(core)).find(({ id }) => id === person.id);
  expect(bound).toMatchObject({ role: 'operator', issuer: issuer.url, linkUntil: null, hasFactor: false });
  expect(await guest(it).get(link)).toMatchObject({ status: 410 });
  expect((await actsOf(it.bridge, person)).map(({ act }) => act)).toContain('person.bound');
});

test('who was added by their address comes in as that person; who is disabled stays out, whatever the issuer says', async () => {
  await using it = await begin();
  const { core } = it.bridge.app;
  const { person } = await addPerson(core, { email: 'ivan@shop.example', name: 'Иван', role: 'viewer', shops: null, lang: 'bg', ...BY_TEST });
  issuer.user = claimsOf('ivan', ['ops']);
  expect(await comeBy(guest(it), issuer)).toMatchObject({ status: 303 });
  expect(await listPeople(core)).toMatchObject([{ id: person.id, name: 'Иван', role: 'operator', lang: 'bg' }]);

  issuer.user = claimsOf('new', ['staff']);
  const [one, two] = [guest(it), guest(it)];
  const ways = [await wayBack(one, issuer), await wayBack(two, issuer)];
  expect((await Promise.all([one.get(ways[0] ?? ''), two.get(ways[1] ?? '')])).map(({ status }) => status)).toEqual([303, 303]);
  expect(await listPeople(core)).toHaveLength(2);

  issuer.user = claimsOf('ivan', ['ops']);
  await setDisabled(core, person, { isDisabled: true, ...BY_TEST });
  const refused = await comeBy(guest(it), issuer);
  expect(refused).toMatchObject({ status: 403 });
  expect(refused.text).toContain('Your access was revoked');
});

test('an issuer that is down is said so, the password still lets in, and once it is back so does it', async () => {
  await using it = await begin();
  await withPassword(it.bridge, 'local@shop.example');
  issuer.user = claimsOf('maria', ['ops']);
  issuer.faults = { isDown: true };

  const away = await guest(it).get('/console/oidc');
  expect(away).toMatchObject({ status: 503 });
  expect(away.text).toMatch(/127\.0\.0\.1:\d+ does not answer.*href="\/console\/sign-in"/s);
  expect(await guest(it).get('/console/sign-in')).toMatchObject({ status: 200 });
  expect(await guest(it).post('/console/sign-in', { email: 'local@shop.example', password: PASSWORD })).toMatchObject({ status: 303 });

  issuer.faults = {};
  const browser = guest(it);
  const path = await wayBack(browser, issuer);
  issuer.faults = { isDown: true };
  expect(await browser.get(path)).toMatchObject({ status: 503 });
  issuer.faults = {};
  expect(await comeBy(guest(it), issuer)).toMatchObject({ status: 303 });
});

test('nobody is led out of the console, and where no issuer is configured there is no such page', async () => {
  await using it = await begin();
  issuer.user = claimsOf('maria', ['ops']);
  for (const to of ['https://evil.example/', '//evil.example', '/\\evil.example', '/console/../admin', 'javascript:alert(1)']) {
    expect(await comeBy(guest(it), issuer, { to })).toMatchObject({ status: 303, location: '/console' });
  }
  const form = await guest(it).get(`/console/sign-in?to=${encodeURIComponent('"><script>alert(1)</script>')}`);
  expect(form.text).not.toContain('<script>alert');
  expect(await guest(it).post('/console/oidc')).toMatchObject({ status: 405 });
  await using plain = await world();
  expect(await guest(plain).get('/console/oidc')).toMatchObject({ status: 404 });
  expect((await guest(plain).get('/console/sign-in')).text).not.toContain('oidc');
});

test('who comes by the provider gives themselves no password, which would outlive their role there', async () => {
  await using it = await begin();
  const browser = guest(it);
  issuer.user = claimsOf('maria', ['ops']);
  await comeBy(browser, issuer);

  const page = (await browser.get('/console/account')).text;
  const answer = await browser.post('/console/account/password', { chosen: PASSWORD });

  expect(page).not.toContain('/console/account/password');
  expect(page).toContain('so you have no password here');
  expect(answer).toMatchObject({ status: 409, text: expect.stringContaining('an owner gives you a way in of your own') });
  expect(await everybody(it)).toMatchObject([{ hasPassword: false }]);
});
