import { describe, expect, test } from 'vitest';
import type { OrderNews } from '../../../../../src/bridge/order/facts/facts.ts';
import type { MissingOfOrder } from '../../../../../src/bridge/storefronts/contract.ts';
import { woocommerce } from '../../../../../src/bridge/storefronts/woocommerce/woocommerce.ts';
import { snapshotOf } from '../../../../support/samples/snapshot-of.ts';
import { normalize, wooLine, wooOrder } from '../../../../support/samples/woo-order.ts';
import { fetchJson, startStoreApi } from '../../../../support/servers/store-api.ts';

type Answers = Record<string, { status: number; body: unknown }>;
type Fetched = { news: OrderNews; asked: string[] };

const order = '/wp-json/wc/v3/orders/7';
const exact = `${order}?dp=6`;
const refunds = `${order}/refunds?per_page=100&page=1`;
const gone = { status: 404, body: { code: 'woocommerce_rest_shop_order_invalid_id', message: 'Invalid ID.', data: { status: 404 } } };
const MODIFIED = Date.parse('2026-11-21T02:00:00Z');

function ok(body: unknown): Answers[string] {
  return { status: 200, body };
}

/** What `complete` fetches of order 7 from a store with these answers by path. */
async function fetched(missing: Partial<MissingOfOrder>, answers: Answers, now = MODIFIED + 60_000): Promise<Fetched> {
  await using store = await startStoreApi((path) => answers[path]);
  const access = { url: store.url, consumerKey: 'ck_1', consumerSecret: 'cs_1' };
  const news = await woocommerce.api?.complete(access, { orderId: '7', refundIds: [], deleted: false, ...missing }, { fetchJson, now });
  if (news === undefined) throw new Error('WooCommerce completes nothing');
  return { news, asked: store.asked.map(({ path }) => path) };
}

// The block checkout's order of a shop that rounds at subtotal level: shown lines come to 33.86.
const shown = (amounts: [string, string, string][], total: string) =>
  wooOrder({
    total,
    line_items: amounts.map(([net, tax, longTax], index) => ({
      ...wooLine({ id: 70 + index, name: `Product ${index}`, total: net, total_tax: tax, subtotal: net, subtotal_tax: tax }),
      taxes: [{ id: index === 1 ? 2 : 1, total: longTax, subtotal: longTax }],
    })),
  });
const asWebhook = shown(
  [
    ['0.93', '0.19', '0.19'],
    ['24.53', '2.21', '2.21'],
    ['5.00', '1.00', '1.00'],
  ],
  '33.85',
);
const asExact = shown(
  [
    ['0.925000', '0.185000', '0.185000'],
    ['24.532110', '2.207890', '2.207890'],
    ['5.000000', '1.000000', '1.000000'],
  ],
  '33.850000',
);

