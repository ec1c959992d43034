import { describe, expect, test } from 'vitest';
import { wantedOf } from '../../../../src/bridge/order/decisions/wanted.ts';
import type { OrderNews, Snapshot } from '../../../../src/bridge/order/facts/facts.ts';
import { decided, decidedAgain, inShort, told } from '../../../support/samples/decided.ts';
import { at, news, snapshot, transaction } from '../../../support/samples/order-facts.ts';
import { sampleClaim, sampleTerms } from '../../../support/samples/sample-claim.ts';

const state = (values: Partial<Snapshot>): OrderNews => news({ snapshot: snapshot(values) });
const unpaid: Partial<Snapshot> = { payment: 'unpaid', paidAt: null, transactionId: null, gateways: ['econt'], status: 'processing' };
const payments = { econt: { paymentType: 'POSTAL_PAYMENT' }, cod: { paymentType: 'POSTAL_PAYMENT' } };
const recorded = ['1 × 24.00 − 0.00 Mug 20 %'];

describe('B10: codGateways', () => {
  const onItsWay = state({ ...unpaid, onItsWay: true });
  const settings = { payments, codPaidWhen: 'processing', codGateways: ['cod', 'econt'] } as const;

  test('an order of a courier’s gateway on its way counts as paid, where cash on delivery does', () => {
    expect(inShort(decided([onItsWay], settings))).toEqual(recorded);
  });

  test.each([
    ['its gateway is not named', { ...settings, codGateways: ['cod'] }, onItsWay],
    ['cash on delivery counts when it is completed', { ...settings, codPaidWhen: 'completed' as const }, onItsWay],
    ['it is not on its way', settings, state(unpaid)],
    ['it names no gateway', settings, state({ ...unpaid, onItsWay: true, gateways: [] })],
  ])('but not if %s', (_what, given, order) => {
    expect(inShort(decided([order], given))).toEqual(['unpaid']);
  });

  test('an order that is stored as on delivery counts whatever its gateway', () => {
    expect(inShort(decided([state({ ...unpaid, payment: 'on-delivery', gateways: ['cod'] })], { ...settings, codGateways: [] }))).toEqual(recorded);
  });
});

describe('B10: paidStatuses', () => {
  const delivered = { ...unpaid, status: 'delivered' };
  const settings = { payments, paidStatuses: ['delivered'] };

  test('an order in a status of the merchant’s list counts as paid', () => {
    expect(inShort(decided([state(delivered)]))).toEqual(['unpaid']);
    expect(inShort(decided([state(delivered)], settings))).toEqual(recorded);
    expect(inShort(decided([state({ ...delivered, payment: 'outstanding' })], settings))).toEqual(recorded);
  });

  test('while it lives', () => {
    expect(inShort(decided([state({ ...delivered, lifecycle: 'cancelled' })], settings))).toEqual(['unpaid']);
  });

  test.each<[string, Partial<Snapshot>, RegExp]>([
    ['in another status', { ...unpaid, status: 'lost' }, /^payment\.outstanding: .* its status “lost” says that it is not\.$/],
    ['cancelled', { ...delivered, status: 'cancelled', lifecycle: 'cancelled' }, /^removal\.unproven: /],
  ])('once recorded, a person is asked if it is %s', (_what, values, words) => {
    expect(inShort(decidedAgain([state(delivered)], [state({ ...values, updatedAt: at('11:00') })], { settings }))).toEqual([expect.stringMatching(words)]);
  });

  test('once recorded, it stays so if the status leaves the list', () => {
    const edited = state({ ...delivered, updatedAt: at('11:00') });

    expect(inShort(decidedAgain([state(delivered)], [edited], { settings, since: {} }))).toEqual(recorded);
  });
});

describe('gaps', () => {
  const gaps = [{ from: at('09:00'), until: at('10:00') }];

  test('an order paid while the store was disconnected is not taken', () => {
    expect(inShort(decided([state({ paidAt: at('09:00') })], { gaps }))).toEqual(['disconnected']);
    expect(inShort(decided([state({ paidAt: at('09:59') })], { gaps }))).toEqual(['disconnected']);
  });

  test('one paid before or after is', () => {
    expect(inShort(decided([state({ paidAt: at('08:59') })], { gaps }))).toEqual(recorded);
    expect(inShort(decided([state({ paidAt: at('10:00') })], { gaps }))).toEqual(recorded);
  });
});

describe('an order that was paid in parts', () => {
  const [early, late] = [at('08:00'), at('10:00')];
  const undated = snapshot({ paidAt: null, placedAt: early });
  const order = news({ snapshot: undated });
  const announced = news({ snapshot: undated, paidAt: late });
  const rest = transaction({ id: 't2', amount: '9.00', at: late });
  const both = [transaction({ amount: '15.00', at: early }), rest];
  const since = { recordFrom: at('09:00') };
  const away = { gaps: [{ from: at('07:00'), until: at('09:00') }] };
  const question = [`payment.divided: Its 24.00 EUR seem to be paid in parts: at ${early}, and at ${late}.`];

  test.each<[string, OrderNews[]]>([
    ['the rest of a dearer edit or exchange is paid, and of the first payment nothing is known', [announced, news({ transactions: [rest] })]],
    ['the store has not announced it', [order, news({ transactions: [rest] })]],
    ['both payments are known', [announced, news({ transactions: both })]],
    ['both payments are known, but not announced', [order, news({ transactions: both })]],
    ['the first payment was announced, too', [announced, news({ snapshot: undated, paidAt: early, transactions: [rest] })]],
    ['it was announced once more, and its one payment is known', [announced, news({ transactions: [transaction({ at: early })] })]],
    ['no payment is known', [announced]],
    ['a payment came in another currency', [announced, news({ transactions: [transaction({ at: late, currency: 'RON' })] })]],
  ])('before the store was connected and since: a person is asked, if %s', (_what, sent) => {
    expect(inShort(decided(sent, since))).toEqual(question);
    expect(inShort(decided(sent, away))).toEqual(question);
    expect(decided(sent, since)).toMatchObject({ mayCome: true });
  });

  test.each<[string, OrderNews[], string[]]>([
    ['of one payment since', [announced, news({ transactions: [transaction({ at: late })] })], recorded],
    ['whose moment the store names', [news({ snapshot: snapshot({ placedAt: early }), transactions: [rest] })], recorded],
    ['whose money went back', [announced, news({ snapshot: { ...undated, refunds: [{ id: 'r1', amount: '24.00' }] } })], ['refunded']],
    ['of which all parts were paid before', [order, news({ transactions: both.map((part) => ({ ...part, at: early })) })], ['before-record-from']],
  ])('nobody is asked about one %s', (_what, sent, ends) => {
    expect(inShort(decided(sent, since))).toEqual(ends);
  });

  test('what a person says is to be recorded here is recorded whole, until something new comes of it', () => {
    const kept = { how: 'kept', revision: 1, complianceId: null, code: 'payment.divided', who: 'cli', why: '', at: late } as const;
    const claim = sampleClaim({ facts: told([announced]), resolution: kept });
    const terms = sampleTerms(since);

    expect(inShort(wantedOf(claim, terms))).toEqual(recorded);
    expect(inShort(wantedOf({ ...claim, revision: 2 }, terms))).toEqual(question);
  });

  test('nobody is asked twice about one of which something is unpaid', () => {
    const open = news({ snapshot: { ...undated, payment: 'outstanding' }, transactions: [rest] });

    expect(inShort(decided([open], since))).toEqual(['payment.outstanding: It comes to 24.00 EUR, and not all of that is paid.']);
  });
});
