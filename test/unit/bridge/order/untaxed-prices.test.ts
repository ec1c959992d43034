import { describe, expect, test } from 'vitest';
import { frozenBy } from '../../../../src/bridge/order/decisions/desired.ts';
import type { OrderNews, Snapshot } from '../../../../src/bridge/order/facts/facts.ts';
import { vatDiffers } from '../../../../src/bridge/order/money/untaxed-prices.ts';
import { decided, decidedAgain, inShort, told } from '../../../support/samples/decided.ts';
import { at, line, news, refund, snapshot } from '../../../support/samples/order-facts.ts';
import { newsOf } from '../../../support/samples/snapshot-of.ts';
import { normalize as woo, wooLine, wooOrder } from '../../../support/samples/woo-order.ts';

const untaxed = line({ vatRate: '0' });
const state = (values: Partial<Snapshot>): OrderNews => news({ snapshot: snapshot(values) });
const order = state({ lines: [untaxed, line({ id: '2', name: 'Courier', kind: 'shipping', gross: '6.00', vatRate: '0' })], total: '30.00' });
const atTwenty = ['1 × 24.00 − 0.00 Mug 20 %', '1 × 6.00 − 0.00 Courier 20 %'];
const mapped = { vatGroups: { '20': 'GROUP_B', '0': 'GROUP_A' } };

describe('B11: a shop whose taxes are switched off', () => {
  test('WooCommerce: is told so in words, and not to give 0 % a group', () => {
    const off = wooLine({ subtotal: '24.00', subtotal_tax: '0.00', total: '24.00', total_tax: '0.00', taxes: [] });
    const [words] = inShort(decided([newsOf(woo(wooOrder({ line_items: [off], tax_lines: [] })))]));

    expect(words).toMatch(/^vat\.unmapped: Nothing in it bears a tax.*set `pricesContainVat` \("20"\), and give 0 no group/);
  });

  test('an order with any taxed line has the plain words', () => {
    expect(inShort(decided([state({ lines: [untaxed, line({ id: '2' })], total: '48.00' })]))).toEqual(['vat.unmapped: The VAT rate 0 % has no group.']);
    expect(inShort(decided([state({ lines: [line({ vatRate: '7' })] })]))).toEqual(['vat.unmapped: The VAT rate 7 % has no group.']);
  });
});

describe('pricesContainVat', () => {
  test('gives every line of an untaxed order its rate', () => {
    expect(inShort(decided([order], { pricesContainVat: '20' }))).toEqual(atTwenty);
    expect(inShort(decided([order], { pricesContainVat: '9.0' }))).toEqual(atTwenty.map((each) => each.replace('20 %', '9 %')));
    expect(inShort(decided([order], { ...mapped, pricesContainVat: '20' }))).toEqual(atTwenty);
  });

  test('leaves orders with any taxed line as they are, and a gift card', () => {
    const mixed = state({ lines: [untaxed, line({ id: '2', name: 'Tea' })], total: '48.00' });
    const card = line({ id: 'g', name: 'Card', vatRate: '0', giftCard: true });

    expect(inShort(decided([mixed], { ...mapped, pricesContainVat: '20' }))).toEqual(['1 × 24.00 − 0.00 Mug 0 %', '1 × 24.00 − 0.00 Tea 20 %']);
    expect(inShort(decided([state({ lines: [untaxed, card], total: '48.00' })], { ...mapped, pricesContainVat: '20', giftCards: 'record' }))).toEqual([
      '1 × 24.00 − 0.00 Mug 20 %',
      '1 × 24.00 − 0.00 Card 0 %',
    ]);
    expect(inShort(decided([state({ lines: [card] })], { ...mapped, pricesContainVat: '20', giftCards: 'record' }))).toEqual(['1 × 24.00 − 0.00 Card 0 %']);
  });

  test('so an amount that was given back has one rate', () => {
    const back = { ...order, snapshot: snapshot({ ...order.snapshot, refunds: [{ id: 'r1', amount: '6.00' }] }), refunds: [refund({ amount: '6.00' })] };

    expect(inShort(decided([back], { pricesContainVat: '20' }))).toEqual(['1 × 24.00 − 4.80 Mug 20 %', '1 × 6.00 − 1.20 Courier 20 %']);
  });

  test('is frozen with the first record', () => {
    const edited = news({ snapshot: snapshot({ ...order.snapshot, number: '#1042b', updatedAt: at('11:00') }) });
    const again = (settings: { pricesContainVat: string | null }, since: { pricesContainVat: string | null }) =>
      inShort(decidedAgain([order], [edited], { settings, since }));

    expect(again({ pricesContainVat: '20' }, { pricesContainVat: null })).toEqual(atTwenty);
    expect(again({ pricesContainVat: null }, { pricesContainVat: '20' })).toEqual(atTwenty.map((each) => each.replace('20 %', '0 %')));
  });

  test('is not used for an order that was recorded with taxes', () => {
    const decision = decided([state({})]);
    if (decision.kind !== 'record') throw new Error('the sample order should be recorded');

    expect(frozenBy(decision.record, told([state({})])).pricesContainVat).toBeNull();
  });

  test('makes no difference to a storefront’s VAT that it never reckoned', () => {
    const decision = decided([order], { pricesContainVat: '20' });
    const taxed = decided([state({})]);
    if (decision.kind !== 'record' || taxed.kind !== 'record') throw new Error('both should be recorded');

    expect(vatDiffers(decision.record, snapshot({ ...order.snapshot, vat: '0.00' }))).toBe(false);
    expect(vatDiffers(taxed.record, snapshot({ vat: '0.00' }))).toBe(true);
  });
});
