import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DraftLine, OrderNews, Refund, Snapshot, Transaction } from '../../../../src/bridge/order/facts/facts.ts';
import type { FiscalSettings } from '../../../../src/bridge/order/facts/settings.ts';
import { formatMoney } from '../../../../src/contract/money.ts';
import { decided, decidedAgain, inShort } from '../../../support/samples/decided.ts';
import { at, line, news, refund, snapshot, transaction } from '../../../support/samples/order-facts.ts';
import { orderBody, newsOf as shopify } from '../storefronts/shopify/bodies.ts';

const card = line({ id: 'g', name: 'Card', gross: '50.00', vatRate: '0', giftCard: true });
const book = line({ id: '2', name: 'Book', gross: '36.00', vatRate: '9' });
const mapped = { vatGroups: { '20': 'GROUP_B', '9': 'GROUP_D', '0': 'GROUP_A' } };

type Order = { lines: DraftLine[]; total: string; transactions?: Transaction[]; refunds?: Refund[] } & Partial<Omit<Snapshot, 'refunds'>>;

function order({ transactions = [], refunds = [], ...values }: Order): OrderNews {
  const listed = refunds.map(({ id, amount }) => ({ id, amount: amount ?? '0.00' }));
  return news({ snapshot: snapshot({ ...values, refunds: listed }), transactions, refunds });
}

const redeemed = (amount: string, values: Partial<Transaction> = {}): Transaction =>
  transaction({ id: 'g1', kind: 'other', gateway: 'gift_card', giftCard: 'charge', reference: null, amount, ...values });
const byCard = (amount: string): Transaction => transaction({ id: 't1', amount });

function decide(given: Order, giftCards: FiscalSettings['giftCards'], more: Partial<FiscalSettings> = {}): string[] {
  return inShort(decided([order(given)], { ...mapped, giftCards, ...more }));
}

describe('B13: the sale of a gift card', () => {
  const both: Order = { lines: [card, line()], total: '74.00' };
  const alone: Order = { lines: [card], total: '50.00' };

  test('park: a person is asked, and of the card alone', () => {
    const asked = ['gift-card.undecided: It sells the gift card “Card” for 50.00 EUR.'];

    expect(decide(alone, 'review')).toEqual(asked);
    expect(decide(both, 'review')).toEqual(asked);
    expect(decide(both, 'review', { vatGroups: { '20': 'GROUP_B' } })).toEqual(asked);
  });

  test('ignore: the card makes no record, and what is bought with it does', () => {
    expect(decide(alone, 'ignore')).toEqual(['gift-card']);
    expect(decide(both, 'ignore')).toEqual(['1 × 24.00 − 0.00 Mug 20 %']);
    expect(decide(both, 'ignore', { vatGroups: { '20': 'GROUP_B' } })).toEqual(['1 × 24.00 − 0.00 Mug 20 %']);
  });

  test('record: the card is a sale', () => {
    expect(decide(alone, 'record')).toEqual(['1 × 50.00 − 0.00 Card 0 %']);
    expect(decide(both, 'record')).toEqual(['1 × 50.00 − 0.00 Card 0 %', '1 × 24.00 − 0.00 Mug 20 %']);
    expect(decide(both, 'record', { vatGroups: { '20': 'GROUP_B' } })).toEqual(['vat.unmapped: The VAT rate 0 % has no group.']);
  });

  test('a card that costs nothing is no sale', () => {
    expect(decide({ lines: [{ ...card, gross: '0.00' }, line()], total: '24.00' }, 'review')).toEqual(['1 × 24.00 − 0.00 Mug 20 %']);
  });

  test('ignore: what was refunded of the goods comes off them', () => {
    const goodsBack = refund({ lines: [{ lineId: '1', quantity: '1', amount: '24.00' }] });

    expect(decide({ ...both, refunds: [goodsBack] }, 'ignore')).toEqual(['refunded']);
    expect(decide({ ...alone, refunds: [refund({ amount: '10.00' })] }, 'ignore')).toEqual(['gift-card']);
    expect(decide({ ...both, refunds: [refund({ amount: '50.00', lines: [{ lineId: 'g', quantity: '1', amount: '50.00' }] })] }, 'ignore')).toEqual([
      '1 × 24.00 − 0.00 Mug 20 %',
    ]);
  });
});

