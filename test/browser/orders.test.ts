import { expect, test } from 'vitest';
import { doubled } from '../support/console/doubled-order.ts';
import { openAs, wrongIn } from '../support/console/look-at.ts';
import { signIn } from '../support/console/signed-in.ts';
import { longTest } from '../support/long-test.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

longTest('the list, and orders that wait, in every way', async () => {
  await using it = await world({ idempotencyKey: 'ignored' });
  const connected = await it.bridge.connect({ name: 'Corner' });
  const { cookie } = await signIn(it.bridge);
  const visitor = { url: it.bridge.app.url, cookie };
  const long = 'A very long name of a product that nobody shortened, because it says what colour it has '.repeat(2);
  const lines = [{ id: 'a', name: long, quantity: 2, amount: '48.00', vatRate: '20' }];
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { number: '#1042', lines, payment: { method: 'econt_pay' } }) });
  const waits = await it.bridge.settled(connected, '1', 'review');
  it.service.next('create', 'lose-reply');
  await it.bridge.send(connected, 'order.paid', { order: orderOf('2', { number: '#1043' }) });
  const { id } = await it.bridge.settled(connected, '2', 'unconfirmed');

  const paths = ['/console/orders?state=review&code=payment.unmapped', `/console/orders/${waits.id}`, `/console/orders/${id}`];
  expect(await wrongIn(visitor, ...paths)).toEqual([]);
});

longTest('an order in review, with a record that no longer fits, is seen whole on a desk', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  const { cookie } = await signIn(it.bridge);
  const sold = [
    { id: 'a', name: 'Under the Yoke', quantity: 2, amount: '36.00', vatRate: '9' },
    { id: 'b', name: 'Owl mug', quantity: 1, amount: '12.00', vatRate: '20' },
  ];
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { lines: sold }) });
  await it.bridge.settled(connected, '1', 'recorded');
  const refunds = [{ id: 'r1', at: new Date().toISOString(), amount: '5.00' }];
  await it.bridge.send(connected, 'order.refunded', { order: orderOf('1', { lines: sold, refunds, updatedAt: new Date().toISOString() }) });
  const { id } = await it.bridge.settled(connected, '1', 'review');
  for (const lang of ['en', 'bg'] as const) {
    await using opened = await openAs({ url: it.bridge.app.url, cookie }, { width: 1440, theme: 'light', script: true, lang });

    await opened.page.goto(`${it.bridge.app.url}/console/orders/${id}`);

    expect(await opened.page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(900);
  }
});

longTest('an unconfirmed order is found by its number at the top of the page, and resolved, with script and without', async () => {
  await using it = await world({ idempotencyKey: 'ignored' });
  const connected = await it.bridge.connect({ name: 'Corner' });
  const { cookie } = await signIn(it.bridge, { role: 'operator' });
  const ways = [true, false];
  for (const script of ways) {
    const number = script ? '1042' : '1043';
    it.service.next('create', 'lose-reply');
    await it.bridge.send(connected, 'order.paid', { order: orderOf(number) });
    await it.bridge.settled(connected, number, 'unconfirmed');
    const [current] = it.service.current(number);
    await using opened = await openAs({ url: it.bridge.app.url, cookie }, { width: 360, theme: 'dark', script });
    const { page, problems } = opened;

    await page.goto(`${it.bridge.app.url}/console`);
    await page.getByRole('searchbox').first().fill(number);
    await page.keyboard.press('Enter');
    await page.getByText('A request was sent at').waitFor();
    await page.getByLabel('It is there, under this id').check();
    await page.getByLabel('Id at the compliance service').fill(current?.id ?? '');
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByRole('status').getByText('What you found is saved').waitFor();

    expect(await it.bridge.settled(connected, number, 'recorded')).toMatchObject({ complianceId: current?.id });
    // Where there is script the page renews itself.
    if (!script) await page.reload();
    await page.locator('.head .tag', { hasText: 'recorded' }).waitFor();
    expect(problems).toEqual([]);
  }
});

longTest('the records of an order that is recorded twice, in every way, and one of them deleted on a phone', async () => {
  await using it = await world({ idempotencyKey: 'ignored' });
  const connected = await it.bridge.connect({ name: 'Corner <b>' });
  const { id, page: path, current, other } = await doubled(it, connected);
  const { cookie } = await signIn(it.bridge, { role: 'operator' });
  expect(await wrongIn({ url: it.bridge.app.url, cookie }, path)).toEqual([]);
  const { cookie: another } = await signIn(it.bridge, { role: 'operator' });
  await using opened = await openAs({ url: it.bridge.app.url, cookie: another }, { width: 360, theme: 'dark', script: true });
  const { page, problems } = opened;

  await page.goto(`${it.bridge.app.url}/console/orders/${id}`);
  await page.locator(`a[href="${path}"]`).first().click();
  await page.getByRole('radio', { name: other }).check();
  await page.getByRole('button', { name: 'Delete this record' }).click();
  await page.getByRole('status').first().waitFor();

  expect(await it.bridge.settled(connected, '1', 'recorded')).toMatchObject({ complianceId: current });
  expect(it.service.current('1').map((one) => one.id)).toEqual([current]);
  expect(problems).toEqual([]);
});

test('with the keyboard alone: rows are moved among and chosen, and all of a page are resolved', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  for (const id of ['1', '2', '3']) await it.bridge.send(connected, 'order.paid', { order: orderOf(id, { payment: { method: 'shells' } }) });
  for (const id of ['1', '2', '3']) await it.bridge.settled(connected, id, 'review');
  const { cookie } = await signIn(it.bridge);
  await using opened = await openAs({ url: it.bridge.app.url, cookie }, { width: 1280, theme: 'light', script: true });
  const { page } = opened;
  await page.goto(`${it.bridge.app.url}/console/orders?state=review`);

  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  expect(await page.locator('input[name=order]:checked').count()).toBe(2);
  await page.getByLabel('Select all on this page').check();
  expect(await page.locator('input[name=order]:checked').count()).toBe(3);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.bulk')).position`)).toBe('sticky');
  }
  await page.getByText('Resolve by hand…').click();
  await page.getByLabel('no sale of this shop').check();
  await page.getByLabel('Note (kept in Activity)').fill('orders of the staff');
  // Which of the verbs would it be?
  await page.getByLabel('Note (kept in Activity)').press('Enter');
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.waitForURL(/\/console\/bulk-actions\//);

  for (const id of ['1', '2', '3']) expect(await it.bridge.settled(connected, id, 'resolved')).toMatchObject({ resolution: { why: 'orders of the staff' } });
  // What is renewed while somebody looks has its buttons, too.
  await page.goto(`${it.bridge.app.url}/console/orders/${(await it.bridge.settled(connected, '1', 'resolved')).id}`);
  await page.locator('[data-live] button.copy').first().waitFor();
});
