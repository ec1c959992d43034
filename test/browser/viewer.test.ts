import { expect, test } from 'vitest';
import { openAs } from '../support/console/look-at.ts';
import { sendManyToReview } from '../support/console/review-world.ts';
import { signIn } from '../support/console/signed-in.ts';
import { readBridgeActs } from '../support/samples/bridge-acts.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

/** The buyer of `orderOf`. */
const BUYER = /maria@example\.invalid|Иванова/;

test('a viewer is refused: by name of the roles that may, also if they make the form themselves; and reads no buyer’s name', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  await sendManyToReview(it, connected, { count: 2 });
  const { id } = await it.bridge.settled(connected, '1', 'review');
  const { cookie } = await signIn(it.bridge, { role: 'viewer' });
  await using opened = await openAs({ url: it.bridge.app.url, cookie }, { width: 360, theme: 'light', script: true });
  const { page } = opened;
  const at = (path: string) => `${it.bridge.app.url}${path}`;

  expect((await page.goto(at('/console/people')))?.status()).toBe(403);
  expect(await page.textContent('main')).toContain('Only owner can do this.');

  for (const path of ['/console', '/console/orders', `/console/orders/${id}`, '/console/review', '/console/stores', '/console/activity']) {
    await page.goto(at(path));
    expect([path, await page.textContent('main')]).toEqual([path, expect.not.stringMatching(BUYER)]);
  }
  await page.goto(at(`/console/orders/${id}`));
  expect(await page.locator('main form[method=post]').count()).toBe(0);

  // A form of their own, sent from a page of ours, as their browser would send any.
  const acts = (await readBridgeActs(it.bridge.pool)).length;
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.evaluate(`(() => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: '/console/orders/${id}/buyer' });
      document.body.append(form);
      form.submit();
    })()`),
  ]);
  expect(answer.status()).toBe(403);
  await page.getByText('Only owner, operator can do this.').waitFor();
  expect(await page.textContent('main')).not.toMatch(BUYER);
  expect(await readBridgeActs(it.bridge.pool)).toHaveLength(acts);
});
