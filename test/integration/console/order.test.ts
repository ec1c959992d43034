import { expect, test } from 'vitest';
import { orderText } from '../../../src/cli/text/order-text.ts';
import { showOrder } from '../../../src/operations/orders/show-order.ts';
import { type SignedInBrowser, signIn } from '../../support/console/signed-in.ts';
import { longTest } from '../../support/long-test.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { type Connected, orderOf } from '../../support/worlds/bridge.ts';
import { ownShop } from '../../support/worlds/own-service.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { cap, coat, store } from '../../support/worlds/two-of-one-id.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const EVIL = '<img src=x onerror=alert(1)>';

const unmapped = (changes: Record<string, unknown> = {}) => orderOf('1', { payment: { method: 'shells' }, ...changes });

/** An order in review, and its address. */
async function review({ bridge }: World, changes: Record<string, unknown> = {}): Promise<{ connected: Connected; path: string; id: number }> {
  const connected = await bridge.connect();
  await bridge.send(connected, 'order.paid', { order: unmapped(changes) });
  const { id } = await bridge.settled(connected, '1', 'review');
  return { connected, path: `/console/orders/${id}`, id };
}

/** What each form of a page was made from. */
const formOf = (text: string) => ({ seen: /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? '', was: /name="was" value="([^"]*)"/.exec(text)?.[1] ?? '' });

async function seenBy(browser: SignedInBrowser, path: string): Promise<{ seen: string; was: string }> {
  return formOf((await browser.get(path)).text);
}

