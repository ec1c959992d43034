import { describe, expect, test } from 'vitest';
import { shippingBody, snapshotOf, taxBody, transactionBody } from './bodies.ts';
import { at9, endOf, gave, inShort, piece } from './kept-orders.ts';

type Fields = Record<string, unknown>;

describe('money that the customer should have back', () => {
  const lines = (...more: Fields[]) => ({ line_items: [piece(1, 1), ...more], current_total_price: '60.00' });
  const off = (...pieces: [number, string][]) => gave(9, null, { pieces, processed_at: '2026-10-15T10:00:00+03:00' });

  test('of two pieces taken off, one repaid, is for the other one', () => {
    const both = { ...lines(piece(2, 0, { price: '40.00' }), piece(3, 0, at9('20.00'))), refunds: [off([2, '40.00'], [3, '20.00']), gave(1, '40.00')] };

    expect(endOf({ ...both, total_outstanding: '-20.00' })).toEqual(['1 × 60.00 − 0.00 at 20 %', '1 × 20.00 − 0.00 at 9 %']);
    expect(endOf(both)).toEqual(['1 × 60.00 − 0.00 at 20 %']);
    const atOnce = { ...both, refunds: [off([2, '40.00'], [3, '20.00']), gave(1, '40.00', { processed_at: '2026-10-15T10:00:00+03:00' })] };
    expect(endOf({ ...atOnce, total_outstanding: '-20.00' })).toEqual(endOf({ ...both, total_outstanding: '-20.00' }));
    expect(endOf(atOnce)).toEqual(endOf(both));
  });

  test('for pieces of one price and two VAT rates leaves open which one was repaid', () => {
    const equal = { ...lines(piece(2, 0, { price: '20.00' }), piece(3, 0, at9('20.00'))), refunds: [off([2, '20.00'], [3, '20.00']), gave(1, '20.00')] };

    expect(endOf({ ...equal, total_outstanding: '-20.00' })).toEqual([
      'refund.unattributed: Of refund 1, 20.00 EUR names no line, and the lines left have VAT rates 20, 9.',
    ]);
  });

  test('after a swap for a cheaper piece stays with the earlier one', () => {
    const swapped = { line_items: [piece(1, 0), piece(2, 1, { price: '50.00' })], current_total_price: '50.00', total_outstanding: '-10.00' };

    expect(inShort(snapshotOf(swapped))).toMatchObject({ lines: ['1 × Piece 1: 60.00 − 0.00 at 20 %'], kept: '60.00', owed: '10.00' });

    const beside = {
      ...swapped,
      line_items: [piece(3, 1, { price: '7.00' }), ...swapped.line_items, piece(4, 1, { price: '50.00' })],
      current_total_price: '107.00',
    };
    expect(inShort(snapshotOf({ ...beside, line_items: beside.line_items.toSpliced(2, 1), current_total_price: '57.00' })).lines).toEqual([
      '1 × Piece 3: 7.00 − 0.00 at 20 %',
      '1 × Piece 1: 60.00 − 0.00 at 20 %',
    ]);
  });

  test('of a piece whose price was given back but for a part is that part of it', () => {
    const rest = {
      ...lines(piece(2, 0, { price: '40.00' }), piece(3, 0, { price: '30.00' })),
      refunds: [off([2, '40.00'], [3, '30.00']), gave(1, '65.00')],
      total_outstanding: '-5.00',
    };

    expect(endOf(rest)).toEqual(['1 × 60.00 − 0.00 at 20 %', '1 × 30.00 − 25.00 at 20 %']);
    expect(endOf(rest, ['130.00'])).toEqual(endOf(rest));
  });

  test('though nothing was taken off, a person is asked, with both figures', () => {
    expect(endOf({ current_total_price: '25.80', total_outstanding: '-10.00' })).toEqual([
      'total.mismatch: The lines that are left come to 25.80 EUR, paid and kept are 35.80 EUR.',
    ]);
  });

  test('of a cancelled order is in the lines: it was not given back', () => {
    const cancelled = { line_items: [piece(1, 0)], shipping_lines: [shippingBody()], cancelled_at: '2026-10-15T10:00:00+03:00', current_total_price: '0.00' };

    expect(inShort(snapshotOf({ ...cancelled, total_outstanding: '-64.90' }))).toMatchObject({
      kept: '64.90',
      owed: '64.90',
      total: '64.90',
      lines: [expect.anything(), expect.anything()],
    });
  });
});

