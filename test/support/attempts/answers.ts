import { type Answer, answerOf, type Outcome, type Reply, type StepKind } from '../../../src/bridge/order/decisions/answer.ts';
import type { Claim } from '../../../src/bridge/order/decisions/claim.ts';
import type { Sent } from '../../../src/bridge/order/decisions/conclude.ts';
import type { CreateStep, DeleteStep, ReceiptStep, Step } from '../../../src/bridge/order/decisions/step.ts';
import type { Terms } from '../../../src/bridge/order/facts/settings.ts';
import { sampleClaim, sampleTerms } from '../samples/sample-claim.ts';
import { another, due, left, lostCreate, lostDelete, NOW, other, owing, record, refunded, refusedBefore, same, uncertain, undecided } from './situations.ts';

/** An answer to a step, and the order as it was sent. */
export type AnswerCase = { and: string; step: Step; answer: Answer; sent: Sent };

type Given = Partial<Omit<Sent, 'claim' | 'terms'>> & { claim?: Partial<Claim>; settings?: Partial<Terms['settings']> };

const create: CreateStep = { ...lostCreate, uncertain: false };
const remove: DeleteStep = { ...lostDelete, uncertain: false };
const receipt: ReceiptStep = { kind: 'receipt', seq: 3, complianceId: 'c-1', destinationId: 'd1', uncertain: false };

const lost: Reply = { kind: 'lost', error: 'time-out' };
const notSent: Reply = { kind: 'not-sent', error: 'ECONNREFUSED' };

type Said = { id?: string; standingId?: string; detail?: string; isOwn?: true };

function answered(status: number, { id, standingId, detail = '', ...own }: Said = {}): Reply {
  return { kind: 'answered', status, id: id ?? null, standingId: standingId ?? null, detail, retryAfterMs: status === 429 ? 5_000 : null, ...own };
}

function doubtedFor(hours: number): DeleteStep {
  return { ...lostDelete, since: new Date(NOW - hours * 3_600_000).toISOString() };
}

const made = answered(201, { id: 'c-9' });
const refused = answered(422, { detail: 'no such group' });
const notThere = answered(404, { detail: '404 page not found' });
const ofAnother = { id: 4, orderId: '1001', connectionId: 'c2' };
const ofThisOrder = { ...ofAnother, id: sampleClaim().id };
const taken = answered(409, { standingId: 'c-8', detail: 'it is recorded' });

/** A create that follows from the facts of the sample order, unless said otherwise. */
function row(and: string, [step, reply]: [Step, Reply], { claim = {}, settings = {}, ...given }: Given = {}): AnswerCase {
  const sent = { claim: sampleClaim(claim), terms: sampleTerms({ settings }), wanted: null, mayResend: false, workedAt: null, now: NOW, random: 0, ...given };
  return { and, step, answer: answerOf(step, reply), sent };
}

/** Answers that keep a step from being accepted, for a first try and for a repeated one. */
function notLetIn(reply: Reply, [first, repeated]: [Step, Step]): AnswerCase[] {
  return [row('sent for the first time', [first, reply]), row('repeated', [repeated, reply])];
}

const creates = {
  recorded: [
    row('it is desired', [create, made], { wanted: { kind: 'record', record } }),
    row('it is desired, after a 404 that was believed', [create, made], { claim: { previous: other, uncertain }, wanted: { kind: 'record', record } }),
    row('it is desired, with a receipt', [{ ...create, receipt: true }, made], { wanted: { kind: 'record', record } }),
    row('repeated, and it is still desired', [lostCreate, made]),
    row('it is desired, and a person must decide about the rest', [{ ...create, record: left }, made], { claim: { facts: owing } }),
    row('repeated, and another record is desired', [{ ...lostCreate, record: other }, made]),
    row('the previous record was put back, because its replacement was refused', [{ ...create, record: other }, made], {
      claim: { previous: other, review: refusedBefore },
    }),
    row('the previous record was put back, because a person must decide', [{ ...create, record: other }, made], {
      ...{ claim: { previous: other, facts: undecided }, wanted: { kind: 'problems', problems: [{ code: 'seller.other', detail: 'sold by another shop' }] } },
    }),
  ],
  refused: [
    row('there was no previous record', [create, refused]),
    row('it was to replace a record', [create, refused], { claim: { previous: other } }),
    row('the previous record was to be put back', [{ ...create, record: other }, refused], { claim: { previous: other, review: refusedBefore } }),
    row('repeated', [lostCreate, refused]),
    row('repeated, and it was to replace a record', [lostCreate, refused], { claim: { previous: other } }),
    row('repeated, and the previous record was to be put back', [{ ...lostCreate, record: other }, refused], {
      claim: { previous: other, review: refusedBefore },
    }),
  ],
  conflict: [
    row('sent for the first time', [create, taken]),
    row('sent for the first time, and the service does not say which record', [create, answered(409)]),
    row('repeated: the record is the one that the lost request made', [lostCreate, taken]),
    row('repeated, and the service does not say which record', [lostCreate, answered(409)]),
    row('and the record is another order’s of this ledger', [create, taken], { otherOrder: ofAnother }),
    row('repeated, and the record is another order’s of this ledger', [lostCreate, taken], { otherOrder: ofAnother }),
    row('and the record is one of this order that was deleted', [create, taken], { otherOrder: ofThisOrder }),
    row('repeated, and the record is one of this order that was deleted', [lostCreate, taken], { otherOrder: ofThisOrder }),
  ],
  unreachable: notLetIn(notSent, [create, lostCreate]),
  throttled: notLetIn(answered(429), [create, lostCreate]),
  misconfigured: notLetIn(answered(401, { detail: 'unknown key' }), [create, lostCreate]),
  'shop-unknown': [
    ...notLetIn(answered(404, { detail: 'no such shop' }), [create, lostCreate]),
    row('a 404 was believed that said that the old record is gone', [create, notThere], { claim: { previous: other, uncertain } }),
    row('repeated, after a 404 that was believed', [lostCreate, notThere], { claim: { previous: other, uncertain } }),
  ],
  'shop-refused': notLetIn(answered(403, { detail: 'shop suspended' }), [create, lostCreate]),
  unknown: [
    row('its key is honoured', [create, lost], { mayResend: true }),
    row('the merchant says to resend', [create, lost], { settings: { unknownOutcome: 'resend' } }),
    row('a person must look', [create, answered(500, { detail: 'out of order' })]),
    row('repeated, and its key is honoured', [lostCreate, answered(500, { detail: 'out of order' })], { mayResend: true }),
    row('repeated, and a person must look', [lostCreate, lost]),
  ],
} satisfies Partial<Record<Outcome, AnswerCase[]>>;

