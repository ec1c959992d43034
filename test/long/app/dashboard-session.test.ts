import { expect, test } from 'vitest';
import { Secret } from '../../../src/config/secret.ts';
import { endSessionsOf } from '../../../src/operations/people/sessions.ts';
import { BY_TEST } from '../../support/console/chosen-password.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const TOKEN = 'a-token-of-21-letters';
const BASIC = { authorization: `Basic ${Buffer.from(`any:${TOKEN}`).toString('base64')}` };
const PAGE = { accept: 'text/html,application/xhtml+xml' };

const ask = (url: string, headers: Record<string, string> = {}, method = 'GET') => fetch(url, { headers, method, redirect: 'manual' });

test('owners and operators who are signed in see the queues without ADMIN_TOKEN; they only see them', async () => {
  await using it = await world();
  const { url } = it.bridge.app;
  for (const role of ['owner', 'operator'] as const) {
    const { cookie, get } = await signIn(it.bridge, { role });
    const page = await ask(`${url}/admin/queues/`, { ...PAGE, cookie });
    expect([role, page.status, page.headers.get('content-security-policy')]).toEqual([role, 200, expect.stringContaining("frame-ancestors 'none'")]);
    expect(await (await ask(`${url}/admin/queues/api/queues`, { cookie })).json()).toMatchObject({ queues: expect.any(Array) });
    expect(
      (await ask(`${url}/admin/queues/api/queues/pause`, { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }, 'PUT')).status,
    ).toBe(405);
    expect((await ask(`${url}/admin/queues/api/queues`, { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).status).toBe(403);
    expect((await get('/console/live')).text).toContain('href="/admin/queues"');
  }
});

test('others are told who may, and nobody is led to the sign-in', async () => {
  await using it = await world();
  const { app } = it.bridge;
  for (const role of ['viewer', 'accountant'] as const) {
    const { cookie, get } = await signIn(it.bridge, { role, lang: role === 'viewer' ? 'bg' : 'en' });
    const page = await ask(`${app.url}/admin/queues/`, { ...PAGE, cookie });
    expect(page.status).toBe(403);
    expect(await page.text()).toContain(role === 'viewer' ? 'Това може само: собственик, оператор.' : 'Only owner, operator can do this.');
    expect((await get('/console/live')).text).not.toContain('/admin/queues');
  }
  const stranger = await ask(`${app.url}/admin/queues/`, PAGE);
  expect([stranger.status, stranger.headers.get('location'), stranger.headers.get('www-authenticate')]).toEqual([
    ...[303, '/console/sign-in?to=%2Fconsole%2Flive', null],
  ]);
  expect((await ask(`${app.url}/admin/queues/api/queues`, { accept: 'application/json' })).status).toBe(401);
  const { cookie, person } = await signIn(it.bridge, { role: 'operator' });
  await endSessionsOf(app.core, { person: person.id, ...BY_TEST });
  expect((await ask(`${app.url}/admin/queues/`, { ...PAGE, cookie })).status).toBe(303);
});

test('with ADMIN_TOKEN both open it; where OPS_PORT takes it elsewhere, the token alone', async () => {
  await using it = await world({ config: { adminToken: new Secret(TOKEN) } });
  const { url } = it.bridge.app;
  const { cookie } = await signIn(it.bridge, { role: 'operator' });
  const viewer = await signIn(it.bridge, { role: 'viewer' });
  const status = async (headers: Record<string, string>, at = url) => (await ask(`${at}/admin/queues/`, { ...PAGE, ...headers })).status;
  expect([await status({ cookie }), await status(BASIC), await status({}), await status({ cookie: viewer.cookie, ...BASIC })]).toEqual([200, 200, 401, 200]);
  expect(await status({ cookie, authorization: 'Basic d3Jvbmc6d3Jvbmc=' })).toBe(401);

  await using apart = await world({ config: { adminToken: new Secret(TOKEN), opsPort: 0 } });
  const { cookie: other, get } = await signIn(apart.bridge, { role: 'owner' });
  const { opsUrl, url: main } = apart.bridge.app;
  expect([await status({ cookie: other }, opsUrl), await status(BASIC, opsUrl), await status({ cookie: other }, main)]).toEqual([401, 200, 404]);
  expect((await get('/console/live')).text).not.toContain('/admin/queues');
});
