import { describe, expect, test } from 'vitest';
import type { OrderNews, Snapshot } from '../../../../src/bridge/order/facts/facts.ts';
import { decided, decidedAgain, inShort } from '../../../support/samples/decided.ts';
import { at, news, snapshot } from '../../../support/samples/order-facts.ts';

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
