import { expect, test } from 'vitest';
import { findOrders } from '../../../src/operations/orders/find-orders.ts';
import { recordedOrder } from '../../../src/operations/service/recorded-orders.ts';
import { formOf } from '../../support/console/form-of.ts';
import { type SignedInBrowser, signIn } from '../../support/console/signed-in.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { type Connected, orderOf } from '../../support/worlds/bridge.ts';
import { ownShop } from '../../support/worlds/own-service.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

const FOUND = /^\/console\/orders\/\d+$/;
const BY_TOTAL = { connections: null, state: null, code: null, sold: null, total: null, ids: null, byTotal: 'asc' } as const;
const unmapped = (id: string, changes: Record<string, unknown> = {}) => orderOf(id, { payment: { method: 'shells' }, ...changes });

/** Orders in review of one store. */
async function review({ bridge }: World, ids: readonly string[]): Promise<Connected> {
  const connected = await bridge.connect();
  for (const id of ids) await bridge.send(connected, 'order.paid', { order: unmapped(id) });
  for (const id of ids) await bridge.settled(connected, id, 'review');
  return connected;
}

const listed = (text: string) => [...text.matchAll(/href="\/console\/orders\/\d+">([^<]+)</g)].map(([, number]) => number);
const boxes = (text: string) => [...text.matchAll(/name="order" value="([^"]+)"/g)].map(([, value = '']) => value);
const seenIn = (text: string) => /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? '';

test('an order is gone straight to by each of its numbers, and listed by its amount', async () => {
  await using it = await world({ embeddedService: true });
  const { shopId } = await ownShop(it);
  const connected = await it.bridge.connect({ shopId });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('5001042', { number: 'BG-1042' }) });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('5001043', { number: 'BG-1043', total: '36.00', lines: [line('36.00')] }) });
  const { complianceId } = await it.bridge.settled(connected, '5001042', 'recorded');
  await it.bridge.settled(connected, '5001043', 'recorded');
  const document = await documentOf(it.bridge, { complianceId: complianceId ?? '' });
  const browser = await signIn(it.bridge, { role: 'viewer' });

  // The digits alone are searched a moment after they came.
  for (const q of ['1042', '1043']) {
    await until(async () => (await browser.get(`/console/find?q=${q}`)).status === 303, { what: 'the order to be found by its digits' });
  }
  for (const q of ['1042', '#1042', 'BG-1042', '5001042', complianceId ?? '', document]) {
    expect([q, await browser.get(`/console/find?q=${encodeURIComponent(q)}`)]).toEqual([
      q,
      expect.objectContaining({ status: 303, location: expect.stringMatching(FOUND) }),
    ]);
  }
  for (const q of ['36.00', '36,00 EUR', '€36', '36']) {
    expect([q, listed((await browser.get(`/console/orders?q=${encodeURIComponent(q)}`)).text)]).toEqual([q, ['BG-1043']]);
  }
});

const line = (amount: string) => ({ id: 'a', name: 'Тениска', quantity: 1, amount, vatRate: '20' });

async function documentOf({ pool }: World['bridge'], { complianceId }: { complianceId: string }): Promise<string> {
  return (await recordedOrder({ pool }, complianceId)).documentNumber;
}

