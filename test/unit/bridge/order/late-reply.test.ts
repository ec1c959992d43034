import { describe, expect, test } from 'vitest';
import { type LateNews, type LateOrder, type LateReply, lateNews, stepInDoubt } from '../../../../src/bridge/order/decisions/late-reply.ts';
import type { ReceiptStep, Step } from '../../../../src/bridge/order/decisions/step.ts';
import { lostCreate, lostDelete, NOW, record } from '../../../support/attempts/situations.ts';

const receipt: ReceiptStep = { kind: 'receipt', seq: 3, complianceId: 'c-1', destinationId: 'd1', uncertain: false };
const current = { record, complianceId: 'c-9', destinationId: 'd1' };
const free: LateOrder = { complianceId: null, openStep: null, isKnown: false, isRepeated: false };
const open: LateOrder = { ...free, openStep: lostCreate };
const overtaken: LateOrder = { ...free, openStep: { ...lostCreate, seq: 4 } };

function late(step: Step, outcome: string, recorded: LateReply['recorded']): LateReply {
  return { step, end: { seq: step.seq, outcome, status: null, detail: null, complianceId: recorded === 'yes' ? 'c-9' : null }, recorded };
}

const made = late(lostCreate, 'recorded', 'yes');
const nothing: LateNews = { is: 'nothing' };

describe('a reply that came after the lease was lost', () => {
  test.each<[string, [LateOrder, LateReply], object]>([
    ['that says nothing of the record changes nothing', [open, late(lostCreate, 'unknown', 'unknown')], nothing],
    ['about a receipt changes nothing: it is requested again', [free, late(receipt, 'receipt-got', 'yes')], nothing],
    ['refuses a create that is open: it is over', [open, late(lostCreate, 'refused', 'no')], { is: 'not-recorded' }],
    [
      'refuses the first try of a create that another worker repeats: that may be recorded',
      [{ ...open, isRepeated: true }, late(lostCreate, 'refused', 'no')],
      nothing,
    ],
    ['refuses a create that is over: nothing changes', [overtaken, late(lostCreate, 'refused', 'no')], nothing],
    ['has recorded the create that is open', [open, made], { is: 'recorded', current, receipt: null }],
    ['has recorded a create that is not open any more', [free, made], { is: 'recorded', current, receipt: null }],
    ['has recorded a create that wanted a receipt', [open, { ...made, step: { ...lostCreate, receipt: true } }], { is: 'recorded', receipt: { state: 'due' } }],
    ['has recorded the known record: nothing changes', [{ ...free, complianceId: 'c-9' }, made], nothing],
    ['has recorded what was deleted since: nothing changes', [{ ...free, isKnown: true }, made], nothing],
    ['has recorded what was deleted since, while another record exists', [{ ...free, complianceId: 'c-1', isKnown: true }, made], nothing],
    [
      'has recorded a second record beside the current one',
      [{ ...free, complianceId: 'c-1' }, made],
      { is: 'doubled', detail: expect.stringMatching(/c-9.*c-1$/) },
    ],
    [
      'has recorded a second record beside one that is being sent',
      [overtaken, made],
      { is: 'doubled', detail: expect.stringMatching(/c-9.*the one being sent$/) },
    ],
    ['has deleted the current record', [{ ...free, complianceId: 'c-1' }, late(lostDelete, 'deleted', 'no')], { is: 'deleted', uncertain: null }],
    [
      'has found the current record gone',
      [{ ...free, complianceId: 'c-1' }, late(lostDelete, 'gone', 'no')],
      { is: 'deleted', uncertain: { complianceId: 'c-1', destinationId: 'd1' } },
    ],
    ['has deleted a record that was replaced since: nothing changes', [{ ...free, complianceId: 'c-2' }, late(lostDelete, 'deleted', 'no')], nothing],
    ['has found another record gone: nothing changes', [{ ...free, complianceId: 'c-2' }, late(lostDelete, 'gone', 'no')], nothing],
    ['is not believed: nothing changes', [{ ...free, complianceId: 'c-1' }, late(lostDelete, 'disbelieved', 'unknown')], nothing],
    ['refuses a delete: nothing changes', [{ ...free, complianceId: 'c-1' }, late(lostDelete, 'refused', 'no')], nothing],
  ])('%s', (_what, [order, reply], news) => {
    expect(lateNews(order, reply, NOW)).toMatchObject(news);
  });
});

describe('a person', () => {
  const uncertain = { state: 'unconfirmed', isLeased: false, openStep: lostCreate } as const;

  test.each([lostCreate, lostDelete])('may report the outcome of a step of which it is unknown: $kind', (openStep) => {
    expect(stepInDoubt({ ...uncertain, openStep })).toEqual(openStep);
  });

  test.each([
    ['an order that is not unconfirmed', { ...uncertain, state: 'queued' }],
    ['a create that is under way', { ...uncertain, isLeased: true }],
    ['a delete that is repeated', { ...uncertain, state: 'queued', openStep: lostDelete }],
    ['an order without an open step', { ...uncertain, openStep: null }],
  ] as const)('has nothing to say of %s', (_what, order) => {
    expect(stepInDoubt(order)).toBeNull();
  });
});