describe('the whole order', () => {
  test('live 2: is read with all decimals of its amounts, which come to the total where the shown ones do not', async () => {
    const { news, asked } = await fetched({ exact: true }, { [exact]: ok(asExact) });

    expect(snapshotOf(normalize(asWebhook))).toMatchObject({ mayBeOff: '0.03', total: '33.85' });
    expect(news.snapshot).toMatchObject({ exact: true, total: '33.85', problems: [], lines: [{ gross: '1.11' }, { gross: '26.74' }, { gross: '6.00' }] });
    expect(news.snapshot).not.toHaveProperty('mayBeOff');
    expect(asked).toEqual([exact]);
  });

  test('of a shop that rounds each line is read as its webhooks show it', async () => {
    const long = shown(
      [
        ['8.325000', '1.660000', '1.665000'],
        ['8.325000', '1.660000', '1.665000'],
      ],
      '19.980000',
    );
    const { news } = await fetched(
      { exact: true },
      {
        [exact]: ok({
          ...long,
          tax_lines: [
            { rate_id: 1, rate_percent: 20 },
            { rate_id: 2, rate_percent: 20 },
          ],
        }),
      },
    );

    expect(news.snapshot).toMatchObject({ problems: [], lines: [{ gross: '9.99' }, { gross: '9.99' }] });
    expect(news.snapshot).not.toHaveProperty('mayBeOff');
  });

  test('whose exact lines do not make whole cents says how far they may be off', async () => {
    const thirds = shown(
      [
        ['1.004167', '0.200833', '0.200833'],
        ['1.105505', '0.099495', '0.099495'],
        ['1.004167', '0.200833', '0.200833'],
      ],
      '3.620000',
    );
    const { news } = await fetched({ exact: true }, { [exact]: ok(thirds) });

    expect(news.snapshot).toMatchObject({ exact: true, mayBeOff: '0.02', problems: [] });
  });

  test('is read once for a doubt and for exact amounts, and comes with the refunds that it lists', async () => {
    const refund = { id: 8, date_created_gmt: '2026-11-21T03:00:00', amount: '24.00', line_items: [] };
    const body = wooOrder({ refunds: [{ id: 8, total: '-24.00' }] });
    const { news, asked } = await fetched({ order: true, exact: true, refundIds: ['9'] }, { [exact]: ok(body), [refunds]: ok([refund, { ...refund, id: 9 }]) });

    expect(news).toMatchObject({ snapshot: { exact: true, refunds: [{ id: '8' }] }, refunds: [{ id: '8', lines: [] }, { id: '9' }] });
    expect(asked).toEqual([exact, refunds]);
  });

  test('is read as it shows its amounts where only its state is in doubt', async () => {
    const { news, asked } = await fetched({ order: true }, { [order]: ok(wooOrder()) });

    expect(news).toMatchObject({ snapshot: { lines: [{ gross: '24.00' }] } });
    expect(news).not.toHaveProperty('restored');
    expect(news.snapshot).not.toHaveProperty('exact');
    expect(asked).toEqual([order]);
  });

  test('was read at a time that counts, once its second is over', async () => {
    for (const [missing, path] of [
      [{ order: true }, order],
      [{ exact: true }, exact],
      [{ deleted: true }, order],
    ] as const) {
      const answers = { [path]: ok(wooOrder()) };

      expect((await fetched(missing, answers, MODIFIED + 2_000)).news.snapshot?.readAt).toBe('2026-11-21T02:00:02.000Z');
      expect((await fetched(missing, answers, MODIFIED + 1_999)).news.snapshot).not.toHaveProperty('readAt');
      const created = { [path]: ok(wooOrder({ date_modified_gmt: null })) };
      expect((await fetched(missing, created, MODIFIED)).news.snapshot?.readAt).toBe('2026-11-21T02:00:00.000Z');
    }
  });

  test('that is gone for good is news, unless a webhook has reported it, and it was not said to have changed since', async () => {
    expect((await fetched({ exact: true }, { [exact]: gone })).news).toEqual({ orderId: '7', deleted: true });
    expect((await fetched({ order: true }, { [order]: gone })).news).toEqual({ orderId: '7', deleted: true });
    expect((await fetched({ deleted: true }, { [order]: gone })).news).toEqual({ orderId: '7' });
    expect((await fetched({ order: true, deleted: true }, { [order]: gone })).news).toEqual({ orderId: '7', deleted: true });
  });

  test('is not gone for good by an answer of any length', async () => {
    const code = `woocommerce_rest_${'invalid_'.repeat(50_000)}`;

    await expect(fetched({ order: true }, { [order]: { status: 404, body: { code } } })).rejects.toThrow('no WooCommerce REST API at this address');
  });

  test('that was said to be deleted is back, or in the trash; its exact amounts alone do not bring it back', async () => {
    expect((await fetched({ exact: true, deleted: true }, { [exact]: ok(wooOrder()) })).news).toMatchObject({ restored: true, snapshot: { exact: true } });
    expect((await fetched({ exact: true, deleted: true }, { [exact]: ok(wooOrder({ status: 'trash' })) })).news).not.toHaveProperty('restored');
    expect((await fetched({ exact: true }, { [exact]: ok(wooOrder()) })).news).not.toHaveProperty('restored');
  });

  test('live 9: of a shop without decimals is read as it shows its amounts, if only these add up', async () => {
    const whole = wooOrder({
      total: '25',
      line_items: [wooLine({ total: '21', total_tax: '4', subtotal: '21', subtotal_tax: '4', taxes: [{ id: 1, total: '4' }] })],
    });
    const long = wooOrder({
      total: '25.000000',
      line_items: [
        wooLine({ total: '20.583333', total_tax: '4.000000', subtotal: '20.583333', subtotal_tax: '4.000000', taxes: [{ id: 1, total: '4.116667' }] }),
      ],
    });
    const { news, asked } = await fetched({ exact: true }, { [exact]: ok(long), [order]: ok(whole) });

    expect(news.snapshot).toMatchObject({ exact: true, roundedTo: '1', problems: [], lines: [{ gross: '25.00' }] });
    expect(news.snapshot).toHaveProperty('readAt');
    expect(asked).toEqual([exact, order]);
  });

  test('that does not add up in either way stays as it was read first, if it is gone by the second time', async () => {
    const { news } = await fetched({ exact: true }, { [exact]: ok(wooOrder({ total: '20.000000' })), [order]: gone });

    expect(news.snapshot).toMatchObject({ exact: true, total: '20.00', lines: [{ gross: '24.00' }] });
    expect(news.snapshot).not.toHaveProperty('mayBeOff');
  });
});

describe('a refund by line', () => {
  const back = (amount: string, lines: [string, string][]) => ({
    ...{ id: 8, date_created_gmt: '2026-11-21T03:00:00', amount },
    line_items: lines.map(([total, total_tax], index) => ({
      quantity: -1,
      total,
      total_tax,
      meta_data: [{ key: '_refunded_item_id', value: String(70 + index) }],
    })),
  });
  const amounts = async (body: unknown) =>
    (await fetched({ refundIds: ['8'] }, { [refunds]: ok([body]) })).news.refunds?.[0]?.lines?.map(({ amount }) => amount);

  test('live 2: whose shown lines differ from its money by rounding has the gap on its largest line', async () => {
    expect(await amounts(back('9.99', [['-8.33', '-1.67']]))).toEqual(['9.99']);
    expect(
      await amounts(
        back('27.84', [
          ['-0.93', '-0.19'],
          ['-24.53', '-2.21'],
        ]),
      ),
    ).toEqual(['1.12', '26.72']);
    expect(
      await amounts(
        back('27.85', [
          ['-24.53', '-2.21'],
          ['-0.93', '-0.19'],
        ]),
      ),
    ).toEqual(['26.73', '1.12']);
  });

  test('whose lines differ from its money by more stays as it is', async () => {
    expect(await amounts(back('9.98', [['-8.33', '-1.67']]))).toEqual(['10.00']);
    expect(await amounts(back('12.00', [['-8.33', '-1.67']]))).toEqual(['10.00']);
  });
});
