import { expect, test } from 'vitest';
import { createLog } from '../../../src/platform/log.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

test('anyone who is not signed in is led to the sign-in, and comes back to where they wanted', async () => {
  await using it = await world();

  const answer = await fetch(`${it.bridge.app.url}/console/orders?q=1042`, { redirect: 'manual' });

  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('/console/sign-in?to=%2Fconsole%2Forders%3Fq%3D1042');
});

test('a page loads nothing from elsewhere, and names its own files by their content', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge);

  const page = await browser.get('/console');

  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  const style = /href="(\/console\/assets\/[\w-]+-style\.css)"/.exec(page.text)?.[1] ?? '';
  const sheet = await browser.get(style);
  expect(sheet.headers.get('cache-control')).toContain('immutable');
  expect(sheet.text).toContain('light-dark(');
  expect((await browser.get('/console/assets/')).status).toBe(404);
});

test('a form that another site sent does nothing', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge);

  const answers = await Promise.all(
    [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, {}].map((headers) => browser.post('/console/language', { lang: 'bg' }, headers)),
  );

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect((await browser.get('/console')).text).toContain('<html lang="en">');
});

test.each(['constructor', '__proto__', 'nothing', ''])('an address that says that %j was done says nothing', async (done) => {
  await using it = await world();
  const page = await (await signIn(it.bridge)).get(`/console?done=${done}`);

  expect(page.status).toBe(200);
  expect(page.text).not.toContain('class="notice"');
});

test('what a role may not do, and a form of another site, is logged with whose it was', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'warn', name: 'test', destination: { write: (line) => lines.push(JSON.parse(line)) } });
  await using it = await world({ log });
  const viewer = await signIn(it.bridge, { role: 'viewer' });

  await viewer.get('/console/people');
  await viewer.post('/console/people', { email: 'new@shop.example' });
  await viewer.post('/console/language', { lang: 'bg' }, { 'sec-fetch-site': 'cross-site' });
  await fetch(`${it.bridge.app.url}/console/sign-in`, { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } });

  const refused = lines.filter(({ event }) => event === 'console.refused').map(({ why, person }) => ({ why, person }));
  const { id } = viewer.person;
  expect(refused).toEqual([
    { why: 'forbidden', person: id },
    { why: 'forbidden', person: id },
    { why: 'foreign', person: id },
    { why: 'foreign', person: null },
  ]);
});

test('the language of a person is kept', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge);

  const answer = await browser.post('/console/language', { lang: 'bg', at: '/console/orders?q=1' });

  expect(answer).toMatchObject({ status: 303, location: '/console/orders?q=1' });
  expect((await browser.get('/console')).text).toContain('<html lang="bg">');
});

test('an address outside the console is not gone on to', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge);

  for (const at of ['https://evil.example', '//evil.example', '/console\\evil', '/consoleevil', '/webhooks']) {
    expect(await browser.post('/console/language', { lang: 'en', at })).toMatchObject({ location: '/console' });
  }
});

test('who signs out is signed out', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge);

  const answer = await browser.post('/console/sign-out');
  expect(answer).toMatchObject({ status: 303, location: '/console/sign-in' });
  expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');

  expect(await browser.get('/console')).toMatchObject({ status: 303 });
});

test('an unknown address is a page of its own', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge, { role: 'viewer' });

  const page = await browser.get('/console/nowhere');

  expect(page.status).toBe(404);
  expect(page.text).toContain('Nothing is here');
});

test.each(['receiver', 'worker'] as const)('role %s serves no console', async (role) => {
  await using it = await world({ role });

  expect((await fetch(`${it.bridge.app.url}/console`, { redirect: 'manual' })).status).toBe(404);
});

test('CONSOLE=off leaves it out; CONSOLE_PORT moves it; role console has nothing but it', async () => {
  await using off = await world({ config: { console: false } });
  expect((await fetch(`${off.bridge.app.url}/console`, { redirect: 'manual' })).status).toBe(404);
  await using apart = await world({ config: { consolePort: 0 } });
  expect((await fetch(`${apart.bridge.app.url}/console`, { redirect: 'manual' })).status).toBe(404);
  expect((await fetch(`${apart.bridge.app.consoleUrl}/console`, { redirect: 'manual' })).status).toBe(303);
  await using alone = await world({ role: 'console' });
  expect((await fetch(`${alone.bridge.app.url}/console`, { redirect: 'manual' })).status).toBe(303);
  expect((await fetch(`${alone.bridge.app.url}/webhooks/standard/x`, { method: 'POST' })).status).toBe(404);
});