test('of very many pieces that were taken off, one or all may be owed', () => {
  const many = Array.from({ length: 12 }, (_, nth) => piece(nth + 2, 0, { price: `${nth + 20}.00` }));
  const order = { line_items: [piece(1, 1), ...many], current_total_price: '60.00' };

  expect(snapshotOf({ ...order, total_outstanding: '-25.00' }).lines.map(({ name }) => name)).toEqual(['Piece 1', 'Piece 7']);
  expect(snapshotOf({ ...order, total_outstanding: '-306.00' }).lines).toHaveLength(13);
});

test.each([
  [200, 10],
  [200, 4],
  [1_000, 4],
])('an order of %i lines, %i of which were refunded in part, that nothing explains does not hold the process up', (lines, parts) => {
  const pieces = Array.from({ length: lines }, (_, nth) => {
    const tax_lines = [taxBody(((nth + 10.37) / 3).toFixed(2), 0.2)];
    return piece(nth + 1, nth < 20 ? 1 : 2, { quantity: 2, price: `${nth + 10}.37`, tax_lines });
  });
  const short = Array.from({ length: parts }, (_, nth) => gave(1000 + 2 * nth, `${nth + 1}.13`, { pieces: [[nth + 1, `${nth + 10}.37`]] }));
  const goodwill = Array.from({ length: 200 }, (_, nth) => gave(2000 + 2 * nth, '0.13'));
  const start = process.cpuUsage();

  const order = { line_items: pieces, refunds: [...short, ...goodwill], current_total_price: '333.33', total_outstanding: '-7.77' };
  expect(endOf(order)).toEqual([expect.stringContaining('total.mismatch')]);
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_000);
});

describe('B6: cancelled, the goods refunded by line, and the courier fee kept', () => {
  const cancelled = {
    line_items: [piece(1, 0)],
    shipping_lines: [shippingBody({ price: '5.00', tax_lines: [taxBody('0.83', 0.2)] })],
    cancelled_at: '2026-10-15T10:00:00+03:00',
  };
  const refunds = [gave(1, '60.00', { pieces: [[1, '60.00']] })];

  test.each([
    ['nothing is owed', { current_total_price: '5.00' }, undefined],
    ['all of it is owed', { current_total_price: '0.00', total_outstanding: '-5.00' }, '5.00'],
  ])('ends at 5.00, where by the totals %s', (_what, totals, owed) => {
    expect(inShort(snapshotOf({ ...cancelled, refunds, financial_status: 'partially_refunded', ...totals }))).toEqual({
      lines: ['1 × Еконт: 5.00 − 0.00 at 20 %'],
      total: '65.00',
      kept: '5.00',
      refunds: [{ id: '1', amount: '60.00', deducted: '60.00' }],
      owed,
      otherwise: undefined,
    });
    expect(endOf({ ...cancelled, refunds, financial_status: 'partially_refunded', ...totals })).toEqual(['1 × 5.00 − 0.00 Еконт, 20 %']);
  });
});