const deletes = {
  deleted: [
    row('no record is desired', [remove, answered(204)], { claim: { current: same, facts: refunded }, wanted: { kind: 'nothing', why: 'refunded' } }),
    row('another record is desired', [remove, answered(204)], {
      claim: { current: { ...same, record: other }, receipt: due },
      wanted: { kind: 'record', record },
    }),
    row('another record is desired, and nobody could read the old one', [remove, answered(204)], {
      claim: { current: { ...same, record: { ...record, lineItems: [] } } },
      wanted: { kind: 'record', record },
    }),
    row('repeated, and no record is desired', [lostDelete, answered(200)], { claim: { current: same, facts: refunded } }),
    row('after a 404 that was believed, and another record is desired', [lostDelete, answered(200)], { claim: { current: another, uncertain } }),
    row('repeated, its record is forgotten, and another record is desired', [lostDelete, answered(200)], { claim: { previous: other } }),
  ],
  gone: [
    row('it was deleted elsewhere, and no record is desired', [remove, answered(404, { isOwn: true })], { claim: { current: same, facts: refunded } }),
    row('it was deleted elsewhere, and another record is desired', [remove, answered(410, { isOwn: true })], { claim: { current: another } }),
    row('repeated, and no record is desired', [lostDelete, answered(404, { isOwn: true })], { claim: { current: same, facts: refunded } }),
  ],
  disbelieved: [
    row('for the first time', [remove, notThere], { claim: { current: same, facts: refunded } }),
    row('repeated, and it was not disbelieved before', [lostDelete, notThere], { claim: { current: same, facts: refunded } }),
    row('for an hour', [doubtedFor(1), notThere], { claim: { current: same, facts: refunded, attempts: 2 }, workedAt: NOW }),
    row('for six hours, in which the service did nothing else', [doubtedFor(6), notThere], { claim: { current: same }, workedAt: NOW - 7 * 3_600_000 }),
    row('for six hours, and nothing else was sent', [doubtedFor(6), notThere], { claim: { current: same } }),
    row('for six hours, and other records were made', [doubtedFor(6), notThere], { claim: { current: same }, workedAt: NOW }),
  ],
  refused: [
    row('', [remove, answered(400, { detail: 'the month is closed' })], { claim: { current: same } }),
    row('without a reason', [remove, answered(400)], { claim: { current: same } }),
    row('repeated', [lostDelete, answered(422, { detail: 'no such record' })], { claim: { current: same } }),
  ],
  unreachable: notLetIn(notSent, [remove, lostDelete]),
  throttled: notLetIn(answered(503), [remove, lostDelete]),
  misconfigured: notLetIn(answered(401), [remove, lostDelete]),
  'shop-refused': notLetIn(answered(403), [remove, lostDelete]),
  unknown: [
    row('', [remove, lost], { claim: { current: same, attempts: 2 } }),
    row('repeated', [lostDelete, lost], { claim: { current: same } }),
    row('after a 404 that was not believed', [doubtedFor(7), lost], { claim: { current: same }, workedAt: NOW }),
  ],
} satisfies Partial<Record<Outcome, AnswerCase[]>>;

const rested: Partial<Claim> = { state: 'recorded', recordedRevision: 1, current: same, receipt: due };
const receipts = {
  'receipt-got': [
    row('', [receipt, answered(201, { id: 'receipt-1' })], { claim: rested }),
    row('the service returns no id', [receipt, answered(204)], { claim: rested }),
  ],
  'receipt-refused': [
    row('', [receipt, answered(422, { detail: 'no receipts here' })], { claim: rested }),
    row('without a reason', [receipt, answered(501)], { claim: rested }),
  ],
  unreachable: [row('', [receipt, notSent], { claim: rested })],
  throttled: [row('', [receipt, answered(429)], { claim: rested })],
  misconfigured: [row('', [receipt, answered(401, { detail: 'unknown key' })], { claim: rested })],
  'shop-refused': [row('', [receipt, answered(403, { detail: 'no right to it' })], { claim: rested })],
  unknown: [row('', [receipt, lost], { claim: rested }), row('without a reason', [receipt, answered(500)], { claim: rested })],
} satisfies Partial<Record<Outcome, AnswerCase[]>>;

/** Every outcome of a step, in each situation where its consequence differs. */
export const answers = { create: creates, delete: deletes, receipt: receipts } satisfies Record<StepKind, Partial<Record<Outcome, AnswerCase[]>>>;
