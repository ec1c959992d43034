import { expect, test } from 'vitest';
import { openAs } from '../support/console/look-at.ts';
import { signIn } from '../support/console/signed-in.ts';
import { until } from '../support/worlds/settled.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

test('by the keyboard alone: to a page, to the search, and the list of keys; not while somebody writes', async () => {
  await using it = await world();
  const { cookie } = await signIn(it.bridge);
  await using opened = await openAs({ url: it.bridge.app.url, cookie }, { width: 1280, theme: 'light', script: true });
  const { page } = opened;
  await page.goto(`${it.bridge.app.url}/console/activity`);

  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  const hasFocus = () => page.locator('#q:focus').isVisible();
  // A dialog that closes gives the focus back when it likes.
  await until(async () => (await hasFocus()) || (await page.keyboard.press('/').then(hasFocus)), { what: 'the search to have the focus' });
  await page.keyboard.type('g t?');
  expect(await page.inputValue('#q')).toBe('g t?');
  await page.locator('#q').blur();
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.waitForURL('**/console');
  expect(opened.problems).toEqual([]);
});
