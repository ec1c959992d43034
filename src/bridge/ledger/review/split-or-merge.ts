import { z } from 'zod';
import { taxRecord } from '../../../contract/record.ts';
import { type Actor, type Authorship, authorOf, BY_PROGRAM } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { CurrentRecord, Receipt } from '../../order/decisions/claim.ts';
import type { StepEnd } from '../../order/decisions/step.ts';
import { requeued } from '../../order/decisions/transition.ts';
import type { Facts } from '../../order/facts/facts.ts';
import { merge } from '../../order/facts/merge.ts';
import { identityTexts } from '../../order/facts/same-order.ts';
import { dropBodiesOf } from '../body-columns.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { jsonText } from '../json-columns.ts';
import { CLEARED, REEVALUATED, REVIEW_REVISION, TAKEN, writeFacts } from '../order-columns.ts';
import { freeOrderIds, type KnownOrder, keyText } from '../orders/fold-deliveries.ts';
import { lockOrders } from '../orders/lock-orders.ts';
import { markSearchStale } from '../orders/order-search.ts';
import { reevaluate } from '../orders/pending-orders.ts';
import { writeBuyer } from '../orders/sent-with.ts';
import { outboxJobsOfRecord } from '../outbox-job-store.ts';

const keyRow = z.object({ id: z.int(), shopId: z.string(), platform: z.string(), store: z.string(), platformId: z.string() });
const keyRows = rowsOf('orders', keyRow);
const undecided = z.object({ id: z.int(), orderId: z.string(), connectionId: z.string() });
const undecidedRows = rowsOf('orders', undecided);
const changedRow = rowsOf('orders', undecided.omit({ id: true }));
const stepCount = rowsOf('steps', z.object({ count: z.int() }));

/** An order that came under the id of another one, until a person has said whether it is the same. */
export type Undecided = z.output<typeof undecidedRows.schema>;

/** The undecided orders that share their platform's id with one of these, or are one of these. */
export async function undecidedBeside(pool: Pool, ids: readonly number[]): Promise<Undecided[]> {
  return readRows(pool, undecidedRows, {
    text: `select o.id, o.order_id as "orderId", o.connection_id as "connectionId" from orders o
      where o.state = 'review' and o.review_code = 'order.other' and exists (select 1 from orders n where n.id = any($1)
        and n.shop_id = o.shop_id and n.platform = o.platform and n.store = o.store and coalesce(n.platform_id, n.order_id) = o.platform_id)
      order by o.id`,
    values: [ids],
  });
}

/** How an attempt ended; `orderId`: the order's id in the ledger from now on, `id`: its row, which is to be processed. */
export type SplitOrMerged = { is: 'done'; id: number; orderId: string } | { is: 'changed' } | { is: 'recorded' };

/** The order, which came under the id of another one, is a sale of its own: it is decided again under the id that it has here. */
export async function separateOrder(pool: Pool, id: number, said: Authorship = BY_PROGRAM): Promise<SplitOrMerged> {
  return inTransaction(pool, async (tx) => {
    const row = await readRow(tx, changedRow, {
      text: `select order_id as "orderId", connection_id as "connectionId" from orders where id = $1 and state = 'review' and review_code = 'order.other' for update`,
      values: [id],
    });
    if (row === null) return { is: 'changed' };
    await reevaluate(tx, { ids: [id] });
    const { orderId, connectionId } = row;
    await writeSplitOrMerged(tx, said, { id, connectionId, before: { code: 'order.other' }, after: { is: 'other', orderId } });
    return { is: 'done', id, orderId };
  });
}

/**
 * The record that the service has under the order's id is another order's: it becomes ID~2 and is decided again. `recorded`: something of it is
 * recorded under the id, or may be.
 */
export async function renameOrder(pool: Pool, id: number, said: Authorship = BY_PROGRAM): Promise<SplitOrMerged> {
  return inTransaction(pool, async (tx) => {
    const { key, orders } = await lockBeside(tx, id);
    const order = orders.find((one) => one.id === id);
    if (order?.state !== 'review' || order.reviewCode !== 'compliance.conflict') return { is: 'changed' };
    if (order.isRecorded) return { is: 'recorded' };
    const [orderId] = (await freeOrderIds(tx, { key, known: orders.map((one) => one.id), count: 1 })) ?? [];
    if (orderId === undefined) return { is: 'changed' };
    const { connectionId } = await readOne(tx, changedRow, {
      text: `update orders set platform_id = coalesce(platform_id, order_id), order_id = $2, ${REEVALUATED}, ${CLEARED}, attempts = 0, ${TAKEN} where id = $1
        returning order_id as "orderId", connection_id as "connectionId"`,
      values: [id, orderId],
    });
    const before = { code: 'compliance.conflict', orderId: order.orderId };
    await writeSplitOrMerged(tx, said, { id, connectionId, before, after: { is: 'other', orderId } });
    return { is: 'done', id, orderId };
  });
}

