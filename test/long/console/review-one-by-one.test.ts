import { expect, test } from 'vitest';
import { issueIn } from '../../support/console/review-world.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { cap, coat, names, store } from '../../support/worlds/two-of-one-id.ts';
import { later, recorded, type World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

/** The fields that the form of the only order has. */
function fieldsOf(page: string): Record<string, string> {
  const form = page.split('<form ').find((one) => one.includes('name="order"')) ?? '';
  return Object.fromEntries([...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [name, value]));
}

async function cancelled(it: World) {
  const connected = await it.bridge.connect();
  await recorded(it, connected, '1');
  await it.bridge.send(connected, 'order.cancelled', { order: orderOf('1', { status: 'cancelled', updatedAt: later(5) }) });
  await it.bridge.settled(connected, '1', 'review');
  const owner = await signIn(it.bridge);
  const issue = issueIn((await owner.get('/console/review')).text, 'Cancelled, deleted');
  return { connected, owner, issue, form: fieldsOf((await owner.get(issue)).text) };
}

test('a cancelled order is still a sale, if somebody says so and why', async () => {
  await using it = await world();
  const { connected, owner, issue, form } = await cancelled(it);
  const viewer = await signIn(it.bridge, { role: 'viewer' });
  expect((await viewer.get(issue)).text).not.toContain('Still a sale');
  expect((await viewer.post(issue, { ...form, verb: 'keep', why: 'no' })).status).toBe(403);
  expect((await owner.post(issue, { ...form, verb: 'keep' })).status).toBe(422);
  for (const order of ['0', '999999', 'x']) expect((await owner.post(issue, { ...form, order, verb: 'remove', why: 'no' })).status).toBe(409);
  expect((await owner.post(issue, { ...form, seen: 'earlier', verb: 'remove', why: 'no' })).status).toBe(409);
  // Of this issue there is no such verb.
  expect((await owner.post(issue, { ...form, verb: 'same', why: 'no' })).location).toBe(issue);

  expect(await owner.post(issue, { ...form, verb: 'keep', why: 'the parcel is on its way' })).toMatchObject({ location: '/console/review?done=kept-sale' });

  await it.bridge.settled(connected, '1', 'recorded');
  expect(it.service.current('1')).toHaveLength(1);
});

test('or its record is deleted', async () => {
  await using it = await world();
  const { connected, owner, issue, form } = await cancelled(it);

  expect(await owner.post(issue, { ...form, verb: 'remove', why: 'the money went back in cash' })).toMatchObject({
    location: '/console/review?done=removed-sale',
  });

  await it.bridge.settled(connected, '1', 'removed');
  expect(it.service.living).toBe(0);
});

test.each([
  ['other', 'split', ['700 ', '700~2 ']],
  ['same', 'merged', ['700 ']],
] as const)('an order under the number of another one: %s', async (verb, done, left) => {
  await using it = await world();
  const { record } = await store(it.bridge);
  await record(coat());
  await record(cap());
  const operator = await signIn(it.bridge, { role: 'operator' });
  const issue = issueIn((await operator.get('/console/review')).text, 'A different order arrived under a known number');
  const form = fieldsOf((await operator.get(issue)).text);

  expect(await operator.post(issue, { ...form, verb })).toMatchObject({ status: 303, location: `/console/review?done=${done}` });

  const now = await names(it.bridge);
  expect(now.map((one) => `${one.split(' ')[0]} `)).toEqual(left);
  expect(now.join()).not.toContain('order.other');
  expect((await operator.post(issue, { ...form, verb })).status).toBe(409);
});