describe('refunds of more or less than their pieces', () => {
  test('a refund may be both: pieces, and money without one', () => {
    const both = {
      line_items: [piece(1, 1), piece(2, 0, { price: '40.00' })],
      current_total_price: '57.00',
      refunds: [gave(1, '43.00', { pieces: [[2, '40.00']] })],
    };

    expect(inShort(snapshotOf(both)).refunds).toEqual([{ id: '1', amount: '43.00', deducted: '40.00' }]);
    expect(endOf(both)).toEqual(['1 × 60.00 − 3.00 at 20 %']);
  });

  test('money of an edit, and more beside it: the totals say how much more', () => {
    const off = gave(9, null, { pieces: [[2, '40.00']], processed_at: '2026-10-15T10:00:00+03:00' });
    const more = {
      line_items: [piece(1, 1), piece(2, 0, { price: '40.00' })],
      current_total_price: '57.00',
      refunds: [off, gave(1, '2.00'), gave(3, '41.00')],
    };

    expect(inShort(snapshotOf(more))).toMatchObject({
      kept: '57.00',
      refunds: [
        { id: '9', amount: '0.00' },
        { id: '1', amount: '2.00', deducted: '2.00' },
        { id: '3', amount: '41.00', deducted: '38.00' },
      ],
    });
    expect(endOf(more, ['100.00'])).toEqual(['1 × 60.00 − 3.00 at 20 %']);
    expect(endOf(more)).toEqual([expect.stringContaining('total.mismatch')]);
  });

  test('less than the pieces, for a piece that went out for them or for none: the totals say which', () => {
    const line = (price: string) => ({ line_items: [piece(1, 0), piece(2, 1, { price })], refunds: [gave(1, '10.00', { pieces: [[1, '60.00']] })] });

    expect(endOf({ ...line('50.00'), current_total_price: '50.00' })).toEqual(['1 × 50.00 − 0.00 at 20 %']);
    expect(endOf({ ...line('30.00'), current_total_price: '80.00' })).toEqual(['1 × 60.00 − 10.00 at 20 %', '1 × 30.00 − 0.00 at 20 %']);
    expect(endOf({ ...line('50.00'), current_total_price: '100.00' }, ['110.00'])).toEqual(['1 × 60.00 − 10.00 at 20 %', '1 × 50.00 − 0.00 at 20 %']);
  });

  test('two fees of one amount at two VAT rates leave open which one was kept', () => {
    const fees = {
      line_items: [piece(1, 0), piece(2, 0, at9('60.00')), piece(3, 1)],
      refunds: [gave(1, '50.00', { pieces: [[1, '60.00']] }), gave(3, '50.00', { pieces: [[2, '60.00']] })],
    };

    expect(endOf({ ...fees, current_total_price: '80.00' })).toEqual(['1 × 60.00 − 50.00 at 20 %', '1 × 60.00 − 50.00 at 9 %', '1 × 60.00 − 0.00 at 20 %']);
    expect(endOf({ ...fees, current_total_price: '70.00' })).toEqual([expect.stringContaining('total.mismatch')]);
  });

  test('nothing explains the totals: a person is asked, with both figures', () => {
    expect(endOf({ current_total_price: '31.00' })).toEqual(['total.mismatch: The lines that are left come to 25.80 EUR, paid and kept are 31.00 EUR.']);
  });

  test('by status and totals all was given back: nothing stands, whatever the lines say', () => {
    const odd = { line_items: [piece(1, 1)], financial_status: 'refunded', current_total_price: '0.00', refunds: [gave(1, '59.00')] };

    expect(endOf(odd)).toEqual(['refunded']);
    expect(endOf({ ...odd, financial_status: 'paid' })).toEqual([expect.stringContaining('total.mismatch')]);
  });
});

test('a refund under way of a piece like one that was taken off: only payments tell which money is here', () => {
  const going = gave(1, null, { pieces: [[2, '40.00']], transactions: [transactionBody({ amount: '40.00', status: 'pending' })] });
  const taken = gave(9, null, { pieces: [[3, '40.00']], processed_at: '2026-10-15T10:00:00+03:00' });
  const both = {
    line_items: [piece(1, 1), piece(2, 0, { price: '40.00' }), piece(3, 0, { price: '40.00' })],
    refunds: [taken, going],
    current_total_price: '60.00',
    total_outstanding: '-40.00',
  };

  expect(endOf(both, ['100.00'])).toEqual(['1 × 60.00 − 0.00 at 20 %', '1 × 40.00 − 0.00 at 20 %']);
  expect(endOf(both, ['140.00'])).toEqual(['1 × 60.00 − 0.00 at 20 %', '1 × 40.00 − 0.00 at 20 %', '1 × 40.00 − 0.00 at 20 %']);
  expect(endOf(both)).toEqual([expect.stringContaining('total.mismatch')]);
});
