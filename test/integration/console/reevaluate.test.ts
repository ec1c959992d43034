import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordedOrdersOf } from '../../../src/operations/service/recorded-orders.ts';
import { noteGenerated } from '../../../src/service/audit/month/month-state.ts';
import { formOf } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { Program } from '../../support/servers/program.ts';
import { type ConnectInput, ENCRYPTION_KEYS, orderOf } from '../../support/worlds/bridge.ts';
import { startApart } from '../../support/worlds/own-service.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres('whole');
});
afterAll(() => postgres[Symbol.asyncDispose]());

const payments = (paymentProcessorName: string) => ({ borica_pos: { paymentType: 'VIRTUAL_POS', paymentProcessorName } });

/** An order that is recorded with a wrong name of its processor, and the settings put right since. */
async function recordedWrong({ bridge }: Pick<World, 'bridge'>, own: Partial<ConnectInput> = {}) {
  const connected = await bridge.connect({ ...own, settings: { payments: payments('1111') } });
  await bridge.send(connected, 'order.paid', { order: orderOf('1', { payment: { method: 'borica_pos', transactionId: 'pi_1' } }) });
  const { id } = await bridge.settled(connected, '1', 'recorded');
  const path = `/console/orders/${id}`;
  const right = () =>
    bridge.app.core.connections.changeSettings(connected.connection.id, {
      by: 'cli:ana@shop',
      edit: ({ settings }) => ({ ...settings, payments: payments('2222') }),
    });
  return { connected, path, right };
}

test('what was recorded with wrong settings is recorded anew by today’s: a delete and a create, said so', async () => {
  await using it = await world();
  const { connected, path, right } = await recordedWrong(it);
  const current = () => it.service.current('1');
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
  const { path } = await recordedWrong(it);
  const owner = await signIn(it.bridge);
  const [, id = ''] = /"id":"([^"]+)"/.exec(JSON.stringify(it.service.current('1'))) ?? [];
  // As a form that was opened before the settings were changed back.
  const seen = formOf((await owner.get(path)).text, `${path}/buyer`)['seen'] ?? '';

  const page = await owner.post(`${path}/again`, { seen, note: 'why not' });

  expect(page).toMatchObject({ status: 409, text: expect.stringContaining('nothing else would be recorded') });
  expect(JSON.stringify(it.service.current('1'))).toContain(id);
});

test('once the file of its month is made, it is not recorded anew, also where our own service is a process of its own', async () => {
  const databaseUrl = postgres.url;
  await using it = await startApart(databaseUrl, 'all');
  const { bridge, shopId, key } = it;
  const { path, right } = await recordedWrong(it, { shopId, key });
  await right();
  const operator = await signIn(bridge, { role: 'operator' });
  const { text } = await operator.get(path);
  expect(text).toContain('Record it anew');
  const [order] = (await recordedOrdersOf(bridge, { shop: shopId, limit: 1 })).orders;

  await noteGenerated(bridge.pool, { shopId, month: order?.month ?? '', leaveOut: [] });

  const { status, text: refused } = await operator.post(`${path}/again`, { ...formOf(text, `${path}/again`), note: 'the number was of another POS' });
  expect({ status, refused }).toEqual({ status: 409, refused: expect.stringContaining('is made already') });
  expect((await operator.get(path)).text).not.toContain('Record it anew');
  const address = bridge.app.core.config.compliance.kind === 'remote' ? bridge.app.core.config.compliance.baseUrl : '';
  await using program = await Program.prepare({ DATABASE_URL: databaseUrl, ENCRYPTION_KEYS, COMPLIANCE_API_URL: address, COMPLIANCE_AMOUNTS: 'decimal' });
  expect((await program.run(['reevaluate', '1', '--yes', '--why', 'another POS'])).err).toContain('is made already');
  expect((await recordedOrdersOf(bridge, { shop: shopId, limit: 2 })).orders).toMatchObject([{ id: order?.id }]);
});
