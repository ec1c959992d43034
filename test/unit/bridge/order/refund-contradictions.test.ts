import { describe, expect, test } from 'vitest';
import type { OrderNews } from '../../../../src/bridge/order/facts/facts.ts';
import { standard } from '../../../../src/bridge/storefronts/standard/standard.ts';
import { message, paidOrder } from '../../../fixtures/standard/orders.ts';
import { decided, inShort } from '../../../support/samples/decided.ts';
import { news, refund, snapshot } from '../../../support/samples/order-facts.ts';
import { newsOf } from '../../../support/samples/snapshot-of.ts';

const normalize = (body: unknown): OrderNews => newsOf(standard.normalize({ topic: '', deliveryId: null, store: null }, body));
const mugs = { ...paidOrder, total: '24.00', lines: [{ id: 'a', name: 'Mug', amount: '24.00', vatRate: '20' }] };
const own = (values: object): OrderNews => normalize(message('order.updated', { ...mugs, ...values }));
const back = (id: string, at: string, amount: string) => ({ id, at: `2026-11-21T${at}:00Z`, amount });
const alone = (given: ReturnType<typeof back>): OrderNews => normalize({ type: 'order.refunded', data: { orderId: '1001', refund: given } });
const half = ['1 × 24.00 − 12.00 Mug 20 %'];

describe('own shop: a refund that came by itself', () => {
  const lone = alone(back('r1', '10:00', '12.00'));
  const empty = own({ updatedAt: '2026-11-21T11:00:00Z', refunds: [] });

  test('is not taken back by an empty list, which may be a serializer’s default', () => {
    expect(inShort(decided([own({}), lone, empty]))).toEqual(half);
    expect(inShort(decided([empty, lone, own({})]))).toEqual(half);
  });

  test('is taken back once an order has listed it, and later ones do not', () => {
    const listed = own({ updatedAt: '2026-11-21T10:30:00Z', refunds: [back('r1', '10:00', '12.00')] });
    const whole = ['1 × 24.00 − 0.00 Mug 20 %'];

    expect(inShort(decided([own({}), lone, listed, empty]))).toEqual(whole);
    expect(inShort(decided([empty, listed, lone]))).toEqual(whole);
  });

  // The list is of the same second as the refund, or of a later one; or the moment is later than every list.
  test.each([
    ['10:00', '10:00:00.900'],
    ['10:30', '10:00:00.900'],
    ['10:00', '12:00:00'],
  ])('is taken back so even if its own message names a later moment than the list of %s does: %s', (updatedAt, moment) => {
    const late = { ...back('r1', '10:00', '12.00'), at: `2026-11-21T${moment}Z` };
    const order = { ...mugs, updatedAt: `2026-11-21T${updatedAt}:00Z`, refunds: [back('r1', '10:00', '12.00')] };
    const [listed, beside] = [normalize({ data: { order } }), normalize({ data: { order, refund: late } })];
    const whole = ['1 × 24.00 − 0.00 Mug 20 %'];

    expect(inShort(decided([own({}), alone(late), listed]))).toEqual(half);
    expect(inShort(decided([own({}), alone(late), listed, empty]))).toEqual(whole);
    expect(inShort(decided([empty, listed, alone(late)]))).toEqual(whole);
    expect(inShort(decided([beside]))).toEqual(half);
    expect(inShort(decided([beside, empty]))).toEqual(whole);
  });

  test('is taken back by a list of others', () => {
    expect(inShort(decided([lone, own({ updatedAt: '2026-11-21T11:00:00Z', refunds: [back('r2', '10:30', '6.00')] })]))).toEqual(['1 × 24.00 − 6.00 Mug 20 %']);
  });

  test('is taken back by its own correction to nothing', () => {
    expect(inShort(decided([empty, lone, alone(back('r1', '12:00', '0.00'))]))).toEqual(['1 × 24.00 − 0.00 Mug 20 %']);
  });
});

describe('own shop: a refund that a later list corrects under its id', () => {
  const lines = [
    { id: 'a', name: 'Mug', amount: '24.00', vatRate: '20' },
    { id: 'b', name: 'Book', amount: '24.00', vatRate: '9' },
  ];
  const listed = (updatedAt: string, values: object) =>
    own({ total: '48.00', lines, updatedAt: `2026-11-21T${updatedAt}:00Z`, refunds: [{ ...back('r1', '10:00', '24.00'), ...values }] });
  const of = (lineId: string) => ({ lines: [{ lineId, quantity: 1, amount: '24.00' }] });
  const [mug, book] = ['1 × 24.00 − 0.00 Mug 20 %', '1 × 24.00 − 0.00 Book 9 %'];

  test.each<[string, [object, object], string[]]>([
    ['called off', [of('a'), { amount: '0.00' }], [mug, book]],
    ['of another line', [of('b'), of('a')], [book]],
    ['of another line the other way round', [of('a'), of('b')], [mug]],
    ['of money that had not gone yet', [{ amount: '0.00' }, of('a')], [book]],
    ['of less', [of('a'), { amount: '12.00', lines: [{ lineId: 'a', amount: '12.00' }] }], ['1 × 24.00 − 12.00 Mug 20 %', book]],
  ])('%s', (_what, [first, later], ends) => {
    // Its moment stays, or is corrected, too.
    for (const corrected of [{}, { at: '2026-11-21T09:59:00Z' }, { at: '2026-11-21T10:01:00Z' }]) {
      const [before, after] = [listed('11:00', first), listed('12:00', { ...later, ...corrected })];

      expect(inShort(decided([before, after]))).toEqual(ends);
      expect(inShort(decided([after, before]))).toEqual(ends);
    }
  });

  const planned = { ...back('r1', '10:00', '24.00'), at: '2026-11-21T20:00:00Z' };

  test.each([{}, { refund: planned }])('it is taken back by a later list without it, even if its moment is yet to come; beside it %j', (form) => {
    const order = { ...mugs, total: '48.00', lines, updatedAt: '2026-11-21T11:00:00Z', refunds: [planned] };
    const listing = normalize({ data: { order, ...form } });
    const without = own({ total: '48.00', lines, updatedAt: '2026-11-21T12:00:00Z', refunds: [] });

    expect(inShort(decided([listing, without]))).toEqual([mug, book]);
    expect(inShort(decided([without, listing]))).toEqual([mug, book]);
  });
});

