import { expect, test } from 'vitest';
import { Authenticator } from '../support/console/authenticator.ts';
import { PASSWORD, withPassword } from '../support/console/chosen-password.ts';
import { breaches, openAs, overflow } from '../support/console/look-at.ts';
import { freePort } from '../support/servers/free-port.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const EMAIL = 'maria@shop.example';
/** A key within the machine that asks for a finger; the browser has it instead of hardware. */
const INTERNAL = {
  protocol: 'ctap2',
  ctap2Version: 'ctap2_1',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
} as const;

test('a browser adds a passkey, signs in with it, and proves with it who is there; its policy of scripts stays as it is', { timeout: 600_000 }, async () => {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  await using it = await world({ config: { port, publicUrl: url } });
  const { browser } = await withPassword(it.bridge, EMAIL, { role: 'owner' });
  const app = new Authenticator((await browser.get('/console/account/factor')).text);
  expect(await browser.post('/console/account/factor', { kept: app.kept, code: await app.earlierCode() })).toMatchObject({ status: 200 });

  await using opened = await openAs({ url, cookie: browser.cookie }, { width: 360, theme: 'dark', script: true });
  const { page, context, problems } = opened;
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...INTERNAL, automaticPresenceSimulation: true } });

  await page.goto(`${url}/console/account`);
  await page.getByLabel('Name of the passkey').fill('Laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('Your passkey is added.').waitFor();
  await page.getByRole('cell', { name: 'Laptop' }).waitFor();
  expect([await overflow(page), await breaches(page)]).toEqual([0, []]);
  // A second one of the same authenticator is none.
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('alert').filter({ hasText: 'The browser gave no passkey' }).waitFor();

  await context.clearCookies();
  await page.goto(`${url}/console/people`);
  const withPasswordOnly = async () => {
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Code').waitFor();
  };
  await withPasswordOnly();
  expect(await breaches(page)).toEqual([]);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'People', exact: true }).waitFor();

  await it.bridge.pool.query(`update sessions set confirmed_at = now() - interval '11 minutes', factor_at = now() - interval '11 minutes'`);
  await page.getByText('Add a person').click();
  await page.getByRole('textbox', { name: 'E-mail' }).fill('ivan@shop.example');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor();
  // It is sent as by its button, so that another press of that sends nothing.
  await page.evaluate(
    `document.querySelector('form.entry').addEventListener('formdata', ({ target }) => sessionStorage.setItem('sent', String(target.dataset.sent)))`,
  );
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('works once, within 3 days').waitFor();
  expect(await page.evaluate(`sessionStorage.getItem('sent')`)).toBe('');

  // Nobody at the key: the page says so, and a code does the same.
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await it.bridge.pool.query(`update sessions set confirmed_at = now() - interval '11 minutes', factor_at = now() - interval '11 minutes'`);
  await page.goto(`${url}/console/account`);
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('alert').filter({ hasText: 'The browser gave no passkey' }).waitFor();
  await page.getByLabel('Code').fill(app.code());
  await page.getByRole('button', { name: 'Confirm and go on' }).click();
  await page.getByText('The passkey is removed.').waitFor();
  expect(problems.filter((words) => !words.includes('another host: http://localhost') && !/403|401/.test(words))).toEqual([]);

  await using plain = await openAs({ url, cookie: browser.cookie }, { width: 360, theme: 'light', script: false });
  await plain.page.goto(`${url}/console/account`);
  expect(await plain.page.getByRole('button', { name: 'Add a passkey' }).isVisible()).toBe(false);
});