test('an order says in a sentence why it is as it is, and shows markup of a store as text', async () => {
  await using it = await world();
  const { connected, path } = await review(it, {
    ...{ number: `#1${EVIL}`, status: 'paid', payment: { method: EVIL } },
    lines: [{ id: 'a', name: EVIL, quantity: 2, amount: '48.00', vatRate: '20' }],
  });
  const viewer = await signIn(it.bridge, { role: 'viewer' });

  const { text, status } = await viewer.get(path);

  expect(status).toBe(200);
  expect(text).toContain('Not recorded: The payment method “&lt;img src=x onerror=alert(1)&gt;” has no type.');
  expect(text).not.toContain('<img');
  expect(text).not.toContain('maria@example.invalid');
  expect(text).not.toContain('Иванова');
  expect(text).not.toMatch(/action="\/console\/orders\/\d+\//);
  expect((await (await signIn(it.bridge)).get(`/console/find?q=${encodeURIComponent(`#1${EVIL}`)}`)).location).toBe(path);
  expect(connected.connection.name).toBe('corner');
});

test('store, settings and service are held against each other, with document, month and receipts', async () => {
  await using it = await world({ embeddedService: true });
  const { shopId } = await ownShop(it);
  const connected = await it.bridge.connect({ shopId });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  const { id } = await it.bridge.settled(connected, '1', 'recorded');
  const viewer = await signIn(it.bridge, { role: 'viewer' });

  const before = (await viewer.get(`/console/orders/${id}`)).text;
  expect(before).toContain('€48.00 in the store, €48.00 recorded. Document 0000000001 in the file of November 2026, which is open.');
  expect(before).toContain('Store and record match.');
  expect(before).toContain('Create record: done');

  await it.bridge.send(connected, 'order.updated', {
    order: unmapped({ updatedAt: '2026-11-01T11:00:00Z', total: '50.00', lines: [{ id: 'a', name: 'Тениска', quantity: 2, amount: '50.00', vatRate: '20' }] }),
  });
  await it.bridge.settled(connected, '1', 'review');
  const after = (await viewer.get(`/console/orders/${id}`)).text;
  expect(after).toContain('The record no longer fits: The payment method “shells” has no type.');
  expect(after).toContain('The marked lines do not match.');
  expect(after).toMatch(/<tr class="differs"><td data-label="Line">Тениска.*€50\.00.*€48\.00/);
});

test('of an order that lacks a setting one way is shown: to set it for all such orders', async () => {
  await using it = await world();
  const { path } = await review(it);

  const { text } = await (await signIn(it.bridge)).get(path);

  expect(text).toMatch(/<a class="verb" data-key="r" href="\/console\/review\/[\w-]{16}">Fix the setting for all similar orders<\/a>/);
  expect(text).not.toContain('>Retry<');
});

test('an accountant sees the orders of their shops alone, and a wrong address is a page of its own', async () => {
  await using it = await world();
  const { path, connected } = await review(it);
  const theirs = await signIn(it.bridge, { role: 'accountant', shops: [connected.connection.shopId] });
  const others = await signIn(it.bridge, { role: 'accountant', shops: [crypto.randomUUID()] });

  expect(await theirs.get(path)).toMatchObject({ status: 200 });
  for (const address of [path, '/console/orders/999', '/console/orders/x', '/console/orders/99999999999999999999']) {
    expect(await others.get(address)).toMatchObject({ status: 404, text: expect.stringContaining('No order with this address is known') });
  }
});

longTest('no verb is for those who may not, for other sites, or for a form of what has changed', async () => {
  await using it = await world();
  const { path, connected } = await review(it);
  const owner = await signIn(it.bridge);
  const form = { ...(await seenBy(owner, path)), how: 'not-a-sale', note: 'x', found: 'no' };
  const verbs = ['release', 'resolve', 'removal', 'apart', 'confirm', 'look', 'buyer'];

  for (const role of ['viewer', 'accountant'] as const) {
    const browser = await signIn(it.bridge, { role });
    for (const verb of verbs) expect([verb, (await browser.post(`${path}/${verb}`, form)).status]).toEqual([verb, 403]);
  }
  for (const verb of verbs) expect([verb, (await owner.post(`${path}/${verb}`, form, { origin: 'https://evil.example' })).status]).toEqual([verb, 403]);
  await it.bridge.send(connected, 'order.updated', { order: unmapped({ updatedAt: '2026-11-01T11:00:00Z', payment: { method: 'beads' } }) });
  await until(async () => expect((await it.bridge.order(connected, '1'))?.review?.detail).toContain('beads'), { what: 'the new question' });
  for (const verb of ['release', 'resolve', 'removal', 'apart', 'confirm', 'look']) {
    const answer = await owner.post(`${path}/${verb}`, form);
    expect([verb, answer.status]).toEqual([verb, 409]);
    expect(answer.text).toMatch(/What you saw.*“shells”.*What it is now.*“beads”/s);
  }
  expect(await readBridgeActs(it.bridge.pool)).toEqual([]);
  expect(await owner.get(`${path}/release`)).toMatchObject({ status: 405 });
});

test('it is resolved with a word and a note, the word is taken back, and both are in its line of time', async () => {
  await using it = await world();
  const { path, connected } = await review(it);
  const owner = await signIn(it.bridge, { name: `Мария ${EVIL}` });
  const post = async (verb: string, fields: Record<string, string>) => owner.post(`${path}/${verb}`, { ...(await seenBy(owner, path)), ...fields });

  expect(await post('resolve', { how: '', note: 'x' })).toMatchObject({ status: 422, text: expect.stringContaining('Choose an outcome.') });
  expect(await post('resolve', { how: 'recorded', note: 'x' })).toMatchObject({ status: 422, text: expect.stringContaining('Enter the id') });
  const half = await post('resolve', { how: 'elsewhere', recorded: `"${EVIL}` });
  expect(half).toMatchObject({ status: 422, text: expect.stringContaining('Write a note') });
  expect(half.text).toContain('value="&quot;&lt;img');
  expect(await post('resolve', { how: 'elsewhere', note: `by the till ${EVIL}` })).toMatchObject({ status: 303, location: `${path}?done=order-resolved` });
  await it.bridge.settled(connected, '1', 'resolved');

  const { text } = await owner.get(`${path}?done=order-resolved`);
  expect(text).toContain('It is resolved and no longer in review.');
  expect(text).toContain('Resolved by Мария &lt;img src=x onerror=alert(1)&gt;: recorded elsewhere. “by the till &lt;img');
  expect(text).not.toContain('<img');
  expect(await post('release', {})).toMatchObject({ status: 303 });
  await it.bridge.settled(connected, '1', 'review');
  expect(await post('resolve', { how: 'recorded', recorded: 'by-hand-1', note: 'x' })).toMatchObject({ status: 303 });
  expect(await it.bridge.settled(connected, '1', 'resolved')).toMatchObject({ complianceId: 'by-hand-1' });
  const acts = await readBridgeActs(it.bridge.pool);
  expect(acts.map(({ act, who }) => `${act} ${who === `person:${owner.person.id}`}`)).toEqual([
    'order.resolved true',
    'order.released true',
    'order.resolved true',
  ]);
});

test('of an unconfirmed order a person says what they found', async () => {
  await using it = await world({ idempotencyKey: 'ignored' });
  const connected = await it.bridge.connect();
  it.service.next('create', 'lose-reply');
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  const { id } = await it.bridge.settled(connected, '1', 'unconfirmed');
  const path = `/console/orders/${id}`;
  const operator = await signIn(it.bridge, { role: 'operator' });
  const post = async (verb: string, fields: Record<string, string>) => operator.post(`${path}/${verb}`, { ...(await seenBy(operator, path)), ...fields });

  expect((await operator.get(path)).text).toMatch(
    /A request was sent at 22 Nov, [\d:]+, and no answer came\. Look in the service for #1|A request was sent at .* and no answer came/,
  );
  expect(await post('look', {})).toMatchObject({ status: 200, text: expect.stringContaining('does not list its records') });
  expect(await post('confirm', {})).toMatchObject({ status: 422, text: expect.stringContaining('Say whether you found it') });
  expect(await post('confirm', { found: 'yes' })).toMatchObject({ status: 422, text: expect.stringContaining('Enter the id') });
  const [current] = it.service.current('1');
  expect(await post('confirm', { found: 'yes', recorded: current?.id ?? '', note: 'looked' })).toMatchObject({ status: 303 });

  expect(await it.bridge.settled(connected, '1', 'recorded')).toMatchObject({ complianceId: current?.id });
  expect(await readBridgeActs(it.bridge.pool)).toMatchObject([{ act: 'order.confirmed', who: `person:${operator.person.id}`, why: 'looked' }]);
});

test('what somebody found of one request is not taken for the next one', async () => {
  await using it = await world({ idempotencyKey: 'ignored' });
  const connected = await it.bridge.connect();
  it.service.next('create', 'lose-request', 'lose-reply');
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  const { id } = await it.bridge.settled(connected, '1', 'unconfirmed');
  const path = `/console/orders/${id}`;
  const operator = await signIn(it.bridge, { role: 'operator' });
  const form = { ...(await seenBy(operator, path)), found: 'no' };

  expect(await operator.post(`${path}/confirm`, form)).toMatchObject({ status: 303 });
  await it.bridge.settled(connected, '1', 'unconfirmed');
  expect(it.service.current('1')).toHaveLength(1);

  expect(await operator.post(`${path}/confirm`, form)).toMatchObject({ status: 409 });
  expect((await it.bridge.order(connected, '1'))?.state).toBe('unconfirmed');
  expect(it.service.requests('POST')).toHaveLength(2);
});

test('each look at the buyer is an act; each webhook leads to its page', async () => {
  await using it = await world();
  const { path, id } = await review(it);
  const owner = await signIn(it.bridge);

  expect(await owner.post(`${path}/buyer`, {})).toMatchObject({ status: 200, text: expect.stringContaining('maria@example.invalid') });
  const [, webhook = ''] = /href="(\/console\/webhooks\/[\w-]+)"/.exec((await owner.get(path)).text) ?? [];
  expect((await owner.get(webhook)).text).toContain(`href="${path}"`);

  expect(await readBridgeActs(it.bridge.pool)).toMatchObject([{ act: 'buyer.seen', who: `person:${owner.person.id}`, orderRef: id, subject: null }]);
});

test('a buyer who does not open is said to be so, on the page of the order, when they are looked at, and by the command', async () => {
  await using it = await world();
  const { path, id } = await review(it);
  await it.bridge.pool.query('update customers set data = set_byte(data, 40, get_byte(data, 40) # 1)');
  const owner = await signIn(it.bridge);

  for (const { status, text } of [await owner.get(path), await owner.post(`${path}/buyer`, {})])
    expect([status, text.includes('The buyer’s data can’t be decrypted.')]).toEqual([200, true]);

  const report = await showOrder(it.bridge.app.core, { named: `id:${id}` });
  expect(report).toMatchObject({ personalDataErased: false, personalDataUnopened: true });
  expect(orderText(report).join('\n')).toContain('personal data can’t be decrypted');
});

test('of an order under the id of another one a person says whether it is a sale of its own', async () => {
  await using it = await world();
  const { record } = await store(it.bridge);
  await record(coat());
  await record(cap());
  const owner = await signIn(it.bridge);
  const { text } = await owner.get('/console/orders?code=order.other');
  const path = /href="(\/console\/orders\/\d+)">/.exec(text)?.[1] ?? '';
  expect((await owner.get(path)).text).toContain('Is it a sale of its own?');

  expect(await owner.post(`${path}/apart`, { ...(await seenBy(owner, path)), how: 'other' })).toMatchObject({
    status: 303,
    location: `${path}?done=order-apart`,
  });

  expect(await readBridgeActs(it.bridge.pool)).toMatchObject([{ act: 'order.split-or-merged', who: `person:${owner.person.id}` }]);
});

test('the language is changed on a page that can be loaded again, also after a form was answered in its place', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { payment: { method: 'econt_pay' } }) });
  const { id } = await it.bridge.settled(connected, '1', 'review');
  const operator = await signIn(it.bridge, { role: 'operator' });
  const path = `/console/orders/${id}`;
  const form = formOf((await operator.get(path)).text);

  const answer = await operator.post(`${path}/resolve`, { ...form, how: 'elsewhere', note: '' });

  expect(answer.status).toBe(422);
  expect(answer.text).toContain(`name="at" value="${path}"`);
});
