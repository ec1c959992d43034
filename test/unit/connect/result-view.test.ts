import { describe, expect, test } from 'vitest';
import type { InspectedStore } from '../../../src/connect/base/dry-run.ts';
import { wordsIn } from '../../../src/connect/messages/messages.ts';
import { resultView } from '../../../src/connect/pages/mapping.ts';

type Store = NonNullable<InspectedStore['inspection']>['store'];

const usual: Store = { name: null, currency: 'EUR', decimals: 2, pricesIncludeTax: true, roundAtSubtotal: false, version: null };
const dryRun = { orders: 1, recorded: 1, sum: '24.00 EUR', stopped: [], leftOut: [], rounded: 0 };
const questions = { rates: [], gateways: [], statuses: [], onDelivery: null };

function shown({
  store = {},
  rates = ['20'],
  rounded = 0,
  lang = 'en' as 'en' | 'bg',
}: {
  store?: Partial<Store>;
  rates?: string[];
  rounded?: number;
  lang?: 'en' | 'bg';
}) {
  const inspection = { store: { ...usual, ...store }, rates: rates.map((rate) => ({ rate, name: '', country: 'BG' })), gateways: [], statuses: [] };
  const result = { ...dryRun, rounded };
  return resultView({ inspected: { inspection, orders: [], days: 30, failed: null }, dryRun: result, proposed: result, questions, words: wordsIn(lang) })
    .markup;
}

describe('what a store’s own settings mean is said', () => {
  test.each([
    [true, 'Your store rounds tax on the subtotal, so the lines of 2 orders are a cent off the total.'],
    [false, 'The lines of 2 orders are a cent off the total.'],
    [null, 'The lines of 2 orders are a cent off the total.'],
  ])('where lines miss by a cent, and it rounds at the subtotal: %s', (roundAtSubtotal, words) => {
    expect(shown({ store: { roundAtSubtotal }, rounded: 2 })).toContain(`<p class="hint">${words}`);
    expect(shown({ store: { roundAtSubtotal } })).not.toContain('a cent');
  });

  test.each([
    [false, ['20'], true],
    [true, ['20'], false],
    [null, ['20'], false],
    // It reckons no tax, so that its prices are what customers pay.
    [false, [], false],
  ])('where its prices have VAT: %s, with the rates %j', (pricesIncludeTax, rates, isSaid) => {
    expect(shown({ store: { pricesIncludeTax }, rates }).includes('Prices are entered without VAT')).toBe(isSaid);
    expect(shown({ store: { pricesIncludeTax }, rates, lang: 'bg' }).includes('въведени без ДДС')).toBe(isSaid);
  });
});