test('a list shows what is wanted alone, markup as text, and the same as a file without formulas', async () => {
  await using it = await world();
  const corner = await it.bridge.connect({ name: '=Corner<i>' });
  const other = await it.bridge.connect({ name: 'Other' });
  const order = unmapped('1', { number: '=1+1<b>', payment: { method: '<script>alert(1)</script>' } });
  await it.bridge.send(corner, 'order.paid', { order });
  await it.bridge.settled(corner, '1', 'review');
  await it.bridge.send(other, 'order.paid', { order: orderOf('2', { paidAt: '2026-10-05T10:00:00Z', createdAt: '2026-10-05T10:00:00Z' }) });
  await it.bridge.settled(other, '2', 'recorded');
  const owner = await signIn(it.bridge);
  const accountant = await signIn(it.bridge, { role: 'accountant', shops: [other.connection.shopId] });
  const numbers = async (browser: SignedInBrowser, query: string) => listed((await browser.get(`/console/orders${query}`)).text);

  expect(await numbers(owner, '')).toEqual(['#2', '=1+1&lt;b&gt;']);
  expect(await numbers(owner, '?state=review')).toEqual(['=1+1&lt;b&gt;']);
  expect(await numbers(owner, '?code=payment.unmapped')).toEqual(['=1+1&lt;b&gt;']);
  expect(await numbers(owner, `?store=${other.connection.id}`)).toEqual(['#2']);
  expect(await numbers(owner, '?month=2026-10')).toEqual(['#2']);
  expect(await numbers(owner, '?from=2026-11-01&to=2026-11-01')).toEqual(['=1+1&lt;b&gt;']);
  expect(await numbers(owner, '?month=2026-10&state=review')).toEqual([]);
  const byTime = await numbers(owner, '?sort=6');
  expect(await numbers(owner, '?sort=-6')).toEqual(byTime.toReversed());
  expect(byTime[0]).toBe('#2');
  const october = (await owner.get('/console/orders?month=2026-10')).text;
  expect(october).toContain('<strong>1 order</strong>, €48.00');
  expect(october).toMatch(/recorded <span class="soft">1<\/span>.*resolved <span class="soft">0<\/span>/s);
  expect(boxes((await owner.get('/console/orders')).text)).toHaveLength(1);
  expect((await owner.get('/console/orders?q=17.00')).text).toMatch(/Orders found by “17.00”.*No order matches\./s);
  expect(await numbers(accountant, '')).toEqual(['#2']);
  expect(await numbers(accountant, '?q=1')).toEqual([]);
  expect(await numbers(accountant, `?store=${corner.connection.id}`)).toEqual([]);
  const { text } = await owner.get('/console/orders');
  expect(text).toContain('“&lt;script&gt;alert(1)&lt;/script&gt;” has no type');
  expect(text).not.toContain('<script>alert');
  const file = await owner.get('/console/orders.csv');
  expect(file.headers.get('content-type')).toContain('text/csv');
  const [, second = '', first = ''] = file.text.split('\r\n');
  expect(first).toMatch(/^'=1\+1<b>,'=Corner<i>,needs review,/);
  expect(second).toContain('48.00,EUR,48.00,EUR,2026-10-05 13:00:00');
  expect((await accountant.get('/console/orders.csv')).text).not.toContain('Corner');
});

test('a list goes by what customers paid, page by page and both ways, and so it is sorted by a press', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const totals: Record<string, string> = { '1': '9.50', '2': '120.00', '3': '48.00' };
  for (const [id, total] of Object.entries(totals)) await it.bridge.send(connected, 'order.paid', { order: orderOf(id, { total, lines: [line(total)] }) });
  for (const id of Object.keys(totals)) await it.bridge.settled(connected, id, 'recorded');
  const browser = await signIn(it.bridge);
  const list = async (query: string) => listed((await browser.get(`/console/orders?state=recorded${query}`)).text);

  expect((await browser.get('/console/orders?state=recorded')).text).toMatch(/<a href="[^"]*sort=4">Total<\/a>/);
  expect(await list('&sort=4')).toEqual(['#1', '#3', '#2']);
  expect(await list('&sort=-4')).toEqual(['#2', '#3', '#1']);
  expect(await list('&sort=4&after=2')).toEqual(['#2']);
  const { orders, next, previous } = await findOrders({ pool: it.bridge.pool, connections: [connected.connection] }, BY_TOTAL, { after: '1', size: 1 });
  expect([orders.map(({ orderId }) => orderId), next, previous]).toEqual([['3'], '2', '0']);
});