test('B13: money back that names neither the goods nor a card of their rate is not shared with a card that is no sale', () => {
  const same: Order = { lines: [line(), { ...card, vatRate: '20' }], total: '74.00', refunds: [refund({ amount: '10.00' })] };

  expect(decide(same, 'ignore')).toEqual(['refund.unattributed: Of refund r1, 10.00 EUR names no line, and the lines left have VAT rates 20, 20 (gift card).']);
  expect(decide(same, 'record')).toEqual(['1 × 24.00 − 3.24 Mug 20 %', '1 × 50.00 − 6.76 Card 20 %']);
});

describe('B13: what is paid by gift card', () => {
  const paid: Order = { lines: [line(), book], total: '60.00', transactions: [redeemed('30.00'), byCard('30.00')], paidByGiftCard: true };

  test.each(['review', 'ignore'] as const)('%s: sends nothing to review, and the goods are recorded whole', (giftCards) => {
    expect(decide(paid, giftCards)).toEqual(['1 × 24.00 − 0.00 Mug 20 %', '1 × 36.00 − 0.00 Book 9 %']);
  });

  test('record: is taken off as a discount, in proportion over all lines', () => {
    expect(decide(paid, 'record')).toEqual(['1 × 24.00 − 12.00 Mug 20 %', '1 × 36.00 − 18.00 Book 9 %']);
    expect(decide({ lines: [line()], total: '24.00', transactions: [redeemed('0.05')] }, 'record')).toEqual(['1 × 24.00 − 0.05 Mug 20 %']);
  });

  test('record: the 50.00 of a card and the 60.00 bought with it are 60.00 of turnover', () => {
    const sale = decided([order({ lines: [card], total: '50.00' })], { ...mapped, giftCards: 'record' });
    const later = decided([order({ ...paid, transactions: [redeemed('50.00'), byCard('10.00')] })], { ...mapped, giftCards: 'record' });

    expect([sale, later].map(worth)).toEqual([50, 10]);
  });

  test('record: an order that a card paid alone leaves nothing to record', () => {
    const whole = { ...paid, gateways: ['gift_card'], transactionId: null };

    expect(decide({ ...whole, transactions: [redeemed('60.00')] }, 'record')).toEqual(['gift-card']);
    expect(decide({ ...whole, transactions: [] }, 'record')).toEqual(['gift-card']);
    expect(decide({ ...paid, transactions: [redeemed('60.00')] }, 'record')).toEqual(['gift-card']);
  });

  test('record: what was credited to the card again counts as money given back', () => {
    const credited = redeemed('24.00', { id: 'g2', giftCard: 'refund' });
    const mugBack = refund({ lines: [{ lineId: '1', quantity: '1', amount: '24.00' }] });

    expect(decide({ ...paid, transactions: [redeemed('30.00'), credited, byCard('30.00')], refunds: [mugBack] }, 'record')).toEqual([
      '1 × 36.00 − 6.00 Book 9 %',
    ]);
    expect(decide({ ...paid, refunds: [refund({ amount: '30.00', lines: [] })], lines: [line({ gross: '60.00' })] }, 'record')).toEqual(['refunded']);
  });

  test('record: more than the lines cost is a contradiction', () => {
    expect(decide({ ...paid, transactions: [redeemed('61.00')] }, 'record')).toEqual([
      'total.mismatch: Gift cards paid 61.00 EUR of it, but its lines come to 60.00 EUR.',
    ]);
  });

  test.each<[string, Partial<Order>, string]>([
    ['no payment by card came', { transactions: [] }, '0.00'],
    ['another card’s payment is missing', { transactions: [redeemed('10.00'), byCard('30.00')] }, '10.00'],
    ['it is in another currency', { transactions: [redeemed('60.00', { currency: 'RON' }), byCard('30.00')] }, '60.00'],
    ['its amount can’t be read', { transactions: [redeemed('30.005'), byCard('30.00')] }, '0.00'],
    ['it did not succeed', { transactions: [redeemed('30.00', { status: 'pending' }), byCard('30.00')] }, '0.00'],
  ])('record: as long as %s, its news may still come', (_what, values, seen) => {
    const decision = decided([order({ ...paid, ...values })], { ...mapped, giftCards: 'record' });

    expect(decision).toMatchObject({ kind: 'problems', mayCome: true });
    expect(inShort(decision)).toEqual([
      `total.mismatch: A gift card paid a part of its 60.00 EUR, but not all of that is known: the payments by gift card seen come to ${seen} EUR.`,
    ]);
  });

  test('the storefront’s word that a card paid is kept, whatever else paid', () => {
    const read = (payment_gateway_names: string[]) => shopify('orders/updated', orderBody({ payment_gateway_names })).snapshot;

    expect(read(['shopify_payments', 'gift_card'])).toMatchObject({ gateways: ['shopify_payments'], paidByGiftCard: true });
    expect(read(['shopify_payments'])).not.toHaveProperty('paidByGiftCard');
  });

  test('over several rates and any amounts, the record is what was paid otherwise, to the cent', () => {
    const amounts = fc.array(fc.tuple(fc.integer({ min: 1, max: 20_000 }), fc.constantFrom('20', '9', '0'), fc.integer({ min: 1, max: 5 })), {
      minLength: 1,
      maxLength: 6,
    });

    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 99 }), (items, percent) => {
        const total = items.reduce((all, [cents]) => all + cents, 0);
        const off = Math.max(1, Math.floor((total * percent) / 100));
        fc.pre(off < total);
        const lines = items.map(([cents, vatRate, quantity], index) => line({ id: `${index}`, gross: money(cents), vatRate, quantity: `${quantity}` }));
        const decision = decided([order({ lines, total: money(total), transactions: [redeemed(money(off))] })], { ...mapped, giftCards: 'record' });

        expect(worth(decision).toFixed(2)).toBe(money(total - off));
      }),
    );
  });
});

