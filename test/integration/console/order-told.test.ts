import { expect, test } from 'vitest';
import { formOf } from '../../support/console/form-of.ts';
import { issueIn } from '../../support/console/review-world.ts';
import { type SignedInBrowser, signIn } from '../../support/console/signed-in.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { cap, coat, names, store } from '../../support/worlds/two-of-one-id.ts';
import { later, recorded } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

/** Sends a verb of an order's page as its form is now. */
async function say(browser: SignedInBrowser, path: string, [verb, fields]: [string, Record<string, string>]) {
  return browser.post(`${path}/${verb}`, { ...formOf((await browser.get(path)).text, `${path}/${verb}`), ...fields });
}

test.each([
  { how: 'kept', state: 'recorded', living: 1 },
  { how: 'removed', state: 'removed', living: 0 },
] as const)('a cancelled order is $how by somebody’s word, from its own page', async ({ how, state, living }) => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await recorded(it, connected, '1');
  await it.bridge.send(connected, 'order.cancelled', { order: orderOf('1', { status: 'cancelled', updatedAt: later(5) }) });
  const { id } = await it.bridge.settled(connected, '1', 'review');
  const path = `/console/orders/${id}`;
  const operator = await signIn(it.bridge, { role: 'operator' });
  expect((await operator.get(path)).text).toContain('Was the money given back?');
  // It leads to its issue, where all that are similar are.
  expect((await operator.get(path)).text).toContain(`href="${issueIn((await operator.get('/console/review')).text, 'Cancelled, deleted')}"`);
  expect((await say(operator, path, ['removal', { note: 'x' }])).status).toBe(422);
  expect((await say(operator, path, ['removal', { how }])).status).toBe(422);

  expect(await say(operator, path, ['removal', { how, note: 'the parcel' }])).toMatchObject({ status: 303, location: `${path}?done=order-${how}` });

  await it.bridge.settled(connected, '1', state);
  expect(it.service.living).toBe(living);
});

test('an order that other software may have recorded is recorded here by somebody’s word, from its own page', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ settings: { recordFrom: later(59) } });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  const { id } = await it.bridge.settled(connected, '1', 'ignored');
  const detail = `Its 48.00 EUR seem to be paid in parts: at ${later(0)}, and at ${later(59)}.`;
  await it.bridge.pool.query("update orders set state = 'review', review_code = 'payment.divided', review_detail = $2 where id = $1", [id, detail]);
  const path = `/console/orders/${id}`;
  const operator = await signIn(it.bridge, { role: 'operator' });
  const issue = issueIn((await operator.get('/console/review')).text, 'Paid in parts');
  expect((await operator.get(issue)).text).toContain('Record it here');
  const page = (await operator.get(path)).text;
  expect(page).toContain('Was it recorded elsewhere?');
  expect(page).not.toContain('It is no sale: remove the record');

  expect(await say(operator, path, ['removal', { how: 'kept', note: 'nothing had it' }])).toMatchObject({ status: 303, location: `${path}?done=order-kept` });

  await it.bridge.settled(connected, '1', 'recorded');
  expect(it.service.living).toBe(1);
});

test.each([
  ['other', 'order-apart', ['700 ', '700~2 ']],
  ['same', 'order-joined', ['700 ']],
] as const)('an order under the number of another one is the %s, from its own page', async (how, done, left) => {
  await using it = await world();
  const { record } = await store(it.bridge);
  await record(coat());
  await record(cap());
  const operator = await signIn(it.bridge, { role: 'operator' });
  const issue = issueIn((await operator.get('/console/review')).text, 'A different order arrived under a known number');
  const [, path = ''] = /href="(\/console\/orders\/\d+)"/.exec((await operator.get(issue)).text) ?? [];

  const said = await say(operator, path, ['apart', { how }]);

  expect(said.status).toBe(303);
  expect(said.location).toContain(`done=${done}`);
  const now = await names(it.bridge);
  expect(left.every((name) => now.some((one) => one.startsWith(name)))).toBe(true);
  expect(now).toHaveLength(left.length);
});
