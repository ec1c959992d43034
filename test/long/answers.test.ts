import { expect, test } from 'vitest';
import { openAs, wrongIn } from '../support/console/look-at.ts';
import { signIn } from '../support/console/signed-in.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';
import type { World } from '../support/worlds/world.ts';

const world = useSharedWorlds();

/** A store, and the address of its order 1042, which waits for a person. */
async function waiting(it: World) {
  const connected = await it.bridge.connect({ name: 'Corner' });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1042', { payment: { method: 'shells' } }) });
  const { id } = await it.bridge.settled(connected, '1042', 'review');
  return { connected, order: `/console/orders/${id}`, store: `/console/stores/${connected.connection.id}` };
}

const LONG = 'a-word-that-somebody-pasted-without-any-place-to-break-it-'.repeat(4);

test('what forms answer, in every way: stale, wrong, refused, shown once, not there, and broken', async () => {
  await using it = await world();
  const { order, store } = await waiting(it);
  const owner = await signIn(it.bridge);
  const { person } = await signIn(it.bridge, { role: 'operator', name: 'Ben' });
  const visitor = { url: it.bridge.app.url, cookie: owner.cookie };
  const human = `/console/people/${person.id}`;

  const answers = [
    { from: order, path: `${order}/resolve`, fields: { seen: 'old', was: LONG, how: 'elsewhere', note: LONG }, status: 409 },
    {
      from: `${store}/settings`,
      path: `${store}/settings`,
      fields: { step: 'preview', gateway: LONG, type: 'CARD', rate: 'much', group: 'GROUP_A', why: '' },
      status: 422,
    },
    { from: order, path: `${order}/buyer` },
    { from: `${store}/secret`, path: `${store}/secret`, fields: { how: 'make' } },
    { from: human, path: `${human}/reset` },
  ];
  expect(await wrongIn(visitor, ...answers)).toEqual([]);
  expect(await wrongIn({ ...visitor, status: 404 }, '/console/nowhere')).toEqual([]);
  const viewer = await signIn(it.bridge, { role: 'viewer' });
  expect(await wrongIn({ ...visitor, cookie: viewer.cookie, status: 403 }, { from: order, path: `${order}/release` })).toEqual([]);
  await it.bridge.pool.query('alter table proposals rename to proposals_away');
  expect(await wrongIn({ ...visitor, status: 500 }, '/console/review')).toEqual([]);
});

test('a stale form: of two tabs the second one shows both states, and loses nothing that was typed', async () => {
  await using it = await world();
  const { connected, order } = await waiting(it);
  const { cookie } = await signIn(it.bridge, { role: 'operator' });
  await using opened = await openAs({ url: it.bridge.app.url, cookie }, { width: 360, theme: 'light', script: true });
  const [first, second] = [opened.page, await opened.context.newPage()];
  for (const tab of [second, first]) await tab.goto(`${it.bridge.app.url}${order}`);
  await second.getByText('Resolve by hand…').click();
  await second.getByLabel('It is recorded elsewhere').check();
  await second.locator('[name=note]:visible').fill('in the old till');

  await first.getByText('Resolve by hand…').click();
  await first.getByLabel('It is no sale').check();
  await first.locator('[name=note]:visible').fill('of the staff');
  await first
    .getByRole('button', { name: /Resolve|Say/ })
    .last()
    .click();
  await it.bridge.settled(connected, '1042', 'resolved');
  await second.bringToFront();
  await second
    .getByRole('button', { name: /Resolve|Say/ })
    .last()
    .click();

  await second.getByText('It has changed meanwhile').waitFor();
  const said = await second.locator('main').textContent();
  for (const words of ['needs review', 'resolved', 'in the old till']) expect(said).toContain(words);
  expect(await it.bridge.settled(connected, '1042', 'resolved')).toMatchObject({ resolution: { how: 'not-a-sale', why: 'of the staff' } });
});

test('with real keys alone: an order is found by its number, opened, and resolved with a note', async () => {
  await using it = await world();
  const { connected } = await waiting(it);
  await it.bridge.send(connected, 'order.paid', { order: orderOf('7', { number: '1042' }) });
  await it.bridge.settled(connected, '7', 'recorded');
  const { cookie } = await signIn(it.bridge, { role: 'operator' });
  await using opened = await openAs({ url: it.bridge.app.url, cookie }, { width: 1280, theme: 'light', script: true });
  const { page, problems } = opened;
  const { keyboard } = page;
  await page.goto(`${it.bridge.app.url}/console`);
  const focused = (): Promise<string> =>
    page.evaluate(`(({ name = '', value = '', textContent }) => [name, value, textContent.trim()].join('|'))(document.activeElement)`);
  const tabTo = async (what: RegExp) => {
    for (let i = 0; i < 40; i += 1) {
      if (what.test(await focused())) return;
      await keyboard.press('Tab');
    }
    throw new Error(`nothing like ${what} is reached; the last is ${await focused()}`);
  };

  await keyboard.press('/');
  await page.locator('#q:focus').waitFor();
  await keyboard.type('1042');
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
  await keyboard.press('j');
  while (!/#1042/.test(await focused())) await keyboard.press('j');
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: '1042' }).waitFor();
  await keyboard.press('r');
  expect(await focused()).toMatch(/Fix the setting/);
  await tabTo(/^\|\|Resolve by hand/);
  await keyboard.press('Enter');
  await tabTo(/^how\|/);
  await keyboard.press('ArrowDown');
  await tabTo(/^note\|/);
  await keyboard.type('of the staff');
  await tabTo(/^\|\|Resolve$/);
  await keyboard.press('Enter');

  await page.getByRole('status').waitFor();
  expect(await it.bridge.settled(connected, '1042', 'resolved')).toMatchObject({ resolution: { why: 'of the staff' } });
  expect(problems).toEqual([]);
});
