import { describe, expect, test } from 'vitest';
import { listActivity } from '../../../src/operations/activity/list-activity.ts';
import { hiddenIn, issueIn, sendManyToReview } from '../../support/console/review-world.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const QUESTION = '“borica_pos” has no payment type';
const BORICA = { 'value-0': 'PAYMENT_PROCESSOR', 'name-0': 'Borica AD' };

async function reviewWorld(it: World, count = 3) {
  const connected = await it.bridge.connect({ name: 'Corner' });
  await sendManyToReview(it, connected, { count });
  const owner = await signIn(it.bridge);
  const issue = issueIn((await owner.get('/console/review')).text, QUESTION);
  const form = hiddenIn((await owner.get(issue)).text, 'check');
  const found = async () => (await it.bridge.app.core.connections.find(connected.connection.id))?.settings.payments?.['borica_pos'];
  return { connected, owner, issue, form, payment: found };
}

test('nobody waits', async () => {
  await using it = await world();
  const viewer = await signIn(it.bridge, { role: 'viewer', lang: 'bg' });

  expect((await viewer.get('/console/review')).text).toContain('Нищо не ви чака.');
  expect(await viewer.get('/console/review/AAAAAAAAAAAAAAAA')).toMatchObject({ status: 404, text: expect.stringContaining('междувременно са решени') });
});