test('chosen orders, or all that match, are decided again or resolved, as one bulk action with a trace', async () => {
  await using it = await world();
  const connected = await review(it, ['1', '2', '3', '4']);
  const browser = await signIn(it.bridge, { role: 'operator' });
  const by = `person:${browser.person.id}`;
  const { text } = await browser.get('/console/orders?state=review');
  const [fourth = '', third = ''] = boxes(text);

  const resolved = await browser.post('/console/orders', {
    state: 'review',
    seen: seenIn(text),
    order: [fourth, third],
    act: 'resolve',
    how: 'not-a-sale',
    note: 'staff <b>',
  });

  expect(resolved).toMatchObject({ status: 303, location: expect.stringMatching(/^\/console\/bulk-actions\/[0-9a-f-]{36}$/) });
  expect(await it.bridge.settled(connected, '4', 'resolved')).toMatchObject({
    resolution: { how: 'not-a-sale', code: 'payment.unmapped', who: by, why: 'staff <b>' },
  });
  await it.bridge.pool.query(`update connections set settings = settings || '{"payments": {"shells": {"paymentType": "CARD"}}}'`);
  const rest = await browser.get('/console/orders?state=review');
  expect(rest.text).toContain('Apply to all 2 in review that match');
  expect(await browser.post('/console/orders', { state: 'review', seen: seenIn(rest.text), all: '1', act: 'release' })).toMatchObject({ status: 303 });
  const acts = (await readBridgeActs(it.bridge.pool)).filter(({ who }) => who === by);
  expect(acts.map(({ act }) => act).toSorted()).toEqual(['order.released', 'order.released', 'order.resolved', 'order.resolved']);
});