describe('own shop: a refund beside an order whose list lacks it', () => {
  const order = { ...mugs, updatedAt: '2026-11-21T11:00:00Z', refunds: [back('r2', '10:00', '6.00')] };
  const beside = (refund: object, changed: object = {}): OrderNews => normalize({ data: { order: { ...order, ...changed }, refund } });

  test('and is newer: a person is asked, until the order comes again', () => {
    const news = beside(back('r1', '10:30', '12.00'));
    const later = own({ updatedAt: '2026-11-21T11:30:00Z', refunds: [...order.refunds, back('r1', '10:30', '12.00')] });

    expect(inShort(decided([news]))).toEqual(['total.mismatch: Refund r1 of 12.00 EUR came beside the order, which is newer and does not list it.']);
    expect(inShort(decided([news, later]))).toEqual(['1 × 24.00 − 18.00 Mug 20 %']);
  });

  test.each<[string, OrderNews, string[]]>([
    ['the refund is newer', beside(back('r1', '11:00', '12.00')), ['1 × 24.00 − 18.00 Mug 20 %']],
    ['it gave nothing back', beside(back('r1', '10:30', '0.00')), ['1 × 24.00 − 6.00 Mug 20 %']],
    ['the list has it', beside(back('r2', '10:00', '6.00')), ['1 × 24.00 − 6.00 Mug 20 %']],
    ['the list is empty', beside(back('r1', '10:30', '12.00'), { refunds: [] }), half],
    ['there is no list', beside(back('r1', '10:30', '12.00'), { refunds: null }), half],
  ])('nobody is asked where %s', (_what, news, lines) => {
    expect(inShort(decided([news]))).toEqual(lines);
  });
});

describe('a refund of which two amounts are known', () => {
  const first = alone(back('r1', '10:00', '12.00'));

  test('own shop: changed by its own message later than the list, a person is asked', () => {
    const listed = own({ updatedAt: '2026-11-21T09:30:00Z', refunds: [back('r1', '09:00', '6.00')] });

    expect(inShort(decided([own({}), first, listed]))).toEqual([
      'total.mismatch: The order lists refund r1 with 6.00 EUR, but its own message said 12.00 EUR.',
    ]);
    expect(inShort(decided([listed, own({}), first]))).toEqual(inShort(decided([own({}), first, listed])));
  });

  test.each(['09:00', '10:00', '10:30'])('own shop: changed by a later list, that counts, whatever moment it names (%s)', (moment) => {
    const changed = own({ updatedAt: '2026-11-21T11:00:00Z', refunds: [back('r1', moment, '6.00')] });

    expect(inShort(decided([own({}), first, changed]))).toEqual(['1 × 24.00 − 6.00 Mug 20 %']);
    expect(inShort(decided([changed, own({}), first]))).toEqual(['1 × 24.00 − 6.00 Mug 20 %']);
  });

  test('that can’t be read is reported as that', () => {
    const order = news({ snapshot: snapshot({ refunds: [{ id: 'r1', amount: '12.00' }] }), refunds: [refund({ amount: '6.005' })] });

    expect(inShort(decided([order]))).toEqual([expect.stringMatching(/^amount\.inexact: /)]);
  });

  test.each([
    ['written with other zeros', refund({ amount: '12' }), half],
    ['not gone yet by the list', refund({ amount: '0.00' }), ['1 × 24.00 − 0.00 Mug 20 %']],
    ['known by its transactions alone', refund({ amount: '7.00', transactions: ['t9'] }), ['1 × 24.00 − 0.00 Mug 20 %']],
    ['without an amount of its own', refund({ amount: null }), ['1 × 24.00 − 0.00 Mug 20 %']],
  ])('is no contradiction if it is %s', (_what, known, lines) => {
    const order = news({ snapshot: snapshot({ refunds: [{ id: 'r1', amount: '12.00' }] }), refunds: [known] });

    expect(inShort(decided([order]))).toEqual(lines);
  });
});