/** The undecided order is the first one of its id after all: its facts, buyer and webhooks go there, and that one is decided again. */
export async function joinOrder(pool: Pool, id: number, said: Authorship = BY_PROGRAM): Promise<SplitOrMerged> {
  return inTransaction(pool, async (tx) => {
    const { orders } = await lockBeside(tx, id);
    const order = orders.find((one) => one.id === id);
    const [first] = orders;
    if (first === undefined || order === undefined || first === order || order.reviewCode !== 'order.other') return { is: 'changed' };
    const sent = await readRow(tx, stepCount, { text: 'select count(*) as count from steps where order_ref = $1', values: [id] });
    if (order.isRecorded || sent?.count !== 0) return { is: 'recorded' };
    const connectionId = await writeJoined(tx, first, joined(factsOf(first), factsOf(order)));
    const isErased = [first, order].some(({ customer }) => customer.kind === 'erased');
    await tx.query('update deliveries set order_ref = $2 where order_ref = $1', [id, first.id]);
    if (isErased) await tx.query(dropBodiesOf('d.order_ref = $1'), [first.id]);
    await tx.query('delete from orders where id = $1', [id]);
    const before = { code: 'order.other', id, orderId: order.orderId };
    await writeSplitOrMerged(tx, said, { id: first.id, connectionId, before, after: { is: 'same', orderId: first.orderId } });
    return { is: 'done', id: first.id, orderId: first.orderId };
  });
}

type SplitOrMergedOf = { id: number; connectionId: string; before: Record<string, unknown>; after: { is: 'other' | 'same'; orderId: string } };

async function writeSplitOrMerged(tx: Queryable, said: Authorship, { id, connectionId, before, after }: SplitOrMergedOf): Promise<void> {
  await writeBridgeActs(tx, [{ ...authorOf(said), act: 'order.split-or-merged', connectionId, orderRef: id, before, after }]);
}

async function lockBeside(tx: Queryable, id: number): Promise<{ key: Parameters<typeof keyText>[0]; orders: KnownOrder[] }> {
  const row = await readRow(tx, keyRows, {
    text: 'select id, shop_id as "shopId", platform, store, coalesce(platform_id, order_id) as "platformId" from orders where id = $1',
    values: [id],
  });
  const { shopId = '', platform = '', store = '', platformId = '' } = row ?? {};
  const key = { shopId, platform, store, orderId: platformId };
  const text = keyText(key);
  const known = row === null ? new Map<string, KnownOrder[]>() : await lockOrders(tx, [{ key, text, deliveries: [] }]);
  return { key, orders: known.get(text) ?? [] };
}

function factsOf({ facts, customer }: KnownOrder): Facts {
  return { ...facts, customer };
}

/** What either was known by is remembered, so that later news of either is news of this order. */
function joined(a: Facts, b: Facts): Facts {
  const texts = [a, b].flatMap(({ snapshot }) => (snapshot === null ? [] : identityTexts(snapshot)));
  const facts = merge(a, b);
  return { ...facts, identities: [...new Set([...(facts.identities ?? []), ...texts])].sort() };
}

async function writeJoined(tx: Queryable, first: KnownOrder, { customer, ...facts }: Facts): Promise<string> {
  const { queued, cleared, asked } = requeued(first, true);
  await writeFacts(tx, first.id, facts);
  const { connectionId } = await readOne(tx, changedRow, {
    text: `update orders o set revision = o.revision + 1, state = case when $2::boolean then 'queued' else o.state end,
       review_code = case when $3::boolean then null else o.review_code end, review_detail = case when $3::boolean then null else o.review_detail end,
       ${REVIEW_REVISION} = case when $4::boolean then o.revision + 1 else o.${REVIEW_REVISION} end, attempts = 0, due_at = now(), dirty_since = coalesce(o.dirty_since, now()), updated_at = now()
     where o.id = $1 returning o.order_id as "orderId", o.connection_id as "connectionId"`,
    values: [first.id, queued, cleared, asked],
  });
  await writeBuyer(tx, { id: first.id, before: first.customer, after: customer });
  await markSearchStale(tx, first.id);
  return connectionId;
}