test('nothing is decided by who may not, from elsewhere, from what has changed, or from half a form', async () => {
  await using it = await world();
  const connected = await review(it, ['1', '2']);
  const operator = await signIn(it.bridge, { role: 'operator' });
  const { text } = await operator.get('/console/orders?state=review');
  const all = { state: 'review', seen: seenIn(text), all: '1', act: 'release' };

  for (const role of ['viewer', 'accountant'] as const) {
    const browser = await signIn(it.bridge, { role });
    expect((await browser.get('/console/orders?state=review')).text).not.toContain('name="order"');
    expect(await browser.post('/console/orders', all)).toMatchObject({ status: 403, text: expect.stringContaining('Only owner, operator can do this') });
  }
  expect(await operator.post('/console/orders', all, { 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 });
  expect(await operator.post('/console/orders', { ...all, all: '' })).toMatchObject({
    status: 422,
    text: expect.stringContaining('Select at least one order'),
  });
  const half = await operator.post('/console/orders', { ...all, act: 'resolve', how: 'elsewhere' });
  expect(half).toMatchObject({ status: 422, text: expect.stringContaining('Write a note') });
  expect(half.text).toMatch(/value="elsewhere" checked/);
  expect(await operator.post('/console/orders', { ...all, act: 'resolve', note: 'x' })).toMatchObject({
    status: 422,
    text: expect.stringContaining('Choose an outcome'),
  });

  await it.bridge.send(connected, 'order.updated', { order: unmapped('2', { updatedAt: '2026-11-01T11:00:00Z', total: '50.00' }) });
  await it.bridge.send(connected, 'order.paid', { order: unmapped('3') });
  await it.bridge.settled(connected, '3', 'review');
  await expect.poll(async () => (await it.bridge.order(connected, '2'))?.revision).toBe(2);
  await it.bridge.settled(connected, '2', 'review');
  expect(await operator.post('/console/orders', all)).toMatchObject({ status: 409, text: expect.stringContaining('Apply to all 3 in review that match') });
  expect(await operator.post('/console/orders', { ...all, all: '', order: boxes(text) })).toMatchObject({
    status: 409,
    text: expect.stringContaining('#2: needs review'),
  });
  expect((await readBridgeActs(it.bridge.pool)).filter(({ who }) => who.startsWith('person:'))).toEqual([]);
});

test('a form that ends with an error shows the page of the list that it was sent from, with what was chosen', async () => {
  await using it = await world();
  const connected = await review(it, ['1', '2', '3']);
  const operator = await signIn(it.bridge, { role: 'operator' });
  const [newest = '', ...others] = listed((await operator.get('/console/orders?state=review')).text);
  const after = String((await it.bridge.order(connected, newest.slice(1)))?.id);
  const { text } = await operator.get(`/console/orders?state=review&after=${after}&n=1`);
  const [second = ''] = boxes(text);
  const form = formOf(text.slice(text.indexOf('<form method="post" action="/console/orders">')), '/console/orders');

  const half = await operator.post('/console/orders', { ...form, order: [second], act: 'resolve', how: 'elsewhere' });

  expect(half.status).toBe(422);
  expect(listed(half.text)).toEqual(others);
  expect(half.text).toMatch(new RegExp(`value="${second.replace('.', '\\.')}"[^>]* checked>`));
  expect(formOf(half.text.slice(half.text.indexOf('<form method="post" action="/console/orders">')), '/console/orders')).toMatchObject({
    after: [after],
    n: ['1'],
    state: ['review'],
  });
});

test('all that match are those that were seen: not others in the same number, nor the same with another revision or reason', async () => {
  await using it = await world();
  const connected = await review(it, ['1', '2']);
  const operator = await signIn(it.bridge, { role: 'operator' });
  const bulk = (text: string) => formOf(text.slice(text.indexOf('<form method="post" action="/console/orders">')), '/console/orders');
  const opened = async () => ({
    ...bulk((await operator.get('/console/orders?state=review')).text),
    all: '1',
    act: 'resolve',
    how: 'elsewhere',
  });
  const changed = async (id: string, changes: Record<string, unknown>) => {
    const was = (await it.bridge.order(connected, id))?.revision ?? 0;
    await it.bridge.send(connected, 'order.updated', { order: unmapped(id, changes) });
    await expect.poll(async () => (await it.bridge.order(connected, id))?.revision).toBeGreaterThan(was);
    await it.bridge.settled(connected, id, 'review');
  };

  const first = await opened();
  await changed('2', { updatedAt: '2026-11-01T11:00:00Z', total: '50.00' });
  const stale = await operator.post('/console/orders', { ...first, note: 'in the old <till>' });

  expect(stale).toMatchObject({
    status: 409,
    text: expect.stringMatching(/Apply to all 2 in review that match.*Apply to all 2 in review that match.*Changed since you opened the page: #2/s),
  });
  expect(stale.text).toContain('value="in the old &lt;till&gt;"');
  expect(stale.text).toMatch(/value="elsewhere" checked/);
  expect(stale.text).toMatch(/name="all" value="1" checked/);

  const second = await opened();
  await it.bridge.send(connected, 'order.paid', { order: unmapped('3') });
  await it.bridge.settled(connected, '3', 'review');
  const alone = `/console/orders/${(await it.bridge.order(connected, '1'))?.id}`;
  await operator.post(`${alone}/resolve`, {
    ...formOf((await operator.get(alone)).text, `${alone}/resolve`),
    ...{ how: 'elsewhere', note: 'alone' },
  });
  await it.bridge.settled(connected, '1', 'resolved');
  expect(await operator.post('/console/orders', { ...second, note: 'x' })).toMatchObject({ status: 409 });

  expect(await operator.post('/console/orders', { ...(await opened()), note: 'x' })).toMatchObject({ status: 303 });
  for (const id of ['2', '3']) await it.bridge.settled(connected, id, 'resolved');
  expect(await operator.post('/console/orders', { ...second, note: 'in vain' })).toMatchObject({
    status: 409,
    text: expect.stringMatching(/Apply to all 0 in review that match.*“in vain”/s),
  });
});
