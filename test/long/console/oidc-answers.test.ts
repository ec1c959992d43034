import { afterAll, beforeAll, expect, test } from 'vitest';
import { listPeople } from '../../../src/operations/people/people.ts';
import { createLog } from '../../../src/platform/log.ts';
import { claimsOf, comeBy, guest, oidcConfig, PUBLIC_URL, startIssuer, wayBack } from '../../support/console/oidc-world.ts';
import type { OidcIssuer } from '../../support/servers/oidc-issuer.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

// What comes back must be what was asked for.
const world = useSharedWorlds();
let issuer: OidcIssuer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer?.[Symbol.asyncDispose]());

const lines: Record<string, unknown>[] = [];
const log = createLog({ level: 'info', name: 'test', destination: { write: (line) => lines.push(JSON.parse(line)) } });
const codes = () => lines.splice(0).flatMap(({ event, why }) => (event === 'console.refused' ? [String(why).replace('oidc: ', '')] : []));

test('token, state and cookie; each refusal says how to go on, lets nobody in, and is logged without whom', async () => {
  await using it = await world({ log, config: { publicUrl: PUBLIC_URL, oidc: oidcConfig(issuer), trustProxy: ['loopback'] } });
  issuer.user = claimsOf('maria', ['ops-admins']);
  const now = Math.floor(Date.now() / 1000);
  const tampered = { nonce: { nonce: 'x'.repeat(43) }, issuer: { iss: 'https://evil.example' }, audience: { aud: 'another' }, expired: { exp: now - 600 } };
  for (const [name, change] of Object.entries(tampered)) {
    issuer.faults = { token: (claims) => ({ ...claims, ...change }) };
    expect({ name, ...(await comeBy(guest(it), issuer)) }).toMatchObject({ name, status: 400, setCookies: [expect.stringContaining('Max-Age=0')] });
  }
  issuer.faults = { token: ({ nonce: _none, ...claims }) => claims };
  expect(await comeBy(guest(it), issuer)).toMatchObject({ status: 400 });
  for (const faults of [{ isForged: true }, { alg: 'none' }, { alg: 'HS256' }] as const) {
    issuer.faults = faults;
    expect({ faults, ...(await comeBy(guest(it), issuer)) }).toMatchObject({ faults, status: 400 });
  }
  // A clock that is a little ahead is none.
  issuer.faults = { token: (claims) => ({ ...claims, iat: now + 30, exp: now - 30 }) };
  expect(await comeBy(guest(it), issuer)).toMatchObject({ status: 303 });
  issuer.faults = {};

  const another = await wayBack(guest(it), issuer);
  const withoutCookie = await guest(it).get(another);
  expect(withoutCookie).toMatchObject({ status: 400 });
  expect(withoutCookie.text).toContain('Begin again');
  const foreign = guest(it);
  await wayBack(foreign, issuer);
  expect(await foreign.get(another)).toMatchObject({ status: 400 });
  const made = guest(it, { cookie: 'orderbridge-oidc=made-up' });
  expect(await made.get(another)).toMatchObject({ status: 400 });
  for (const query of ['', '?code=x', '?state=%3Cscript%3E&code=x', '?code=a&code=b', '?error=access_denied&state=wrong']) {
    const odd = guest(it);
    await wayBack(odd, issuer);
    expect(await odd.get(`/console/oidc/callback${query}`)).toMatchObject({ status: 400 });
  }
  expect(new Set(codes())).toEqual(new Set(['OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED', 'OAUTH_INVALID_RESPONSE', 'no passage']));
  expect(await listPeople(it.bridge.app.core)).toHaveLength(1);
});

test('who is asked again is not believed without a time at which they signed in there, nor by one long ago', async () => {
  await using it = await world({ log, config: { publicUrl: PUBLIC_URL, oidc: oidcConfig(issuer), trustProxy: ['loopback'] } });
  issuer.user = claimsOf('maria', ['ops-admins']);
  const browser = guest(it);
  await comeBy(browser, issuer);
  await it.bridge.pool.query(`update sessions set confirmed_at = now() - interval '11 minutes'`);
  const add = () => browser.post('/console/people', { email: 'new@shop.example', role: 'viewer', lang: 'en' });
  const now = Math.floor(Date.now() / 1000);
  for (const change of [{ auth_time: undefined }, { auth_time: now - 3_600 }, { auth_time: 'now' }]) {
    issuer.faults = { token: (claims) => ({ ...claims, ...change }) as typeof claims };
    expect({ change, ...(await comeBy(browser, issuer, { again: true })) }).toMatchObject({ change, status: 400 });
    expect(await add()).toMatchObject({ status: 403 });
  }
  issuer.faults = { token: (claims) => ({ ...claims, auth_time: now }) };

  expect(await comeBy(browser, issuer, { again: true })).toMatchObject({ status: 303 });
  expect(await add()).toMatchObject({ status: 200 });
  issuer.faults = {};
});

test('where a second step is required, whom the provider vouches for needs none here', async () => {
  await using it = await world({ config: { publicUrl: PUBLIC_URL, oidc: oidcConfig(issuer), trustProxy: ['loopback'], secondFactor: 'required' } });
  issuer.user = claimsOf('maria', ['ops-admins']);
  const browser = guest(it);

  expect(await comeBy(browser, issuer)).toMatchObject({ status: 303, location: '/console' });
  expect(await it.bridge.pool.query('select from people where factor_due_at is not null')).toMatchObject({ rowCount: 0 });
  expect(await browser.get('/console')).toMatchObject({ status: 200 });
});

test('a callback works once, with its cookie, too; a consent that was declined; a wrong secret', async () => {
  await using it = await world({ log, config: { publicUrl: PUBLIC_URL, oidc: oidcConfig(issuer), trustProxy: ['loopback'] } });
  issuer.user = claimsOf('maria', ['ops-admins']);
  lines.splice(0);
  const browser = guest(it);
  const path = await wayBack(browser, issuer);
  const { cookie } = browser;
  expect(await browser.get(path)).toMatchObject({ status: 303 });
  expect(browser.cookie).not.toContain('oidc');
  expect(await guest(it, { cookie }).get(path)).toMatchObject({ status: 400 });

  const declined = await comeBy(guest(it), issuer, { answer: 'decline' });
  expect(declined).toMatchObject({ status: 403 });
  expect(declined.text).not.toMatch(/script>alert|maria/);
  expect(codes()).toEqual(['invalid_grant', 'access_denied']);
  expect(JSON.stringify(lines)).not.toContain('maria');
});

test('five tries a minute may go wrong; those that succeed cost none', async () => {
  await using it = await world({ config: { publicUrl: PUBLIC_URL, oidc: oidcConfig(issuer), trustProxy: ['loopback'] } });
  issuer.user = claimsOf('maria', ['ops']);
  const headers = { 'x-forwarded-for': '198.51.100.9' };
  for (let n = 0; n < 7; n += 1) expect(await comeBy(guest(it, headers), issuer)).toMatchObject({ status: 303 });
  const answers = [];
  for (let n = 0; n < 7; n += 1) answers.push(await guest(it, headers).get('/console/oidc/callback?code=x&state=y'));
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 429, 429]);
  expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
});
