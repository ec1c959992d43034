import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wrongIn } from '../support/console/look-at.ts';
import { signIn } from '../support/console/signed-in.ts';
import { startChromium } from '../support/servers/chromium.ts';
import { useWorlds } from '../support/worlds/world.ts';

const world = useWorlds();
let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser?.close());

test('Today, and a page that is not there, in every way', { timeout: 120_000 }, async () => {
  await using it = await world();
  await it.bridge.connect();
  const { cookie } = await signIn(it.bridge);
  const visitor = { url: it.bridge.app.url, cookie };

  expect(await wrongIn(browser, visitor, '/console')).toEqual([]);
  expect(await wrongIn(browser, { ...visitor, status: 404 }, '/console/nowhere')).toEqual([]);
});
