import { expect, test } from 'vitest';
import { openAs, wrongIn } from '../support/console/look-at.ts';
import { signIn } from '../support/console/signed-in.ts';
import { longTest } from '../support/long-test.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { ownShop } from '../support/worlds/own-service.ts';
import { pauseDestination } from '../support/worlds/paused-destination.ts';
import { until } from '../support/worlds/settled.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';
import { recorded, type World } from '../support/worlds/world.ts';

const world = useSharedWorlds();
const PHONE = { width: 360, theme: 'light', script: true } as const;
const MARKUP = 'Corner <b>&amp; "x"';

/** A store with a recorded order, one that has no mapping, and a refused webhook. */
async function lively(it: World) {
  const connected = await it.bridge.connect({ name: MARKUP });
  await recorded(it, connected, '1042');
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1043', { payment: { method: 'borica<i>"pos"' } }) });
  await it.bridge.settled(connected, '1043', 'review');
  await it.bridge.send({ ...connected, secret: `whsec_${Buffer.alloc(32, 9).toString('base64')}` }, 'order.paid', { order: orderOf('1044') });
  return connected;
}

/** The page of a comparison that found differences. */
async function compared(it: World, store: string, cookie: string): Promise<string> {
  const { url } = it.bridge.app;
  const body = new URLSearchParams({ by: 'days', from: '2026-11-01' });
  const begun = await fetch(`${url}${store}/compare`, { method: 'POST', body, headers: { cookie, 'sec-fetch-site': 'same-origin' }, redirect: 'manual' });
  const page = begun.headers.get('location') ?? '';
  const isOver = async () => !(await (await fetch(`${url}${page}`, { headers: { cookie } })).text()).includes('<progress');
  await until(isOver, { what: 'the comparison to end' });
  return page;
}

longTest('the pages of stores in every way', async () => {
  await using it = await world();
  const { cookie } = await signIn(it.bridge);
  const visitor = { url: it.bridge.app.url, cookie };
  expect(await wrongIn(visitor, '/console/stores')).toEqual([]);
  const { connection } = await lively(it);
  const store = `/console/stores/${connection.id}`;

  const own = ['settings', 'secret', 'keys', 'disconnect', 'compare', 'backfill', 'test'].map((page) => `${store}/${page}`);
  const task = await compared(it, store, cookie);
  expect(await wrongIn(visitor, '/console/stores', store, ...own, task)).toEqual([]);
});

longTest('a paused compliance service is resumed on a phone, and what waited is recorded', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await pauseDestination(it, connected.connection, { code: 'compliance.failing', detail: '502' });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('2001') });
  await until(async () => (await it.bridge.order(connected, '2001'))?.state === 'queued', { what: 'the order to wait' });
  const { cookie } = await signIn(it.bridge, { role: 'operator' });
  const visitor = { url: it.bridge.app.url, cookie };
  expect(await wrongIn(visitor, '/console/destinations')).toEqual([]);
  // Who looked in both languages has the last one.
  const { cookie: another } = await signIn(it.bridge, { role: 'operator' });
  await using opened = await openAs({ ...visitor, cookie: another }, PHONE);
  const { page } = opened;
  await page.goto(`${visitor.url}/console/destinations`);

  await page.getByRole('button', { name: 'Resume' }).click();

  await page.getByText('The pauses ended.').waitFor();
  await it.bridge.settled(connected, '2001', 'recorded');
  // The page renews itself.
  await page.getByRole('link', { name: '#2001' }).waitFor();
  expect(opened.problems).toEqual([]);
});

longTest('a record, its deletion by hand, and the exchange rates in every way', async () => {
  await using it = await world({ embeddedService: true });
  const { shopId } = await ownShop(it);
  const connected = await it.bridge.connect({ name: MARKUP, shopId });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { currency: 'USD' }) });
  const { complianceId } = await it.bridge.settled(connected, '1', 'recorded');
  const { cookie } = await signIn(it.bridge);

  expect(await wrongIn({ url: it.bridge.app.url, cookie }, `/console/records/${complianceId}`, '/console/destinations/rates')).toEqual([]);
});

longTest('a new secret is shown once; webhooks with it and with the old one are taken', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const { cookie } = await signIn(it.bridge);
  const visitor = { url: it.bridge.app.url, cookie };
  await using opened = await openAs(visitor, PHONE);
  const { page } = opened;
  await page.goto(`${visitor.url}/console/stores/${connected.connection.id}`);

  await page.getByRole('link', { name: 'New secret' }).click();
  await page.getByRole('button', { name: 'Get the new secret' }).click();
  const fresh = (await page.locator('pre.secret').first().textContent()) ?? '';

  expect(fresh).toMatch(/^whsec_/);
  expect(page.url()).not.toContain(fresh.slice(6, 20));
  // The steps say their numbers themselves.
  expect(await page.locator('main ol').count()).toBe(0);
  expect(await it.bridge.send({ ...connected, secret: fresh }, 'order.paid', { order: orderOf('3001') })).toBe(200);
  expect(await it.bridge.send(connected, 'order.paid', { order: orderOf('3002') })).toBe(200);
  await page.getByRole('link', { name: 'I have set it in the store' }).click();
  await page.getByText('Two secrets are valid').waitFor();
  expect(await page.content()).not.toContain(fresh);
});

test('a mapping is added, its effect shown first, and the order that waited is recorded', async () => {
  await using it = await world();
  const connected = await lively(it);
  const { cookie } = await signIn(it.bridge, { role: 'operator' });
  const visitor = { url: it.bridge.app.url, cookie };
  await using opened = await openAs(visitor, PHONE);
  const { page } = opened;
  await page.goto(`${visitor.url}/console/stores/${connected.connection.id}`);

  await page.getByRole('listitem').filter({ hasText: 'has no mapping' }).getByRole('link', { name: 'Settings' }).click();
  expect(await page.locator('#payment-0').inputValue()).toBe('borica<i>"pos"');
  await page.locator('#payment-0-type').selectOption('BANK_TRANSFER');
  await page.getByRole('button', { name: 'Show what it changes' }).click();
  await page.getByText('1 in review, 0 ignored and 0 unpaid order will be decided again.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();

  await page.getByText('The settings are changed.').waitFor();
  await it.bridge.settled(connected, '1043', 'recorded');
  expect(opened.problems).toEqual([]);
});
