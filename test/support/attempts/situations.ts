import type { Claim } from '../../../src/bridge/order/decisions/claim.ts';
import type { Situation } from '../../../src/bridge/order/decisions/next-action.ts';
import type { CreateStep, DeleteStep } from '../../../src/bridge/order/decisions/step.ts';
import { type Resolution, type ResolvedAs, wantedOf } from '../../../src/bridge/order/decisions/wanted.ts';
import { type Facts, noFacts } from '../../../src/bridge/order/facts/facts.ts';
import type { Terms } from '../../../src/bridge/order/facts/settings.ts';
import type { TaxRecord } from '../../../src/contract/record.ts';
import { facts, line, refund, snapshot } from '../samples/order-facts.ts';
import { sampleClaim, sampleTerms } from '../samples/sample-claim.ts';

/** The moment of every situation, half an hour after the order was paid. */
export const NOW = Date.parse('2026-11-20T10:30:00Z');

/** The record that follows from the facts of the sample order, and another record of it. */
export const record: TaxRecord = wantedRecord();
export const other: TaxRecord = { ...record, internalNumber: '#OLD' };

function wantedRecord(claim: Partial<Claim> = {}): TaxRecord {
  const wanted = wantedOf(sampleClaim(claim), sampleTerms());
  if (wanted.kind !== 'record') throw new Error('the sample order should be recorded');
  return wanted.record;
}

export const same = current(record);
export const another = current(other);
export const lostCreate: CreateStep = { kind: 'create', seq: 3, record, idempotencyKey: 'key-3', destinationId: 'd1', uncertain: true, receipt: false };
export const lostDelete: DeleteStep = { kind: 'delete', seq: 3, complianceId: 'c-1', destinationId: 'd1', uncertain: true };

export const refunded = facts({ refunds: [refund()] });
export const undecided = facts({ snapshot: snapshot({ problems: [{ code: 'seller.other', detail: 'sold by another shop' }] }) });
const withoutReference = facts({ snapshot: snapshot({ transactionId: null }) });
const linesMissing = facts({ refunds: [refund({ amount: '12.00', lines: null })] });
const linesOfAllMissing = facts({ refunds: [refund({ lines: null })] });
const gone = facts({ deletedAt: '2026-11-20T10:20:00.000Z' });
const listing = snapshot({ refunds: [{ id: 'r1', amount: '12.00' }] });
const inDoubt = facts({ snapshot: listing, refunds: [refund({ amount: '12.00' })], withdrawn: { r1: '2026-11-20T10:20:00.000Z' } });
const basket = facts({ snapshot: snapshot({ lifecycle: 'draft', payment: 'unpaid', lines: [] }) });
const CHANGED = '2026-11-20T10:20:00.000Z';
const changedInTrash = facts({ snapshot: snapshot({ lifecycle: 'trashed', updatedAt: '2026-11-20T10:15:00.000Z' }), changedAt: CHANGED });
const noAnswer = { code: 'storefront.refused', detail: 'the store answered 403' } as const;
/** Cancelled: half of it went back, and the store says that it owes the other half. */
export const owing = facts({
  snapshot: snapshot({ lifecycle: 'cancelled', owed: '12.00', refunds: [{ id: 'r1', amount: '12.00' }] }),
  refunds: [refund({ amount: '12.00' })],
});
export const left: TaxRecord = wantedRecord({ facts: owing });
const byGiftCard = facts({ snapshot: snapshot({ paidByGiftCard: true }) });
const free = snapshot({ total: '0.00', lines: [line({ gross: '0.00' })] });
export const uncertain = { complianceId: 'c-1', destinationId: 'd1' };
export const due = { state: 'due', complianceId: 'c-1', since: '2026-11-20T10:00:00.000Z', seq: null } as const;
export const refusedBefore = { code: 'replacement.refused', detail: '422 no such group' } as const;

type Given = Partial<Omit<Situation, 'claim' | 'terms'>> &
  Partial<Pick<Terms, 'recordFrom' | 'onTrial' | 'transactionComesLater' | 'refundsVanish'>> & {
    claim?: Partial<Claim>;
    settings?: Partial<Terms['settings']>;
  };

