import type { ComplianceClient } from '../../bridge/client/port.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import type { KeptOrder } from '../../bridge/ledger/orders/read-orders.ts';
import { type BeginDelete, beginDelete, endDelete, type MadeRecord, recordsMade } from '../../bridge/ledger/review/split-or-merge.ts';
import { classify, type Reply, withOrigin } from '../../bridge/order/decisions/answer.ts';
import { hasReceipt, receiptDue } from '../../bridge/order/decisions/claim.ts';
import type { Money } from '../../bridge/reconciliation/difference.ts';
import { moneyOf } from '../../bridge/reconciliation/order-findings.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { Refusal } from '../refusal.ts';
import { namedOrder } from './named-order.ts';
import { type RecordAccess, type RecordThere, recordAtService } from './record-at-service.ts';
import { releaseOrder } from './release-orders.ts';
import { changedMeanwhile } from './resolve-order.ts';

type Looking = RecordAccess & { pool: Pool };
type Deps = Looking & { notify: Notify; connections: FindConnection; client: Pick<ComplianceClient, 'deleteOrder'>; now(): number };

/** One of the records of an order. `is`: what the service says of it now; unreadable: nothing. */
export type DoubledRecord = Pick<MadeRecord, 'complianceId' | 'at' | 'isCurrent'> & { number: string; money: Money; is: RecordThere['is'] };

/** `by`: who deletes this one of the records of an order. */
export type Deleting = { named: string; record: string; by: Actor; why?: string };

/** `left`: how many records it still has. `released`: one is left, and the order is decided again from it. */
export type Deleted = { id: number; left: number; released: boolean };

const LONGEST_MS = 20_000;

/** The records that an order has, each looked up at its service. Refuses of an order that is not in review because it is recorded twice. */
export async function doubledRecords(deps: Looking, named: string): Promise<DoubledRecord[]> {
  return (await lookedUp(deps, await doubledOrder(deps, named))).map(({ made: { complianceId, at, isCurrent, record }, is }) => ({
    ...{ complianceId, at, isCurrent, is, number: record.internalNumber, money: moneyOf(record) },
  }));
}

/**
 * Deletes one of the records of an order that is recorded twice, at the service that has it; another one must be there, as far as can be known. If the order
 * stood for it, it stands for the other one from then on. Once one is left, the order is decided again from it.
 */
export async function deleteDoubled(deps: Deps, { named, record, by, why }: Deleting): Promise<Deleted> {
  const order = await doubledOrder(deps, named);
  const all = await lookedUp(deps, order);
  const chosen = all.find(({ made }) => made.complianceId === record);
  if (chosen === undefined) throw new Refusal('missing', { en: `the order ${named} has no record ${record}`, bg: `поръчка ${named} няма запис ${record}` });
  const others = all.filter((one) => one !== chosen && (one.is === 'there' || (one.is === 'unreadable' && !one.made.mayBeDeleted))).map(({ made }) => made);
  if (others.length === 0 && (chosen.made.isCurrent || order.openStep === null)) throw onlyOne(named, record);
  const said = { by, ...(why === undefined ? {} : { why }) };
  const kept = chosen.made.isCurrent ? await keptBy(deps, order.connectionId, others[0]) : null;
  const seq = await beginDelete(deps.pool, { id: order.id, record: chosen.made, kept, ...said });
  if (seq === null) throw changedMeanwhile(named);
  await send(deps, { id: order.id, seq, chosen });
  // One that may be deleted may be there, too.
  const left = all.filter((one) => one !== chosen && one.is !== 'gone').length;
  if (left > 1) return { id: order.id, left, released: false };
  const { released } = await releaseOrder(deps, `id:${order.id}`, said);
  return { id: order.id, left, released: released > 0 };
}

async function doubledOrder({ pool }: Pick<Looking, 'pool'>, named: string): Promise<KeptOrder> {
  const order = await namedOrder({ pool }, named);
  if (order.state === 'review' && order.review?.code === 'record.doubled') return order;
  const said = { en: `the order ${named} is not in review as recorded twice`, bg: `поръчка ${named} не е за проверка като записана два пъти` };
  throw new Refusal('conflict', { ...said, advice: '`orderbridge order` shows what it waits for' });
}

type LookedUp = { made: MadeRecord; is: RecordThere['is'] };

async function lookedUp(deps: Looking, { id }: KeptOrder): Promise<LookedUp[]> {
  const all: LookedUp[] = [];
  for (const made of await recordsMade(deps.pool, id)) {
    all.push({ made, is: (await recordAtService(deps, made.destinationId, made.complianceId)).is });
  }
  return all;
}

/** What the order stands for once the record is deleted that it stood for. */
async function keptBy({ connections, now }: Deps, connectionId: string, other: MadeRecord | undefined): Promise<BeginDelete['kept']> {
  if (other === undefined) return null;
  const { settings } = await knownConnection(connections, connectionId);
  const { record, complianceId, destinationId } = other;
  return { current: { record, complianceId, destinationId }, receipt: hasReceipt(record, settings.receipts) ? receiptDue(complianceId, now()) : null };
}

async function send(deps: Deps, { id, seq, chosen: { made, is } }: { id: number; seq: number; chosen: LookedUp }): Promise<void> {
  const { pool, destinations, compliance, client } = deps;
  const { complianceId } = made;
  if (is === 'gone') return endDelete(pool, id, { seq, outcome: 'gone', status: null, detail: null, complianceId });
  const destination = await destinations.find(made.destinationId);
  if (destination === null) throw new Error(`destination ${made.destinationId} is not in the ledger`);
  const reply = await client.deleteOrder(await compliance.endpointOf(destination), complianceId, AbortSignal.timeout(LONGEST_MS));
  const known = await destinations.unknownOrderAnswerOf(destination.id).catch(() => null);
  const outcome = classify('delete', withOrigin(reply, known?.keys ?? null));
  const status = reply.kind === 'answered' ? reply.status : null;
  await endDelete(pool, id, { seq, outcome, status, detail: wordsOf(reply), complianceId });
  if (outcome === 'deleted' || outcome === 'gone') return;
  const answer = status === null ? wordsOf(reply) : `${status} ${wordsOf(reply)}`.trim();
  throw new Refusal('unavailable', {
    en: `the compliance service did not say that the record ${complianceId} is deleted: ${answer}`,
    bg: `услугата за отчитане не каза, че записът ${complianceId} е изтрит: ${answer}`,
    advice: { en: 'try again, or delete it there', bg: 'опитайте отново или го изтрийте там' },
  });
}

function wordsOf(reply: Reply): string {
  return reply.kind === 'answered' ? reply.detail : reply.error;
}

function onlyOne(named: string, record: string): Refusal {
  return new Refusal('conflict', {
    en: `the record ${record} is the only one that the order ${named} still has at the compliance service: it is not deleted`,
    bg: `записът ${record} е единственият, който поръчка ${named} още има в услугата за отчитане: не се изтрива`,
    advice: '`orderbridge release` decides it again',
  });
}