const madeRow = z.object({
  complianceId: z.string(),
  destinationId: z.string(),
  record: taxRecord,
  at: z.string(),
  isCurrent: z.boolean(),
  mayBeDeleted: z.boolean(),
});
const madeRows = rowsOf('steps', madeRow);

/**
 * A record that was made for an order and, as far as the journal knows, not deleted. `isCurrent`: the order stands for it. `mayBeDeleted`: its delete was sent, and
 * what became of that is not known.
 */
export type MadeRecord = z.output<typeof madeRows.schema>;

/** The records of an order, the oldest first: two, if it is recorded twice. */
export function recordsMade(pool: Pool, id: number): Promise<MadeRecord[]> {
  return readRows(pool, madeRows, {
    text: `select * from (
        select distinct on (s.compliance_id) s.compliance_id as "complianceId", s.destination_id as "destinationId", s.record, coalesce(s.ended_at, s.began_at) as at,
          s.compliance_id is not distinct from o.compliance_id as "isCurrent", exists (select from steps d where d.order_ref = s.order_ref and d.kind = 'delete'
            and d.compliance_id = s.compliance_id and coalesce(d.outcome, 'unknown') in ('unknown', 'disbelieved')) as "mayBeDeleted"
        from steps s join orders o on o.id = s.order_ref
        where s.order_ref = $1 and s.kind = 'create' and s.compliance_id is not null and s.record is not null and not exists (
          select from steps d where d.order_ref = s.order_ref and d.kind = 'delete' and d.compliance_id = s.compliance_id and d.outcome in ('deleted', 'gone'))
        order by s.compliance_id, s.seq desc) made order by at`,
    values: [id],
  });
}

/** `kept`: what the order stands for from then on, if it stood for the one that is deleted; null: it stays as it is. */
export type BeginDelete = { id: number; record: MadeRecord; kept: { current: CurrentRecord; receipt: Receipt | null } | null; by: Actor; why?: string };

const begunRow = rowsOf('orders', z.object({ seq: z.int(), revision: z.int(), connectionId: z.string() }));

/** Journals the delete of one of two records before it is sent. Null: the order has changed meanwhile, a worker has it, or somebody deletes the one that is `kept`. */
export async function beginDelete(pool: Pool, { id, record, kept, by, why }: BeginDelete): Promise<number | null> {
  return inTransaction(pool, async (tx) => {
    // By a statement of its own: one that waits for the lock sees the steps as they were before.
    await tx.query('select from orders where id = $1 for update', [id]);
    const row = await readRow(tx, begunRow, {
      text: `update orders set step_seq = step_seq + 1, ${TAKEN}
        where id = $1 and state = 'review' and review_code = 'record.doubled' and (lease_until is null or lease_until < now())
          and (compliance_id is not distinct from $2) = $3 and not exists (select from steps d where d.order_ref = $1 and d.kind = 'delete' and d.compliance_id = $4
            and (d.outcome in ('deleted', 'gone') or d.began_at > now() - interval '1 minute'))
        returning step_seq as seq, revision, connection_id as "connectionId"`,
      values: [id, record.complianceId, record.isCurrent, kept?.current.complianceId ?? null],
    });
    if (row === null) return null;
    if (kept !== null) await hold(tx, id, kept);
    await tx.query(`insert into steps (order_ref, seq, kind, revision, destination_id, compliance_id) values ($1, $2, 'delete', $3, $4, $5)`, [
      ...[id, row.seq, row.revision],
      ...[record.destinationId, record.complianceId],
    ]);
    const named = { connectionId: row.connectionId, orderRef: id, subject: record.complianceId, ...(why === undefined ? {} : { why }) };
    await writeBridgeActs(tx, [{ who: by, act: 'record.deleted', ...named, ...(kept === null ? {} : { after: { complianceId: kept.current.complianceId } }) }]);
    return row.seq;
  });
}

async function hold(tx: Queryable, id: number, { current, receipt }: NonNullable<BeginDelete['kept']>): Promise<void> {
  const { record, complianceId, destinationId } = current;
  const values = [id, jsonText(record), complianceId, destinationId, receipt === null ? null : jsonText(receipt)];
  await tx.query('update orders set record = $2, compliance_id = $3, record_destination = $4, receipt = $5 where id = $1', values);
  await outboxJobsOfRecord(tx, id);
}

/** What the service answered to it. */
export async function endDelete(pool: Pool, id: number, { seq, outcome, status, detail }: StepEnd): Promise<void> {
  await pool.query('update steps set outcome = $3, status = $4, detail = $5, ended_at = now() where order_ref = $1 and seq = $2', [
    ...[id, seq],
    ...[outcome, status, detail],
  ]);
}