describe('a recorded order keeps what gift cards made of it', () => {
  const edited = (values: Order): OrderNews => order({ number: '#1042b', updatedAt: at('11:00'), ...values });
  const again = (values: Order, settings: 'review' | 'ignore' | 'record', since: 'review' | 'ignore' | 'record') =>
    inShort(decidedAgain([order(values)], [edited(values)], { settings: { giftCards: settings }, since: { giftCards: since } }));
  const sold: Order = { lines: [card, line()], total: '74.00' };
  const paid: Order = { lines: [line()], total: '24.00', transactions: [redeemed('4.00')] };

  test.each([
    ['ignore', 'record', ['1 × 24.00 − 0.00 Mug 20 %']],
    ['record', 'review', ['1 × 50.00 − 0.00 Card 0 %', '1 × 24.00 − 0.00 Mug 20 %']],
    ['record', 'ignore', ['1 × 50.00 − 0.00 Card 0 %', '1 × 24.00 − 0.00 Mug 20 %']],
  ] as const)('sold under %s, and now it is %s', (settings, since, lines) => {
    expect(again(sold, settings, since)).toEqual(lines);
  });

  test.each([
    ['review', 'record', ['1 × 24.00 − 0.00 Mug 20 %']],
    ['record', 'review', ['1 × 24.00 − 4.00 Mug 20 %']],
  ] as const)('paid by card under %s, and now it is %s', (settings, since, lines) => {
    expect(again(paid, settings, since)).toEqual(lines);
  });

  test('in a currency that is not converted, too', () => {
    expect(again({ ...paid, currency: 'USD' }, 'record', 'review')).toEqual(['1 × 24.00 − 4.00 Mug 20 %']);
  });

  test('converted, too', () => {
    const given = { settings: { giftCards: 'record', convertTo: 'BGN' }, since: { giftCards: 'review' } } as const;

    expect(inShort(decidedAgain([order(paid)], [edited(paid)], given))).toEqual(['1 × 46.94 − 7.82 Mug 20 %']);
  });

  test('a card that comes into it later is decided by the settings of then', () => {
    const plain: Order = { lines: [line()], total: '24.00' };
    const decide = (values: Order) => inShort(decidedAgain([order(plain)], [edited(values)], { settings: {}, since: { giftCards: 'record' } }));

    expect(decide(sold)).toHaveLength(2);
    expect(decide(paid)).toEqual(['1 × 24.00 − 4.00 Mug 20 %']);
    expect(inShort(decidedAgain([order(plain)], [edited(sold)], { settings: {} }))).toEqual([expect.stringMatching(/^gift-card\.undecided/)]);
  });
});

function money(cents: number): string {
  return formatMoney(BigInt(cents), 2);
}

function worth(decision: ReturnType<typeof decided>): number {
  if (decision.kind !== 'record') throw new Error(inShort(decision).join());
  return (
    Math.round(decision.record.lineItems.reduce((all, { price, quantity, discount }) => all + (Number(price) * quantity - Number(discount)) * 100, 0)) / 100
  );
}
