import { describe, expect, test } from 'vitest';
import { answerOf, type DestinationNews, destinationNews, type Reply } from '../../../../src/bridge/order/decisions/answer.ts';
import type { ReceiptStep, Step } from '../../../../src/bridge/order/decisions/step.ts';
import { lostCreate, lostDelete } from '../../../support/attempts/situations.ts';

const create: Step = { ...lostCreate, uncertain: false };
const receipt: ReceiptStep = { kind: 'receipt', seq: 4, complianceId: 'c-1', destinationId: 'd1', uncertain: false };

function answered(status: number, values: Partial<Extract<Reply, { kind: 'answered' }>> = {}): Reply {
  return { kind: 'answered', status, id: null, standingId: null, detail: '', retryAfterMs: null, ...values };
}

describe('an answer is journaled', () => {
  test.each<[string, [Step, Reply], object]>([
    ['with the id of the record that was made', [create, answered(201, { id: 'c-1' })], { outcome: 'recorded', status: 201, complianceId: 'c-1' }],
    ['with the id of the record that is there', [create, answered(409, { standingId: 'c-2' })], { outcome: 'conflict', complianceId: 'c-2' }],
    ['with the service’s words', [create, answered(422, { detail: 'no such group' })], { outcome: 'refused', detail: 'no such group' }],
    ['without words where there are none', [create, answered(500)], { outcome: 'unknown', status: 500, detail: null }],
    ['with why there was none', [create, { kind: 'lost', error: 'time-out' }], { outcome: 'unknown', status: null, detail: 'time-out', complianceId: null }],
    ['without a record’s id if it made none', [lostDelete, answered(200, { id: 'c-1' })], { outcome: 'deleted', complianceId: null }],
    ['under the number of its step', [receipt, answered(201)], { seq: 4 }],
  ])('%s', (_what, [step, reply], end) => {
    expect(answerOf(step, reply).end).toMatchObject(end);
  });

  test('only a receipt has the id of a receipt', () => {
    expect([receipt, create].map((step) => answerOf(step, answered(201, { id: 'r-1' })).receiptId)).toEqual(['r-1', null]);
  });
});

describe('that an order is recorded', () => {
  test.each<[string, [Step, Reply], 'yes' | 'no' | 'unknown']>([
    ['is certain after a create that was answered', [create, answered(201, { id: 'c-1' })], 'yes'],
    ['is open after a reply that was lost', [create, { kind: 'lost', error: 'time-out' }], 'unknown'],
    ['is certainly not so after a create that was not let in', [create, answered(429)], 'no'],
    ['stays open after a repeated create that was not let in', [lostCreate, answered(429)], 'unknown'],
    ['is certainly not so after a create that was refused', [create, answered(422)], 'no'],
    ['stays open after a repeated create that was refused', [lostCreate, answered(422)], 'unknown'],
    ['stays open after a repeated create that meets a record', [lostCreate, answered(409)], 'unknown'],
  ])('%s', (_what, [step, reply], recorded) => {
    expect(answerOf(step, reply).recorded).toBe(recorded);
  });
});

describe('a destination', () => {
  const paused = { is: 'paused', wholeDestination: true, retryAfterMs: null } as const;

  test('says nothing of creates that wait if the record of a delete is gone', () => {
    expect(destinationNews(answerOf(lostDelete, answered(404, { isOwn: true })))).toEqual({ is: 'unclear' });
  });

  test('is uncertain, perhaps for that order alone, if its 404 to a delete may be of another program', () => {
    expect(destinationNews(answerOf(lostDelete, answered(404, { detail: '404 page not found' })))).toEqual({
      ...{ is: 'uncertain', detail: '404 page not found', ofOrder: true },
    });
    expect(destinationNews(answerOf(lostDelete, answered(410)))).toEqual({ is: 'uncertain', detail: 'disbelieved', ofOrder: true });
  });

  test.each<[string, Reply, DestinationNews]>([
    ['works if it records', answered(201, { id: 'c-1' }), { is: 'working' }],
    ['works if it refuses', answered(422), { is: 'working' }],
    ['is uncertain if it fails', answered(500, { detail: 'out of order' }), { is: 'uncertain', detail: 'out of order' }],
    ['is uncertain if it says nothing', answered(500), { is: 'uncertain', detail: 'the reply was lost' }],
    ['is paused if it can’t be reached', { kind: 'not-sent', error: 'ECONNREFUSED' }, { ...paused, code: 'compliance.unreachable', detail: 'ECONNREFUSED' }],
    [
      'is paused if it says to wait',
      answered(429, { retryAfterMs: 5_000 }),
      { ...paused, code: 'compliance.throttled', detail: 'throttled', retryAfterMs: 5_000 },
    ],
    ['is paused if it refuses the key', answered(401), { ...paused, code: 'compliance.misconfigured', detail: 'misconfigured' }],
    [
      'is paused for one shop that it refuses, until a second is refused',
      answered(403, { detail: 'shop suspended' }),
      { ...paused, code: 'compliance.misconfigured', detail: 'shop suspended', wholeDestination: false, spreads: true },
    ],
    [
      'is paused for one shop that it does not know',
      answered(404),
      { ...paused, code: 'compliance.misconfigured', detail: 'shop-unknown', wholeDestination: false },
    ],
  ])('%s', (_what, reply, news) => {
    expect(destinationNews(answerOf(create, reply))).toEqual(news);
  });
});
