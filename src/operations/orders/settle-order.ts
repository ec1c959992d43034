import type { Notify } from '../../bridge/delivery/notify.ts';
import { termsOf } from '../../bridge/delivery/terms-of.ts';
import type { KeptOrder } from '../../bridge/ledger/kept-order.ts';
import { type ByHand, settleOrder as settleInLedger } from '../../bridge/ledger/settle-order.ts';
import { noFacts } from '../../bridge/order/facts.ts';
import { hasReceipt, receiptDue } from '../../bridge/order/receipt.ts';
import { isContentKnown, recordByWord } from '../../bridge/order/record-by-word.ts';
import { wantedOf } from '../../bridge/order/wanted.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { TaxRecord } from '../../contract/record.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { Refusal } from '../refusal.ts';
import { fittingRecord } from './fitting-record.ts';
import { orderToDo } from './named-order.ts';
import { type RecordAccess, recordAtService } from './record-at-service.ts';
import { askedCode } from './word-refused.ts';

type Deps = RecordAccess & { pool: Pool; notify: Notify; connections: FindConnection; now(): number };

/** What became of an order in review. `recorded`: the id of its record at the compliance service. */
export type Outcome = { how: 'recorded'; recorded: string } | { how: 'not-a-sale' | 'elsewhere' };
export type SettleInput = { named: string; outcome: Outcome; by: Actor; why: string };

/** `isRead`: the record was looked up; false: the person's word is taken for it; null: there is none. */
export type SettledOrder = { id: number; isRead: boolean | null };

/** A person says what became of an order in review: it no longer waits, until something new comes of it. A record that was made by hand counts as ours. */
export async function settleOrder(deps: Deps, { named, outcome, by, why }: SettleInput): Promise<SettledOrder> {
  const order = await orderToDo(deps, named);
  const { id, revision } = order;
  const code = askedCode(order, named, outcome.how);
  const made = outcome.how === 'recorded' ? await recordMade(deps, order, outcome.recorded) : { byHand: null, isRead: null };
  const at = new Date(deps.now()).toISOString();
  const settled = { how: outcome.how, revision, complianceId: outcome.how === 'recorded' ? outcome.recorded : null, code, who: by, why, at };
  if (!(await settleInLedger(deps.pool, { ...order, settled }, made.byHand))) throw changedMeanwhile(named);
  const isDue = made.byHand !== null && made.byHand.receipt !== null;
  if (isDue) deps.notify([{ id, dueAt: 0 }]);
  return { id, isRead: made.isRead };
}

export function changedMeanwhile(named: string): Refusal {
  const said = { en: `the order ${named} has changed meanwhile: nothing was done`, bg: `поръчка ${named} междувременно се промени: нищо не беше направено` };
  return new Refusal('conflict', said, {
    advice: { en: '`orderbridge order` shows what it waits for now', bg: '`orderbridge order` показва какво чака сега' },
  });
}

/** `byHand`: null if it is the record that the ledger has already. */
async function recordMade(deps: Deps, order: KeptOrder, recorded: string): Promise<{ byHand: ByHand | null; isRead: boolean }> {
  const { destinationId, settings } = await knownConnection(deps.connections, order.connectionId);
  const at = order.complianceId === recorded ? (order.destinationId ?? destinationId) : destinationId;
  const there = await fittingRecord(deps, order, { recorded, destinationId: at });
  const isRead = there.is === 'there';
  if (order.complianceId === recorded) return { byHand: null, isRead };
  await refuseDoubled(deps, order);
  const record = isRead ? there.record : await contentByWord(deps, order);
  const receipt = isContentKnown(record) && hasReceipt(record, settings.receipts) ? receiptDue(recorded, deps.now()) : null;
  return { byHand: { standing: { record, complianceId: recorded, destinationId }, receipt }, isRead };
}

/** The record that the ledger has must be gone, else the sale would be declared twice. */
async function refuseDoubled(deps: Deps, { complianceId, destinationId }: KeptOrder): Promise<void> {
  if (complianceId === null || destinationId === null) return;
  if ((await recordAtService(deps, destinationId, complianceId)).is !== 'there') return;
  const said = {
    en: `the order's record ${complianceId} still exists, so the sale would be declared twice`,
    bg: `записът ${complianceId} на поръчката още съществува и продажбата би била отчетена два пъти`,
  };
  throw new Refusal('conflict', said, {
    advice: {
      en: `delete it first (our own service: \`orderbridge service orders delete ${complianceId}\`)`,
      bg: `първо го изтрийте (в собствената услуга: \`orderbridge service orders delete ${complianceId}\`)`,
    },
  });
}

async function contentByWord({ connections }: Deps, order: KeptOrder): Promise<TaxRecord> {
  const { orderId, mapping, backfilled } = order;
  const connection = await knownConnection(connections, order.connectionId);
  const facts = { ...order.facts, customer: noFacts.customer };
  const terms = termsOf(connection, storefrontOf(storefronts, connection.platform));
  return recordByWord({ orderId, facts, wanted: wantedOf({ key: { orderId }, facts, mapping, backfilled, standing: null, previous: null }, terms) });
}
