import { expect, test } from 'vitest';
import { findOnboarding } from '../../src/bridge/ledger/invitations/onboarding-store.ts';
import { merchantAtStep } from '../support/connect/merchant-at-step.ts';
import { actsIn } from '../support/console/acts-in.ts';
import { formOf } from '../support/console/form-of.ts';
import { signIn } from '../support/console/signed-in.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

test('a store on trial says so, and starts by a press that first says what it takes in', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ trial: true });
  const { id } = connected.connection;
  const way = await merchantAtStep(it.bridge, connected, 'trial');
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('2', { payment: { method: 'barter' } }) });
  for (const order of ['1', '2']) await it.bridge.settled(connected, order, 'ignored');
  const path = `/console/stores/${id}`;
  const [owner, operator] = [await signIn(it.bridge, { role: 'owner' }), await signIn(it.bridge, { role: 'operator' })];

  expect((await owner.get('/console')).text).toContain(`<a href="${path}">corner</a>: On trial, started`);
  expect((await owner.get('/console/stores')).text).toMatch(/data-label="State"><span class="tag quiet">on trial</);
  expect((await owner.get(path)).text).toContain(`href="${path}/start">Start recording</a>`);
  const seenBy = (await operator.get(path)).text;
  expect([seenBy.includes('On trial since'), seenBy.includes(`${path}/start`)]).toEqual([true, false]);
  expect((await owner.get('/console/orders?state=ignored')).text).toContain('its store is on trial: nothing is submitted');

  expect((await owner.get(`${path}/start`)).text).toContain('No order that has come would be recorded yet.');
  expect((await owner.get(`${path}/start?from=day&day=soon`)).text).toContain('“soon” is no moment');
  expect((await owner.get(`${path}/start?from=day&day=2020-01-01`)).text).toContain('more than a year ago');
  const asked = (await owner.get(`${path}/start?from=day&day=2026-11-01`)).text;
  expect(asked).toContain('1 order would be recorded: €48.00.');
  expect(asked).toContain('1 more order would need review: A payment method has no type in the settings.');
  const form = formOf(asked, `${path}/start`);
  const posted = { ...form, from: 'day', why: 'asked the merchant' };
  expect(posted).toMatchObject({ counted: ['2026-10-31T22:00:00.000Z'], day: ['2026-11-01'] });
  // Another choice than what was counted is counted first, and what was typed stays.
  const other = await owner.post(`${path}/start`, { ...posted, from: 'now' });
  expect([other.status, other.location]).toEqual([422, null]);
  expect(other.text).toContain('Nothing was started: what you selected had not been counted yet.');
  expect(formOf(other.text, `${path}/start`)).toMatchObject({ counted: ['now'], why: ['asked the merchant'] });
  expect(await it.bridge.app.core.connections.find(id)).toMatchObject({ trialSince: expect.any(String) });
  const started = await owner.post(`${path}/start`, posted);

  expect(started.location).toContain(path);
  expect(await it.bridge.app.core.connections.find(id)).toMatchObject({ recordFrom: '2026-10-31T22:00:00.000Z' });
  await it.bridge.settled(connected, '1', 'recorded');
  await it.bridge.settled(connected, '2', 'review');
  expect(await findOnboarding(it.bridge.pool, way.id)).toMatchObject({ startedAt: expect.any(String), done: expect.arrayContaining(['trial']) });
  expect(await actsIn(it.bridge.pool)).toContainEqual(
    expect.objectContaining({ who: `person:${owner.person.id}`, act: 'store.started', why: 'asked the merchant' }),
  );
  expect((await owner.post(`${path}/start`, posted)).status).toBe(409);
  expect((await owner.get(path)).text).not.toContain('On trial since');
});
