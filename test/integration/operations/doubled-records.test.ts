import { expect, test } from 'vitest';
import { openComplianceClient } from '../../../src/app/compliance-api.ts';
import { openRecordAccess } from '../../../src/app/record-access.ts';
import { notifyNobody } from '../../../src/bridge/delivery/notify.ts';
import { recordLateReply } from '../../../src/bridge/ledger/orders/late-reply.ts';
import { recordsMade } from '../../../src/bridge/ledger/review/split-or-merge.ts';
import { deleteDoubled } from '../../../src/operations/orders/doubled-records.ts';
import { doubled } from '../../support/console/doubled-order.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

/** Deletes a record of the order 1 as somebody at the console. */
async function remove(it: World, id: number, record: string) {
  const { core } = it.bridge.app;
  await using access = await openRecordAccess(core);
  await using client = openComplianceClient(core.config);
  const deps = { ...access, pool: core.pool, connections: core.connections, notify: notifyNobody, client, now: Date.now };
  return await deleteDoubled(deps, { named: `id:${id}`, record, by: 'cli:test' });
}

const standing = (it: World): string[] => it.service.current('1').map(({ id }) => id);

async function doubledOrder(it: World) {
  const connected = await it.bridge.connect();
  const { id, current, other } = await doubled(it, connected);
  return { connected, id, current, other };
}

test('both records are known, however often the late answer is written, and what is known is not replaced by an answer that says nothing', async () => {
  await using it = await world({ idempotencyKey: 'ignored' });
  const { id, current, other } = await doubledOrder(it);
  const { pool } = it.bridge;
  const [made] = await recordsMade(pool, id);
  if (made === undefined) throw new Error('it has no record');
  const { record, destinationId } = made;
  const step = { kind: 'create', seq: 1, record, idempotencyKey: 'late', destinationId, uncertain: false, receipt: false } as const;
  const late = (outcome: string, recorded: 'yes' | 'unknown', complianceId: string | null) =>
    recordLateReply(pool, { orderId: id, step, end: { seq: 1, outcome, status: null, detail: null, complianceId }, recorded });

  await late('recorded', 'yes', other);
  await late('unknown', 'unknown', null);

  expect((await recordsMade(pool, id)).map(({ complianceId }) => complianceId).toSorted()).toEqual([current, other].toSorted());
  expect((await pool.query('select from steps where order_ref = $1', [id])).rowCount).toBe(2);
  expect((await pool.query(`select from steps where order_ref = $1 and outcome = 'recorded'`, [id])).rowCount).toBe(2);
});

test('a delete whose answer was lost is over when the service has it no more; until then the other record is not deleted', async () => {
  await using it = await world({ idempotencyKey: 'ignored', fresh: true });
  const { connected, id, current, other } = await doubledOrder(it);
  const { destinationId } = connected.connection;
  const isLearned = async () => (await it.bridge.app.core.destinations.unknownOrderAnswerOf(destinationId)) !== null;
  await until(isLearned, { what: 'how the service says that it has no such order' });
  it.service.next('delete', 'lose-reply', 'lose-request', 'lose-request');

  await expect(remove(it, id, other)).rejects.toMatchObject({ kind: 'unavailable' });
  await expect(remove(it, id, current)).rejects.toMatchObject({ kind: 'conflict' });
  expect(standing(it)).toEqual([current]);

  await expect(remove(it, id, other)).resolves.toMatchObject({ left: 1, released: true });
  await it.bridge.settled(connected, '1', 'recorded');
  expect(standing(it)).toEqual([current]);
});

test('of three, one whose delete may have been done counts as there: the order is decided again once it is sure that one is left', async () => {
  await using it = await world({ idempotencyKey: 'ignored', fresh: true });
  const { connected, id, current, other } = await doubledOrder(it);
  const { pool, app } = it.bridge;
  const { destinationId } = connected.connection;
  await until(async () => (await app.core.destinations.unknownOrderAnswerOf(destinationId)) !== null, {
    what: 'how the service says that it has no such order',
  });
  const [made] = await recordsMade(pool, id);
  const body = JSON.stringify(it.service.current('1')[0]?.dto);
  const again = await fetch(`${it.service.url}/public-api/v1/order`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const { id: third } = (await again.json()) as { id: string };
  if (made === undefined) throw new Error('it has no record');
  const step = { kind: 'create', seq: 1, record: made.record, idempotencyKey: 'late', destinationId, uncertain: false, receipt: false } as const;
  const end = { seq: 1, outcome: 'recorded', status: 201, detail: null, complianceId: third };
  await recordLateReply(pool, { orderId: id, step, end, recorded: 'yes' });
  it.service.next('delete', 'lose-reply', 'lose-request', 'lose-request');

  await expect(remove(it, id, third)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(await remove(it, id, other)).toMatchObject({ left: 2, released: false });
  expect(await remove(it, id, third)).toMatchObject({ left: 1, released: true });
  await it.bridge.settled(connected, '1', 'recorded');
  expect(standing(it)).toEqual([current]);
});

test.each(['current', 'other'] as const)('of two people who delete one each at once, the %s one first, one deletes', async (first) => {
  await using it = await world({ idempotencyKey: 'ignored' });
  const { connected, id, ...records } = await doubledOrder(it);
  const [one, two] = first === 'current' ? [records.current, records.other] : [records.other, records.current];
  it.service.holdAnswers();
  const earlier = remove(it, id, one);
  await until(() => it.service.requests('DELETE').length === 1, { what: 'the first delete to arrive' });

  await expect(remove(it, id, two)).rejects.toMatchObject({ kind: 'conflict' });
  it.service.letGo();

  await expect(earlier).resolves.toMatchObject({ left: 1, released: true });
  expect(await it.bridge.settled(connected, '1', 'recorded')).toMatchObject({ complianceId: two });
  expect(standing(it)).toEqual([two]);
});
