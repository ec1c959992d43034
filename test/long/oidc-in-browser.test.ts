import { expect, test } from 'vitest';
import { withPassword } from '../support/console/chosen-password.ts';
import { openAs, wrongIn } from '../support/console/look-at.ts';
import { CALLBACK, claimsOf, oidcConfig } from '../support/console/oidc-world.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startOidcIssuer } from '../support/servers/oidc-issuer.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

test('from the sign-in by the issuer to Today, with script and without; what goes wrong is a page that says so', { timeout: 600_000 }, async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await using issuer = await startOidcIssuer({ redirectUri: `${url}${CALLBACK}` });
  await using it = await world({ config: { port, publicUrl: url, oidc: oidcConfig(issuer) } });
  const host = new URL(issuer.url).host;
  await withPassword(it.bridge, 'local@shop.example', { role: 'owner' });
  issuer.user = claimsOf('maria', ['ops']);
  issuer.faults = { isDown: true };
  expect(await wrongIn({ url, cookie: '', status: 503 }, '/console/oidc')).toEqual([]);
  issuer.faults = {};

  for (const script of [true, false]) {
    await using opened = await openAs({ url, cookie: '' }, { width: 360, theme: 'light', script });
    const { page, problems, context } = opened;
    await page.goto(`${url}/console/live`);
    await page.getByRole('link', { name: `Sign in with ${host}` }).click();
    await page.getByRole('heading', { name: 'Sign in as Maria?' }).waitFor();
    await page.getByRole('link', { name: 'agree' }).click();
    await page.getByRole('heading', { name: 'Live', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/live');
    expect(await context.cookies(url)).toMatchObject([{ name: 'orderbridge', httpOnly: true, sameSite: 'Lax' }]);
    await page.getByRole('link', { name: 'The queues' }).click();
    await page.waitForURL(`${url}/admin/queues**`);
    expect(problems.filter((words) => words.includes('Content Security Policy'))).toEqual([]);
  }

  await using declining = await openAs({ url, cookie: '' }, { width: 360, theme: 'dark', script: true });
  const { page } = declining;
  await page.goto(`${url}/console/sign-in`);
  await page.getByRole('link', { name: `Sign in with ${host}` }).click();
  await page.getByRole('link', { name: 'decline' }).click();
  expect(await page.getByRole('alert').textContent()).toContain('let nobody in');
  await page.getByRole('link', { name: 'Sign in with a password' }).click();
  await page.getByLabel('Password').waitFor();

  expect(await wrongIn({ url, cookie: '' }, '/console/sign-in')).toEqual([]);
});
