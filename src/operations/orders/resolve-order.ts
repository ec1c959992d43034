import { termsOf } from '../../bridge/connections/connection.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import type { KeptOrder } from '../../bridge/ledger/orders/read-orders.ts';
import { decideRemoval as decideInLedger, resolveOrder as resolveInLedger } from '../../bridge/ledger/review/resolutions.ts';
import { hasReceipt, receiptDue } from '../../bridge/order/decisions/claim.ts';
import type { CreatedRecord } from '../../bridge/order/decisions/conclude.ts';
import { isContentKnown, type NotTaken, type ResolvedAs, recordByHand, wantedOf, whyNotTaken } from '../../bridge/order/decisions/wanted.ts';
import { noFacts } from '../../bridge/order/facts/facts.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import type { TaxRecord } from '../../contract/record.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { Refusal } from '../refusal.ts';
import { stateName } from '../words.ts';
import { namedOrder } from './named-order.ts';
import { fittingRecord, type RecordAccess, recordAtService } from './record-at-service.ts';

type Deps = RecordAccess & { pool: Pool; notify: Notify; connections: FindConnection; now(): number };

/** What became of an order in review. `recorded`: the id of its record at the compliance service. */
export type ResolutionGiven = { how: 'recorded'; recorded: string } | { how: 'not-a-sale' | 'elsewhere' };
export type ResolveInput = { named: string; outcome: ResolutionGiven; by: Actor; why: string };

/** `isRead`: the record was looked up; false: the person's word is taken for it; null: there is none. */
type ResolvedOrder = { id: number; isRead: boolean | null };

/** A person says what became of an order in review: it no longer waits, until something new comes of it. A record that was made by hand counts as ours. */
export async function resolveOrder(deps: Deps, { named, outcome, by, why }: ResolveInput): Promise<ResolvedOrder> {
  const order = await namedOrder(deps, named);
  const { id, revision } = order;
  const code = reviewedCode(order, named, outcome.how);
  const made = outcome.how === 'recorded' ? await recordMade(deps, order, outcome.recorded) : { byHand: null, isRead: null };
  const at = new Date(deps.now()).toISOString();
  const resolution = { how: outcome.how, revision, complianceId: outcome.how === 'recorded' ? outcome.recorded : null, code, who: by, why, at };
  if (!(await resolveInLedger(deps.pool, { ...order, resolution }, made.byHand))) throw changedMeanwhile(named);
  const isDue = made.byHand !== null && made.byHand.receipt !== null;
  if (isDue) deps.notify([{ id, dueAt: 0 }]);
  return { id, isRead: made.isRead };
}

export function changedMeanwhile(named: string): Refusal {
  const said = { en: `the order ${named} has changed meanwhile: nothing was done`, bg: `поръчка ${named} междувременно се промени: нищо не беше направено` };
  return new Refusal('conflict', { ...said, advice: '`orderbridge order` shows what it waits for now' });
}

/** `byHand`: null if it is the record that the ledger has already. */
async function recordMade(deps: Deps, order: KeptOrder, recorded: string): Promise<{ byHand: CreatedRecord | null; isRead: boolean }> {
  const { destinationId, settings } = await knownConnection(deps.connections, order.connectionId);
  const at = order.complianceId === recorded ? (order.destinationId ?? destinationId) : destinationId;
  const there = await fittingRecord(deps, order, { recorded, destinationId: at });
  const isRead = there.is === 'there';
  if (order.complianceId === recorded) return { byHand: null, isRead };
  await refuseDoubled(deps, order);
  const record = isRead ? there.record : await contentByHand(deps, order);
  const receipt = isContentKnown(record) && hasReceipt(record, settings.receipts) ? receiptDue(recorded, deps.now()) : null;
  return { byHand: { current: { record, complianceId: recorded, destinationId }, receipt }, isRead };
}

/** The record that the ledger has must be gone, else the sale would be declared twice. */
async function refuseDoubled(deps: Deps, { complianceId, destinationId }: KeptOrder): Promise<void> {
  if (complianceId === null || destinationId === null) return;
  if ((await recordAtService(deps, destinationId, complianceId)).is !== 'there') return;
  throw new Refusal('conflict', {
    en: `the order's record ${complianceId} still exists, so the sale would be declared twice: delete it first`,
    bg: `записът ${complianceId} на поръчката още съществува и продажбата би била отчетена два пъти: първо го изтрийте`,
    advice: `in our own service \`orderbridge service orders delete ${complianceId}\` does so`,
  });
}

