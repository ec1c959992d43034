import { recordLateReply } from '../../../src/bridge/ledger/orders/late-reply.ts';
import { recordsMade } from '../../../src/bridge/ledger/review/split-or-merge.ts';
import type { Connected } from '../worlds/bridge.ts';
import { recorded, type World } from '../worlds/world.ts';

/** An order whose create was sent twice, and whose first answer comes late: it stands for the record that the other one named. */
export async function doubled(it: World, connected: Connected) {
  await recorded(it, connected, '1');
  const { id, complianceId } = await it.bridge.settled(connected, '1', 'recorded');
  const [first] = await recordsMade(it.bridge.pool, id);
  const [current] = it.service.current('1');
  if (first === undefined || current === undefined || complianceId === null) throw new Error('it is not recorded');
  const body = JSON.stringify(current.dto);
  const again = await fetch(`${it.service.url}/public-api/v1/order`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const { id: other } = (await again.json()) as { id: string };
  const { record, destinationId } = first;
  const seq = 1;
  const step = { kind: 'create', seq, record, idempotencyKey: 'late', destinationId, uncertain: false, receipt: false } as const;
  const end = { seq, outcome: 'recorded', status: 201, detail: null, complianceId: other };
  await recordLateReply(it.bridge.pool, { orderId: id, step, end, recorded: 'yes' });
  await it.bridge.settled(connected, '1', 'review');
  return { id, current: complianceId, other, page: `/console/orders/${id}/records` };
}
