import { expect, test } from 'vitest';
import { actsOf, PASSWORD, withPassword } from '../../support/console/chosen-password.ts';
import { EnteringBrowser } from '../../support/console/entering-browser.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const NEW_PASSWORD = 'four more words to keep';

function seenIn(text: string): string {
  return /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

test.each(['owner', 'operator', 'accountant', 'viewer'] as const)('every role has its account: %s', async (role) => {
  await using it = await world();
  const browser = await signIn(it.bridge, { role });
  const page = await browser.get('/console/account');
  const name = 'Мария "><script>alert(1)</script>';

  expect(page).toMatchObject({ status: 200 });
  expect(await browser.post('/console/account', { name, lang: 'bg', seen: seenIn(page.text) })).toMatchObject({
    location: '/console/account?done=account-saved',
  });

  const after = await browser.get('/console/account?done=account-saved');
  expect(after.text).toContain('<html lang="bg">');
  expect(after.text).toContain('Запазено.');
  expect(after.text).toContain('Мария &quot;&gt;&lt;script&gt;');
  expect(after.text).not.toContain('<script>alert');
});

test('of a form that was opened before a change both values are shown, and nothing is written', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge, { name: 'Maria' });
  const seen = seenIn((await browser.get('/console/account')).text);
  await browser.post('/console/account', { name: 'Maria P.', lang: 'en', seen });

  const stale = await browser.post('/console/account', { name: 'Mimi', lang: 'en', seen });

  expect(stale).toMatchObject({ status: 409 });
  expect(stale.text).toMatch(/Mimi[\s\S]+Maria P\./);
  expect(await browser.post('/console/account', { name: 'Mimi', lang: 'en' })).toMatchObject({ status: 409 });
  expect((await browser.get('/console/account')).text).toContain('value="Maria P."');
});

test('no form of another site changes the account', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge);
  for (const path of ['account', 'account/password', 'account/sessions']) {
    for (const headers of [{ 'sec-fetch-site': 'same-site' }, { origin: 'https://evil.example' }, {}]) {
      expect(await browser.post(`/console/${path}`, { which: 'others', chosen: NEW_PASSWORD }, headers)).toMatchObject({ status: 403 });
    }
  }
});

test('a new password takes the old one, ends the other sessions, and is the one from then on', async () => {
  await using it = await world({ fresh: true, role: 'console' });
  const { browser, person } = await withPassword(it.bridge, 'maria@shop.example');
  const other = new EnteringBrowser(it.bridge.app.url);
  await other.post('/console/sign-in', { email: 'maria@shop.example', password: PASSWORD });
  const change = (old: string, chosen: string) => browser.post('/console/account/password', { old, chosen });

  const wrong = await change('not the right one', NEW_PASSWORD);
  expect(wrong).toMatchObject({ status: 422 });
  expect(wrong.text).toContain('This is not your password.');
  expect((await change(PASSWORD, 'short')).text).toContain('It is too short');
  expect(await other.get('/console')).toMatchObject({ status: 200 });
  expect(await change(PASSWORD, NEW_PASSWORD)).toMatchObject({ location: '/console/account?done=password-changed' });

  expect(await other.get('/console')).toMatchObject({ status: 303 });
  expect(await browser.get('/console')).toMatchObject({ status: 200 });
  expect(await other.post('/console/sign-in', { email: 'maria@shop.example', password: PASSWORD })).toMatchObject({ status: 401 });
  expect(await other.post('/console/sign-in', { email: 'maria@shop.example', password: NEW_PASSWORD })).toMatchObject({ status: 303 });
  expect((await actsOf(it.bridge, person)).filter(({ act }) => act === 'person.password-chosen')).toHaveLength(2);
});

test('in a session that was left open the old password is not guessed', async () => {
  await using it = await world({ fresh: true, role: 'console' });
  const { browser } = await withPassword(it.bridge, 'maria@shop.example');

  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => browser.post('/console/account/password', { old: `guess number ${i}`, chosen: NEW_PASSWORD })),
  );

  expect(answers.map(({ status }) => status).sort()).toEqual([422, 422, 422, 422, 422, 429, 429, 429]);
});

test('a person ends their own sessions, one or all others, and nobody else’s', async () => {
  await using it = await world({ fresh: true, role: 'console' });
  const { browser, person } = await withPassword(it.bridge, 'maria@shop.example');
  const others = [1, 2, 3].map(() => new EnteringBrowser(it.bridge.app.url));
  for (const other of others) await other.post('/console/sign-in', { email: 'maria@shop.example', password: PASSWORD });
  const stranger = await signIn(it.bridge, { role: 'viewer' });
  const page = await browser.get('/console/account');
  expect(page.text.match(/Firefox on Linux/g)).toHaveLength(4);
  const ids = [...page.text.matchAll(/name="which" value="([\da-f-]{36})"/g)].map(([, id]) => id ?? '');
  expect(ids).toHaveLength(3);
  const open = async () => (await Promise.all(others.map((other) => other.get('/console')))).filter(({ status }) => status === 200).length;

  for (const which of [ids[0] ?? '', 'nonsense', '']) await stranger.post('/console/account/sessions', { which });
  expect(await open()).toBe(3);
  expect(await browser.post('/console/account/sessions', { which: ids[0] ?? '' })).toMatchObject({ location: '/console/account?done=session-ended' });
  expect(await open()).toBe(2);
  expect(await browser.post('/console/account/sessions', { which: 'others' })).toMatchObject({ location: '/console/account?done=sessions-ended' });
  expect(await open()).toBe(0);

  expect((await browser.get('/console/account')).text).toContain('You are signed in nowhere else.');
  expect(await stranger.get('/console')).toMatchObject({ status: 200 });
  expect((await actsOf(it.bridge, person)).filter(({ act }) => act === 'session.ended').map(({ after }) => after)).toEqual([{ sessions: 1 }, { sessions: 2 }]);
});