async function contentByHand({ connections }: Deps, order: KeptOrder): Promise<TaxRecord> {
  const { orderId, mapping, backfilled } = order;
  const connection = await knownConnection(connections, order.connectionId);
  const facts = { ...order.facts, customer: noFacts.customer };
  const terms = termsOf(connection, storefrontOf(storefronts, connection.platform));
  return recordByHand({ orderId, facts, wanted: wantedOf({ key: { orderId }, facts, mapping, backfilled, current: null, previous: null }, terms) });
}

/** kept: the sale stays recorded, or is recorded, as far as no refund is known. removed: its record is deleted, as if all of it were refunded. */
type RemovalInput = { named: string; how: 'kept' | 'removed'; by: Actor; why: string };

/**
 * A person decides whether a cancelled order is still a sale, or that the record of an order must go, which is in review or recorded. Anything new undoes
 * that in review; of a recorded one it comes to review.
 */
export async function decideRemoval({ pool, notify }: { pool: Pool; notify: Notify }, { named, how, by, why }: RemovalInput): Promise<void> {
  const order = await namedOrder({ pool }, named);
  const { id, revision, complianceId } = order;
  const code = reviewedCode(order, named, how);
  const resolution = { how, revision, complianceId, code, who: by, why, at: new Date().toISOString() };
  if (!(await decideInLedger(pool, { ...order, resolution }))) throw changedMeanwhile(named);
  notify([{ id, dueAt: 0 }]);
}

/** Refuses a person's word about an order that does not wait for it, and says what does. Returns the code that the order waits with. */
function reviewedCode(order: KeptOrder, named: string, how: ResolvedAs) {
  const { state, review, complianceId, openStep } = order;
  const why = whyNotTaken({ state, code: review?.code ?? null, complianceId, isStepOpen: openStep !== null }, how);
  if (why !== null) throw refusalOf(why, order, named);
  return review?.code ?? null;
}

function refusalOf(why: NotTaken, order: KeptOrder, named: string): Refusal {
  const { what, advice } = words[why](order);
  return new Refusal('conflict', { en: `the order ${named} ${what.en}`, bg: `поръчка ${named} ${what.bg}`, advice });
}

const words: Record<NotTaken, (order: KeptOrder) => { what: LocalizedText; advice: string }> = {
  unconfirmed: ({ id }) => ({
    what: { en: 'is unconfirmed: it is not known whether its record exists', bg: 'не е потвърдена: не се знае дали записът ѝ съществува' },
    advice: `\`orderbridge confirm id:${id} --recorded ID\` or \`--not-recorded\` says it`,
  }),
  'not-in-review': ({ id, state }) => ({
    what: { en: `is ${state}, not in review: nobody is asked about it`, bg: `не е за проверка (${stateName(state, 'bg')}): никой не пита за нея` },
    advice: `\`orderbridge order id:${id}\` shows it`,
  }),
  doubled: ({ id, review }) => ({
    what: { en: `is recorded twice (${review?.detail ?? ''})`, bg: 'е записана два пъти' },
    advice: `\`orderbridge delete-record id:${id}\` lists the records, and deletes one of them`,
  }),
  other: ({ id }) => ({
    what: {
      en: 'came under the id of another one: first say whether it is a sale of its own',
      bg: 'дойде с идентификатора на друга: първо кажете дали е отделна продажба',
    },
    advice: `\`orderbridge release id:${id} --other\` if it is, \`--same\` if it is the same sale`,
  }),
  recorded: ({ id, complianceId }) => ({
    what: {
      en: `has the record ${complianceId} at the compliance service, so it is declared as a sale`,
      bg: `има запис ${complianceId} в услугата за отчитане и с него е отчетена като продажба`,
    },
    advice: `\`orderbridge release id:${id} --remove\` deletes that record, \`orderbridge resolve id:${id} --recorded ${complianceId}\` leaves it as it is`,
  }),
  'nothing-recorded': ({ id }) => ({
    what: { en: 'has no record that could be removed', bg: 'няма запис, който да бъде изтрит' },
    advice: `\`orderbridge resolve id:${id} --not-a-sale\` says that it is no sale`,
  }),
  'not-unproven': ({ id, review, complianceId }) => ({
    what: {
      en: `needs review as ${review?.code ?? ''}, not as removal.unproven`,
      bg: `е за проверка заради ${review?.code ?? ''}, а не заради removal.unproven`,
    },
    advice:
      complianceId === null
        ? `\`orderbridge resolve id:${id}\` says what became of it`
        : `\`orderbridge resolve id:${id} --recorded ${complianceId}\` leaves its record as it is`,
  }),
};
