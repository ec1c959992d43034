import { expect, test } from 'vitest';
import { formOf } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const payments = (paymentProcessorName: string) => ({ borica_pos: { paymentType: 'VIRTUAL_POS', paymentProcessorName } });

/** An order that is recorded with a wrong name of its processor, and the settings put right since. */
async function recordedWrong({ bridge, service }: World) {
  const connected = await bridge.connect({ settings: { payments: payments('1111') } });
  await bridge.send(connected, 'order.paid', { order: orderOf('1', { payment: { method: 'borica_pos' } }) });
  const { id } = await bridge.settled(connected, '1', 'recorded');
  const path = `/console/orders/${id}`;
  const right = () =>
    bridge.app.core.connections.changeSettings(connected.connection.id, {
      by: 'cli:ana@shop',
      edit: ({ settings }) => ({ ...settings, payments: payments('2222') }),
    });
  return { connected, path, right, current: () => service.current('1') };
}

test('what was recorded with wrong settings is recorded anew by today’s: a delete and a create, said so', async () => {
  await using it = await world();
  const { connected, path, right, current } = await recordedWrong(it);
  const operator = await signIn(it.bridge, { role: 'operator' });
  expect((await operator.get(path)).text).not.toContain('Record it anew');
  await right();
  const page = await operator.get(path);
  expect(page.text).toContain('deletes the record at the compliance service and creates another one');
  const form = formOf(page.text, `${path}/again`);
  const before = current();
  expect((await operator.post(`${path}/again`, form)).status).toBe(422);
  expect((await operator.post(`${path}/again`, { ...form, seen: 'older', note: 'wrong' })).status).toBe(409);

  expect(await operator.post(`${path}/again`, { ...form, note: 'the number was of another POS' })).toMatchObject({
    status: 303,
    location: `${path}?done=order-reevaluated`,
  });

  await until(() => current().length === 1 && JSON.stringify(current()).includes('2222'), { what: 'the other record' });
  expect(JSON.stringify(before)).toContain('1111');
  await it.bridge.settled(connected, '1', 'recorded');
  expect((await operator.get(path)).text).not.toContain('Record it anew');
  const [act] = (await readBridgeActs(it.bridge.pool)).filter((one) => one.act === 'order.reevaluated');
  expect(act).toMatchObject({ who: `person:${operator.person.id}`, why: 'the number was of another POS', before: { state: 'recorded' } });
  // Its refunds and corrections keep to the new mapping.
  await it.bridge.send(connected, 'order.updated', {
    order: orderOf('1', { payment: { method: 'borica_pos' }, number: 'BG-2', updatedAt: new Date(Date.now() + 60_000).toISOString() }),
  });
  await until(() => JSON.stringify(current()).includes('BG-2'), { what: 'the changed order' });
  expect(JSON.stringify(current())).toContain('2222');
});

test('an order of which nothing else would be recorded is not deleted', async () => {
  await using it = await world();
  const { path, current } = await recordedWrong(it);
  const owner = await signIn(it.bridge);
  const [, id = ''] = /"id":"([^"]+)"/.exec(JSON.stringify(current())) ?? [];
  // As a form that was opened before the settings were changed back.
  const seen = formOf((await owner.get(path)).text, `${path}/buyer`)['seen'] ?? '';

  const page = await owner.post(`${path}/again`, { seen, note: 'why not' });

  expect(page).toMatchObject({ status: 409, text: expect.stringContaining('nothing else would be recorded') });
  expect(JSON.stringify(current())).toContain(id);
});
