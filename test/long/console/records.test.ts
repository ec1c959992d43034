import { expect, test } from 'vitest';
import { doubled } from '../../support/console/doubled-order.ts';
import { formOf } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { ownShop, standingIn } from '../../support/worlds/own-service.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { recorded, totals } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

test.each(['current', 'other'] as const)(
  'of two records the one that is chosen (%s) is deleted, and the order goes on with the one that is left',
  async (which) => {
    await using it = await world({ idempotencyKey: 'ignored' });
    const connected = await it.bridge.connect();
    const { id, page, ...records } = await doubled(it, connected);
    const [chosen, left] = which === 'current' ? [records.current, records.other] : [records.other, records.current];
    const operator = await signIn(it.bridge, { role: 'operator' });
    expect((await operator.get(`/console/orders/${id}`)).text).toContain(`href="${page}"`);
    const form = await operator.get(page);
    for (const words of [records.current, records.other, '€48.00', 'the one that orderbridge counts with']) expect(form.text).toContain(words);

    expect((await operator.post(page, formOf(form.text, page))).status).toBe(422);
    const answer = await operator.post(page, { ...formOf(form.text, page), record: chosen, note: 'twice' });

    expect(answer.location).toBe(`/console/orders/${id}?done=record-deleted`);
    expect(await it.bridge.settled(connected, '1', 'recorded')).toMatchObject({ complianceId: left });
    expect(it.service.current('1').map((one) => one.id)).toEqual([left]);
    const acts = await readBridgeActs(it.bridge.pool);
    expect(acts.find(({ act }) => act === 'record.deleted')).toMatchObject({ who: `person:${operator.person.id}`, subject: chosen, why: 'twice' });
    // A refund of all of it deletes the one that is left.
    await it.bridge.send(connected, 'order.updated', {
      order: orderOf('1', { updatedAt: '2026-11-01T10:05:00Z', refunds: [{ id: 'r1', at: '2026-11-01T10:05:00Z', amount: '48.00' }] }),
    });
    await it.bridge.settled(connected, '1', 'removed');
    expect(totals(it.service, '1')).toEqual([]);
  },
);

test('nothing is deleted of an order that is not recorded twice, by a form that is out of date, by others, or if the service does not say so', async () => {
  await using it = await world({ idempotencyKey: 'ignored' });
  const connected = await it.bridge.connect();
  const { id, page, current, other } = await doubled(it, connected);
  const operator = await signIn(it.bridge, { role: 'operator' });
  const form = formOf((await operator.get(page)).text, page);

  for (const role of ['viewer', 'accountant'] as const) {
    const browser = await signIn(it.bridge, { role });
    expect([(await browser.get(page)).status, (await browser.post(page, { ...form, record: other })).status]).toEqual([403, 403]);
  }
  expect((await operator.post(page, { ...form, seen: 'other', record: other })).status).toBe(409);
  expect((await operator.post(page, { ...form, record: 'nowhere' })).status).toBe(404);
  it.service.always({ status: 422 });
  const failed = await operator.post(page, { ...form, record: other });
  expect([failed.status, failed.text.includes('did not say that the record')]).toEqual([503, true]);
  expect(
    it.service
      .current('1')
      .map((one) => one.id)
      .toSorted(),
  ).toEqual([current, other].toSorted());
  expect((await it.bridge.settled(connected, '1', 'review')).id).toBe(id);
});

test('a record of our own service is shown and deleted by hand; who holds it is said', async () => {
  await using it = await world({ embeddedService: true });
  const service = await ownShop(it);
  const connected = await it.bridge.connect({ shopId: service.shopId });
  await recorded(it, connected, '1');
  const { id, complianceId } = await it.bridge.settled(connected, '1', 'recorded');
  const page = `/console/records/${complianceId}`;
  const operator = await signIn(it.bridge, { role: 'operator' });

  const shown = await operator.get(page);

  expect(shown.text).toContain('orderbridge holds it as the record of its order');
  expect(shown.text).toContain('€48.00');
  const form = formOf(shown.text, page);
  expect((await operator.post(page, { ...form, why: '' })).status).toBe(422);
  expect((await operator.post(page, { ...form, seen: 'other', why: 'a test' })).status).toBe(409);
  expect((await operator.post(page, { ...form, why: 'a test' })).location).toBe(`/console/orders/${id}?done=record-gone`);
  expect(await standingIn(it, service)).toEqual([]);
  expect((await operator.get(page)).status).toBe(404);
  const activity = (await operator.get('/console/activity')).text;
  expect(activity).toContain('A recorded order was deleted by hand.');
});
