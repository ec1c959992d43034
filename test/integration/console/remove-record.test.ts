import { expect, test } from 'vitest';
import { formOf } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { later, type World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

async function recorded({ bridge }: World) {
  const connected = await bridge.connect();
  await bridge.send(connected, 'order.paid', { order: orderOf('1') });
  const { id } = await bridge.settled(connected, '1', 'recorded');
  const operator = await signIn(bridge, { role: 'operator' });
  const [path, removal] = [`/console/orders/${id}`, `/console/orders/${id}/removal`];
  return { connected, operator, path, removal, form: formOf((await operator.get(path)).text, removal) };
}

test('the record of a recorded order is removed once, with what that changes said before, and a reason that is kept', async () => {
  await using it = await world();
  const { connected, operator, path, removal, form } = await recorded(it);
  const viewer = await signIn(it.bridge, { role: 'viewer' });

  expect((await operator.get(path)).text).toMatch(/This deletes the record of €48.00 at the compliance service.*comes to review/s);
  expect((await viewer.get(path)).text).not.toContain('Remove the record');
  expect(await operator.post(removal, { ...form, how: 'removed' })).toMatchObject({ status: 422, text: expect.stringContaining('Write a note') });

  const sent = { ...form, how: 'removed', note: 'recorded by mistake' };
  const pressed = await Promise.all([operator.post(removal, sent), operator.post(removal, sent)]);

  expect(pressed.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  await it.bridge.settled(connected, '1', 'removed');
  expect(it.service.living).toBe(0);
  const acts = (await readBridgeActs(it.bridge.pool)).filter(({ act }) => act === 'record.removed');
  expect(acts).toMatchObject([{ who: `person:${operator.person.id}`, why: 'recorded by mistake', before: { state: 'recorded' } }]);
});

test('what comes of it later is not recorded without a person, who can record it again', async () => {
  await using it = await world();
  const { connected, operator, path, removal, form } = await recorded(it);
  await operator.post(removal, { ...form, how: 'removed', note: 'recorded by mistake' });
  await it.bridge.settled(connected, '1', 'removed');
  expect((await operator.get(path)).text).toContain('Record it again');

  await it.bridge.send(connected, 'order.updated', { order: orderOf('1', { updatedAt: later(5), number: '#1b' }) });

  expect(await it.bridge.settled(connected, '1', 'review')).toMatchObject({ review: { code: 'resolution.changed' }, complianceId: null });
  expect(it.service.living).toBe(0);
  await operator.post(`${path}/release`, formOf((await operator.get(path)).text, `${path}/release`));
  await it.bridge.settled(connected, '1', 'recorded');
  expect(it.service.living).toBe(1);
});

test('a record that was replaced meanwhile is not removed', async () => {
  await using it = await world();
  const { connected, operator, removal, form } = await recorded(it);
  await it.bridge.send(connected, 'order.updated', { order: orderOf('1', { updatedAt: later(5), number: '#1b' }) });
  await until(() => JSON.stringify(it.service.current('1')).includes('#1b'), { what: 'the other record' });
  await it.bridge.settled(connected, '1', 'recorded');

  expect(await operator.post(removal, { ...form, how: 'removed', note: 'recorded by mistake' })).toMatchObject({ status: 409 });

  expect(it.service.living).toBe(1);
});