/** By default the order is pending, with no record and no open step. */
function of({
  claim = {},
  settings = {},
  recordFrom = '2026-11-01T00:00:00Z',
  onTrial = false,
  transactionComesLater = false,
  refundsVanish = false,
  ...given
}: Given): Situation {
  return {
    claim: sampleClaim(claim),
    terms: sampleTerms({ settings, recordFrom, onTrial, transactionComesLater, refundsVanish }),
    ...{ mayFetch: false, mayResend: false, now: NOW },
    ...given,
  };
}

function current(what: TaxRecord) {
  return { record: what, complianceId: 'c-1', destinationId: 'd1' };
}

/** A person's word about the first revision. */
function said(how: ResolvedAs, complianceId = 'c-1'): Resolution {
  return { how, revision: 1, complianceId, code: 'seller.other', who: 'cli:ana@office', why: 'asked the shop', at: '2026-11-20T10:15:00.000Z' };
}

const removed: Resolution = { ...said('removed'), code: null };

function known(snapshotValues: Parameters<typeof snapshot>[0]): { facts: Facts } {
  return { facts: facts({ snapshot: snapshot(snapshotValues) }) };
}

/** Every situation in which a decision differs. */
export const situations = {
  'nothing changed': of({ claim: { recordedRevision: 1, current: same } }),
  'nothing changed, and a receipt is due': of({ claim: { recordedRevision: 1, current: same, receipt: due } }),
  'a person was asked': of({ claim: { reviewRevision: 1, state: 'review' } }),
  'a person was asked, and the receipt of the current record is due': of({ claim: { reviewRevision: 1, state: 'review', current: another, receipt: due } }),
  'a person was asked about a create, and the receipt of the record it replaces is due': of({
    claim: { reviewRevision: 1, state: 'unconfirmed', current: another, receipt: due, openStep: lostCreate },
  }),
  'the lines of a refund are not known': of({ claim: { facts: linesMissing }, mayFetch: true }),
  'the lines of a refund are not known, and the store can’t be queried': of({ claim: { facts: linesMissing } }),
  'the lines of a refund are not known, and the store did not answer for six hours': of({ claim: { facts: linesMissing }, queried: noAnswer }),
  'the lines of a refund are not known, the store did not answer for six hours, and the old record is deleted': of({
    ...{ claim: { facts: linesMissing, previous: other }, queried: noAnswer },
  }),
  'the lines of a refund are not known, and it is a full one': of({ claim: { facts: linesOfAllMissing, current: same }, mayFetch: true }),
  'the lines of a refund are not known, and a person must decide anyway': of({
    ...{ claim: { facts: { ...linesMissing, snapshot: undecided.snapshot } }, mayFetch: true },
  }),
  'the order is said to be deleted': of({ claim: { facts: gone, current: same }, mayFetch: true }),
  'the order is said to be deleted, and all of it was refunded': of({ claim: { facts: { ...refunded, deletedAt: gone.deletedAt } }, mayFetch: true }),
  'the order is said to be deleted, and the store can’t be queried': of({ claim: { facts: gone, current: same } }),
  'the order is said to have changed': of({ claim: { facts: facts({ changedAt: CHANGED }) }, mayFetch: true }),
  'the order is recorded, and said to have changed': of({ claim: { facts: facts({ changedAt: CHANGED }), current: same }, mayFetch: true }),
  'an order that is not known is said to have changed': of({ claim: { facts: { ...noFacts, changedAt: CHANGED } }, mayFetch: true }),
  'an order in the trash is said to have changed': of({ claim: { facts: changedInTrash }, mayFetch: true }),
  'an order in the trash is said to have changed, and the store can’t be queried': of({ claim: { facts: changedInTrash } }),
  'an order in the trash is said to have changed, and the store answered within the second of that': of({
    ...{ claim: { facts: changedInTrash }, queried: 'answered', now: Date.parse('2026-11-20T10:15:01.500Z') },
  }),
  'the order is said to be deleted, and to have changed since': of({ claim: { facts: { ...gone, changedAt: '2026-11-20T10:21:00.000Z' } }, mayFetch: true }),
  'a refund is said to be deleted': of({ claim: { facts: inDoubt, current: another }, mayFetch: true, refundsVanish: true }),
  'a refund is said to be deleted, and the store can’t be queried': of({ claim: { facts: inDoubt, current: another }, refundsVanish: true }),
  'a refund is said to be deleted, the store can’t be queried, and the order is not paid': of({
    ...{ claim: { facts: { ...inDoubt, paidSeenAt: null, snapshot: { ...listing, payment: 'unpaid' } } }, refundsVanish: true },
  }),
  'a refund is said to be deleted, where none can be': of({ claim: { facts: inDoubt, current: another } }),
  'a refund is said to be deleted, and the store answered with a state that may be older': of({
    ...{ claim: { facts: inDoubt, current: another }, queried: 'answered', refundsVanish: true },
  }),
  'everything is known, and the store may be queried': of({ mayFetch: true }),

  'a record is desired, and none is recorded': of({}),
  'a record is desired, and it is recorded': of({ claim: { current: same } }),
  'a record is desired, and another one is recorded': of({ claim: { current: another } }),
  'a person must decide, and nothing is recorded': of({ claim: { facts: undecided } }),
  'a person must decide, and a record exists': of({ claim: { facts: undecided, current: same } }),
  'what is left of the order is recorded, and a person must decide about the rest': of({ claim: { facts: owing, current: current(left) } }),
  'a recorded order became a draft': of({ claim: { facts: basket, current: same } }),
  'a recorded order became a draft, and its record is to be kept': of({ claim: { facts: basket, current: same }, settings: { removeWithoutRefund: 'keep' } }),
  'an order that was paid and never recorded became a draft': of({ claim: { facts: { ...basket, paidSeenAt: '2026-11-20T10:01:00.000Z' } } }),
  'a recorded order is called a test': of({ claim: { ...known({ test: true }), current: same } }),
  'no record is desired, and one is recorded': of({ claim: { facts: refunded, current: same } }),
  'no record is desired, and none is recorded: only its refund is known': of({ claim: { facts: facts({ snapshot: null, refunds: [refund()] }) } }),
  'no record is desired, and none is recorded: it is not paid': of({ claim: known({ payment: 'unpaid' }) }),
  'no record is desired, and none is recorded: a draft': of({ claim: { facts: basket } }),
  'no record is desired, and none is recorded: a test': of({ claim: known({ test: true }) }),
  'no record is desired, and none is recorded: it is free': of({ claim: known(free) }),
  'no record is desired, and none is recorded: paid before `recordFrom`': of({ recordFrom: '2026-12-01T00:00:00Z' }),
  'no record is desired, and none is recorded: its store is on trial': of({ onTrial: true }),
  'no record is desired, and none is recorded: all of it was refunded': of({ claim: { facts: refunded } }),
  'no record is desired, and none is recorded: removed without a refund': of({
    claim: known({ lifecycle: 'cancelled' }),
    settings: { removeWithoutRefund: 'remove' },
  }),

  'a person said that the record is right, and nothing is new': of({ claim: { facts: undecided, current: same, resolution: said('recorded') } }),
  'a person said that the record is right, and something is new': of({ claim: { revision: 2, current: another, resolution: said('recorded') } }),
  'a person said that another record is right, and nothing is new': of({ claim: { current: another, resolution: said('recorded', 'c-2') } }),
  'a person said that it is no sale, and something is new': of({ claim: { revision: 2, resolution: said('not-a-sale') } }),
  'a person said that it is no sale, and it is refunded': of({ claim: { revision: 2, facts: refunded, resolution: said('not-a-sale') } }),
  'a person said that it is recorded elsewhere, and something is new that can’t be decided': of({
    claim: { revision: 2, facts: undecided, resolution: said('elsewhere') },
  }),
  'a person said that it is recorded elsewhere, and a record of it was found': of({ claim: { current: same, resolution: said('elsewhere') } }),
  'a person said that a cancelled order is still a sale': of({ claim: { ...known({ lifecycle: 'cancelled' }), resolution: said('kept') } }),
  'a person said that a cancelled order is still a sale, and something is new': of({
    claim: { ...known({ lifecycle: 'cancelled' }), revision: 2, resolution: said('kept') },
  }),
  'a person said that a cancelled order is no sale': of({ claim: { ...known({ lifecycle: 'cancelled' }), current: same, resolution: said('removed') } }),
  'a person said that a cancelled order is no sale, and something is new': of({
    claim: { ...known({ lifecycle: 'cancelled' }), revision: 2, current: same, resolution: said('removed') },
  }),
  'a person removed the record of a recorded order': of({ claim: { current: same, resolution: removed } }),
  'a person removed the record of a recorded order, and it is gone': of({ claim: { resolution: removed } }),
  'a person removed the record of a recorded order, and something is new': of({ claim: { revision: 2, resolution: removed } }),
  'a person removed the record of a recorded order, and it is refunded': of({ claim: { revision: 2, facts: refunded, resolution: removed } }),

  'the payment’s transaction id comes later': of({
    ...{ claim: { facts: withoutReference }, transactionComesLater: true, settings: { transactionWaitSeconds: 3600 } },
  }),
  'the payment’s transaction id did not come in time': of({
    ...{ claim: { facts: withoutReference }, transactionComesLater: true, settings: { transactionWaitSeconds: 60 } },
  }),
  'the payment’s transaction id came': of({ transactionComesLater: true, settings: { transactionWaitSeconds: 3600 } }),
  'the payment has no transaction id, and none comes later': of({ claim: { facts: withoutReference }, settings: { transactionWaitSeconds: 3600 } }),

  'a gift card’s payment comes later': of({
    ...{ claim: { facts: byGiftCard }, transactionComesLater: true, settings: { giftCards: 'record', transactionWaitSeconds: 3600 } },
  }),
  'a gift card’s payment did not come in time': of({
    ...{ claim: { facts: byGiftCard }, transactionComesLater: true, settings: { giftCards: 'record', transactionWaitSeconds: 60 } },
  }),

  'the old record is deleted, and another is desired': of({ claim: { previous: other } }),
  'the old record is deleted, another is desired, and its transaction id comes later': of({
    ...{ claim: { previous: other, facts: withoutReference }, transactionComesLater: true, settings: { transactionWaitSeconds: 3600 } },
  }),
  'the old record is deleted, and its replacement was refused': of({ claim: { previous: other, review: refusedBefore } }),
  'the old record is deleted, and a person must decide': of({ claim: { previous: other, facts: undecided } }),
  'the old record is deleted, and no record is desired any more': of({ claim: { previous: other, facts: refunded } }),

  'the reply to a create was lost, and its key is honoured': of({ claim: { openStep: lostCreate }, mayResend: true }),
  'the reply to a create was lost, its key is honoured, and no record is desired any more': of({
    ...{ claim: { openStep: lostCreate, facts: refunded }, mayResend: true },
  }),
  'the reply to a create was lost, its key is honoured, and its buyer is erased': of({
    ...{ claim: { openStep: { ...lostCreate, buyer: 'erased' } }, mayResend: true },
  }),
  'the reply to a create was lost, its key is honoured, and the order has another buyer': of({
    ...{ claim: { openStep: { ...lostCreate, buyer: 'kept' } }, mayResend: true },
  }),
  'the reply to a create was lost': of({ claim: { openStep: lostCreate } }),
  'the reply to a create was lost, and the merchant says to resend': of({ claim: { openStep: lostCreate }, settings: { unknownOutcome: 'resend' } }),
  'the reply to a create was lost, the merchant says to resend, and another record is desired': of({
    ...{ claim: { openStep: { ...lostCreate, record: other } }, settings: { unknownOutcome: 'resend' } },
  }),
  'the reply to a create was lost, the merchant says to resend, and no record is desired any more': of({
    ...{ claim: { openStep: lostCreate, facts: refunded }, settings: { unknownOutcome: 'resend' } },
  }),
  'the reply to a create was lost, the merchant says to resend, and a person must decide': of({
    ...{ claim: { openStep: lostCreate, facts: undecided }, settings: { unknownOutcome: 'resend' } },
  }),
  'the 404 to a delete is not believed, and what is recorded is desired again': of({
    claim: { openStep: { ...lostDelete, since: '2026-11-20T10:00:00.000Z' }, current: same },
  }),
  'the reply to a delete was lost': of({ claim: { openStep: lostDelete, current: same } }),
} as const satisfies Record<string, Situation>;