test('one order goes first, and the others follow; who did it is kept', async () => {
  await using it = await world();
  const { owner, issue, form } = await reviewWorld(it, 5);
  const page = await owner.get(issue);
  expect(page.text).toContain('We’ll record order #5 first.');
  expect(page.text).toContain('5 orders of <a href=');

  const checked = await owner.post(issue, { ...form, ...BORICA });

  const look = () => owner.get(checked.location ?? '');
  await until(async () => (await look()).text.includes('is recorded'), { what: 'the first one to be recorded' });
  const after = await look();
  expect(after.text).toContain('Release the other 4');
  expect(it.service.living).toBe(1);
  const released = await owner.post(issue, hiddenIn(after.text, 'rest'));
  expect(released.location).toMatch(/^\/console\/bulk-actions\//);
  await until(async () => (await owner.get(released.location ?? '')).text.includes('4 recorded'), { what: 'all to be recorded' });
  expect((await owner.get(released.location ?? '')).text).toContain('€192.00 recorded in all');
  const orders = await owner.get(`/console/orders?action=${released.location?.split('/').at(-1)}`);
  expect(orders.text).toContain('<strong>4 orders</strong>, €192.00');
  expect((await owner.get('/console/review')).text).toContain('Nothing is waiting for you.');
  const acts = await listActivity(it.bridge.app.core, { limit: 100 });
  const own = acts.filter(({ who }) => who === `person:${owner.person.id}`).map(({ act }) => act);
  expect(own.toSorted()).toEqual([...Array(5).fill('order.released'), 'person.signed-in', 'settings.changed']);
});

test('the record is shown as it would be, and nothing is saved or sent before somebody says so', async () => {
  await using it = await world();
  const { owner, issue } = await reviewWorld(it);
  const query = (fields: Record<string, string>) => `${issue}?${new URLSearchParams({ ...fields, preview: '1' })}`;

  const page = await owner.get(query(BORICA));
  const wrong = await owner.get(query({ 'value-0': 'VIRTUAL_POS' }));

  expect(page).toMatchObject({ status: 200 });
  expect(page.text).toContain('Order #3, as it would be recorded');
  expect(page.text).toContain('Paid by: Payment service (PayPal, Stripe, ePay…), Borica AD');
  expect(page.text).toContain('value="Borica AD"');
  expect(wrong).toMatchObject({ status: 422, text: expect.stringContaining('A virtual POS needs its number') });
  expect(it.service.requests('POST')).toEqual([]);
  expect((await listActivity(it.bridge.app.core, { limit: 100 })).map(({ act }) => act)).not.toContain('settings.changed');
  expect((await (await signIn(it.bridge, { role: 'viewer' })).get(query(BORICA))).text).not.toContain('as it would be recorded');
});

test('what the service refuses is said, nothing else is sent, and the same order goes again once it is corrected', async () => {
  await using it = await world();
  const { owner, issue, form } = await reviewWorld(it);
  it.service.next('create', { status: 422, body: { message: 'no provider is called <Borika>' } });

  const refused = await owner.post(issue, { ...form, 'value-0': 'PAYMENT_PROCESSOR', 'name-0': 'Borika' });

  await until(async () => (await owner.get(refused.location ?? '')).text.includes('refused order #3'), { what: 'the refusal' });
  const page = (await owner.get(refused.location ?? '')).text;
  expect(page).toContain('no provider is called &lt;Borika&gt;');
  expect(page).toContain('value="Borika"');
  expect(it.service.requests('POST')).toHaveLength(1);
  expect((await owner.post(issue, { ...hiddenIn(page, 'check'), verb: 'rest', check: hiddenIn(page, 'check')['again'] ?? '' })).status).toBe(409);
  const viewer = await signIn(it.bridge, { role: 'viewer' });
  expect((await viewer.get(refused.location ?? '')).text).not.toContain('Borika&gt;');
  expect((await viewer.get('/console/review')).text).toContain('The compliance service refuses the record');

  const fixed = await owner.post(issue, { ...hiddenIn(page, 'check'), ...BORICA });

  await until(async () => (await owner.get(fixed.location ?? '')).text.includes('Order #3 is recorded'), { what: 'the same order to be recorded' });
  expect(it.service.living).toBe(1);
  expect((await owner.get(fixed.location ?? '')).text).toContain('Release the other 2');
});

test('of one order alone its page says what became of it', async () => {
  await using it = await world();
  const { owner, issue, form } = await reviewWorld(it, 1);

  const checked = await owner.post(issue, { ...form, ...BORICA });
  const { location } = await owner.get(checked.location ?? '');

  expect(location).toMatch(/^\/console\/bulk-actions\//);
  await until(async () => (await owner.get(location ?? '')).text.includes('1 recorded'), { what: 'it to be recorded' });
});

test.each([
  [{}, 'Choose one.'],
  [{ 'value-0': 'MONEY' }, 'This is none of the choices.'],
  [{ 'value-0': 'PAYMENT_PROCESSOR' }, 'A payment service needs its name.'],
  [{ 'value-0': '', 'name-0': '"><script>x</script>' }, '&quot;&gt;&lt;script&gt;x'],
])('a form that is not right is shown again, and nothing is saved: %j', async (fields, words) => {
  await using it = await world();
  const { owner, issue, form, payment } = await reviewWorld(it, 1);

  const page = await owner.post(issue, { ...form, ...fields });

  expect(page.status).toBe(422);
  expect(page.text).toContain(words);
  expect(page.text).not.toContain('<script>x');
  expect(await payment()).toBeUndefined();
});

test('settings that somebody changed meanwhile are shown beside what was chosen', async () => {
  await using it = await world();
  const { owner, issue, form, connected } = await reviewWorld(it);
  const edit = () => ({ ...connected.connection.settings, payments: { borica_pos: { paymentType: 'VIRTUAL_POS', paymentProcessorName: '12' } } });
  await it.bridge.app.core.connections.changeSettings(connected.connection.id, { by: 'cli:maria@shop', edit });

  const page = await owner.post(issue, { ...form, ...BORICA });

  expect(page.status).toBe(409);
  expect(page.text).toMatch(/What you saw.*Payment service .*Borica AD.*What it is now.*Card, by a virtual POS.*, 12/s);
  expect(it.service.living).toBe(0);
});

test('an issue that is answered meanwhile is not answered twice', async () => {
  await using it = await world();
  const { owner, issue, form } = await reviewWorld(it, 1);
  await owner.post(issue, { ...form, ...BORICA });
  await until(() => it.service.living === 1, { what: 'it to be recorded' });

  expect(await owner.post(issue, { ...form, ...BORICA })).toMatchObject({ status: 409, text: expect.stringContaining('It is decided already.') });
});

test('no other is released before one went well', async () => {
  await using it = await world();
  const { owner, issue, form } = await reviewWorld(it);

  for (const check of ['', 'no-run', '00000000-0000-4000-8000-000000000000']) {
    expect((await owner.post(issue, { ...form, verb: 'rest', check })).status).toBe(409);
  }

  expect(it.service.living).toBe(0);
});

describe('who may', () => {
  test('viewers and accountants see the issue, and answer nothing; nor does another site', async () => {
    await using it = await world();
    const { owner, issue, form, payment } = await reviewWorld(it, 1);
    for (const role of ['viewer', 'accountant'] as const) {
      const browser = await signIn(it.bridge, { role });
      const page = await browser.get(issue);
      expect(page.text).toContain(QUESTION);
      expect(page.text).not.toContain('one order</button>');
      expect((await browser.post(issue, { ...form, ...BORICA })).status).toBe(403);
    }
    expect((await owner.post(issue, { ...form, ...BORICA }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);

    expect(await payment()).toBeUndefined();
  });

  test('an accountant of other shops sees nothing of it', async () => {
    await using it = await world();
    const { owner, issue, form } = await reviewWorld(it);
    const own = await it.bridge.connect({ name: 'Ъгъл' });
    await sendManyToReview(it, own, { count: 1, first: 50 });
    const accountant = await signIn(it.bridge, { role: 'accountant', shops: [own.connection.shopId] });

    const list = (await accountant.get('/console/review')).text;

    expect(list).toContain('Ъгъл');
    expect(list).not.toContain('Corner');
    expect((await accountant.get(issue)).status).toBe(404);
    const checked = await owner.post(issue, { ...form, ...BORICA });
    const bulkAction = checked.location?.split('action=')[1] ?? '';
    expect((await owner.get(`/console/bulk-actions/${bulkAction}`)).status).toBe(200);
    expect((await accountant.get(`/console/bulk-actions/${bulkAction}`)).status).toBe(404);
  });
});

test('markup in names is text on every page', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: '<i>store</i>' });
  const evil = '<img src=x onerror=alert(1)>';
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { number: evil, payment: { method: evil } }) });
  await it.bridge.send(connected, 'order.paid', {
    order: orderOf('2', { number: evil, total: '47.90', lines: [{ id: 'a', name: evil, quantity: 1, amount: '48.00', vatRate: '20' }] }),
  });
  for (const id of ['1', '2']) await it.bridge.settled(connected, id, 'review');
  const owner = await signIn(it.bridge);

  const list = (await owner.get('/console/review')).text;
  const pages = [
    list,
    ...(await Promise.all(['has no payment type', 'The lines do not add up'].map(async (one) => (await owner.get(issueIn(list, `[^<]*${one}`))).text))),
  ];

  for (const page of pages) expect(page).not.toMatch(/<img src=x|<i>store/);
  expect(pages[2]).toContain('The lines are €0.10 above what was paid.');
});

test('other stores’ choice for the same payment method is shown', async () => {
  await using it = await world();
  await it.bridge.connect({ name: 'Ъгъл', settings: { payments: { borica_pos: { paymentType: 'VIRTUAL_POS', paymentProcessorName: '123' } } } });
  const { owner, issue } = await reviewWorld(it, 1);

  expect((await owner.get(issue)).text).toMatch(/Another store \(Ъгъл\) chose: <strong>Card, by a virtual POS[^<]*, 123/);
});
