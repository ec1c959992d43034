import { expect, test } from 'vitest';
import { offerSetupLink } from '../../src/operations/people/links.ts';
import { addPerson } from '../../src/operations/people/people.ts';
import { endSessionsOf } from '../../src/operations/people/sessions.ts';
import { BY_TEST, PASSWORD, withPassword } from '../support/console/chosen-password.ts';
import { openAs, wrongIn } from '../support/console/look-at.ts';
import { signIn } from '../support/console/signed-in.ts';
import { longTest } from '../support/long-test.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

const PHONE = { width: 360, theme: 'dark', script: true } as const;
const NOBODY = { cookie: '' };

longTest('the ways in, in every way', async () => {
  await using it = await world();
  const { core, url } = it.bridge.app;
  const visitor = { ...NOBODY, url };

  // Once there is somebody, there is no set-up link.
  expect(await wrongIn(visitor, (await offerSetupLink(core)) ?? '')).toEqual([]);
  const { link } = await addPerson(core, { email: 'new@shop.example', name: '', role: 'viewer', shops: null, lang: 'en', ...BY_TEST });
  expect(await wrongIn(visitor, link, '/console/sign-in?to=/console/account')).toEqual([]);
});

longTest('account and people, in every way', async () => {
  await using it = await world();
  await it.bridge.connect();
  const { cookie } = await signIn(it.bridge, { name: 'Мария Георгиева-Константинова', email: 'a-rather-long-address-of-somebody@kantora-sofia.example' });
  const other = await signIn(it.bridge, { role: 'accountant', shops: ['0b1e8f0c-3f51-4d3a-9a54-0c1d2e3f4a5b'] });
  const visitor = { url: it.bridge.app.url, cookie };

  expect(await wrongIn(visitor, '/console/account', '/console/people', `/console/people/${other.person.id}`)).toEqual([]);
});

test('from the code of the set-up link to Today', async () => {
  await using it = await world();
  const { core, url } = it.bridge.app;
  await using opened = await openAs({ ...NOBODY, url }, PHONE);
  const { page, problems, context } = opened;

  await page.goto(`${url}${await offerSetupLink(core)}`);
  await page.getByLabel('E-mail').fill('ivan@shop.example');
  await page.getByLabel('Name').fill('Иван');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Language').selectOption('bg');
  await page.getByRole('button', { name: 'Begin' }).click();

  await page.getByRole('heading', { name: 'Днес', exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console');
  expect(await context.cookies()).toMatchObject([{ name: 'orderbridge', httpOnly: true, sameSite: 'Lax' }]);
  expect(problems).toEqual([]);
});

test('who signs out in one tab leaves nothing of their pages in another', async () => {
  await using it = await world();
  const { cookie } = await signIn(it.bridge);
  const { url } = it.bridge.app;
  await using opened = await openAs({ cookie, url }, { ...PHONE, width: 1280 });
  const { page, context, problems } = opened;
  const other = await context.newPage();
  await other.goto(`${url}/console/account`);
  await page.goto(`${url}/console`);

  await page.locator('details.person summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();

  // Both have a field for a password.
  await other.waitForURL(({ pathname }) => pathname === '/console/sign-in');
  await other.getByLabel('Password').waitFor();
  await other.close();
  expect(problems).toEqual([]);
});

test('by the keyboard alone somebody signs in, is told what was wrong, and goes on to where they wanted', async () => {
  await using it = await world();
  await withPassword(it.bridge, 'maria@shop.example');
  const { url } = it.bridge.app;
  await using opened = await openAs({ ...NOBODY, url }, PHONE);
  const { page } = opened;
  const fill = async (password: string) => {
    await page.waitForLoadState();
    // The first one leads past the bar.
    for (let i = 0; i < 2; i += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('maria@shop.example');
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
  };

  await page.goto(`${url}/console/account`);
  await fill('not the right one');
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').textContent()).toContain('E-mail or password is not right');
  expect(await page.getByLabel('E-mail').inputValue()).toBe('maria@shop.example');
  await fill(PASSWORD);

  await page.getByRole('heading', { name: 'Your account' }).waitFor();
});

longTest('a session that is ended elsewhere leads the open page to the sign-in, and back', async () => {
  await using it = await world();
  const { person } = await withPassword(it.bridge, 'maria@shop.example');
  const { core, url } = it.bridge.app;
  await using opened = await openAs({ ...NOBODY, url }, PHONE);
  const { page } = opened;
  const fill = async () => {
    await page.getByLabel('E-mail').fill('maria@shop.example');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
  };
  await page.goto(`${url}/console`);
  await fill();

  await endSessionsOf(core, { person: person.id, ...BY_TEST });

  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe('?to=%2Fconsole');
  await fill();
});
