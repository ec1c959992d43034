import { describe, expect, test } from 'vitest';
import type { OrderNews } from '../../../../../src/bridge/order/facts/facts.ts';
import { Failure } from '../../../../../src/bridge/order/facts/failure.ts';
import type { MissingOfOrder } from '../../../../../src/bridge/storefronts/contract.ts';
import { woocommerce } from '../../../../../src/bridge/storefronts/woocommerce/woocommerce.ts';
import { answerOf } from '../../../../fixtures/woocommerce/recordings.ts';
import { fetchJson, startStoreApi } from '../../../../support/servers/store-api.ts';

type Answer = { status: number; body: unknown };

/** The result of `complete` for a store with these answers by path, however its requests are signed. */
async function complete(missing: Partial<MissingOfOrder>, answers: Record<string, Answer>): Promise<OrderNews> {
  await using store = await startStoreApi((path) => answers[path.replace(/&?oauth_.*/, '').replace(/\?$/, '')]);
  return await completeAt(store.url, missing);
}

async function completeAt(url: string, missing: Partial<MissingOfOrder>): Promise<OrderNews> {
  const access = { url, consumerKey: 'ck_1', consumerSecret: 'cs_1' };
  const news = await woocommerce.api?.complete(access, { orderId: '7', refundIds: [], deleted: false, ...missing }, { fetchJson, now: Date.now() });
  if (news === undefined) throw new Error('WooCommerce completes nothing');
  return news;
}

const order = (id: string) => `/wp-json/wc/v3/orders/${id}`;
const refunds = (id: string, page = 1) => `${order(id)}/refunds?per_page=100&page=${page}`;

const line = (values: Record<string, unknown> = {}) => ({
  quantity: -1,
  total: '-20.00',
  total_tax: '-4.00',
  meta_data: [{ key: '_refunded_item_id', value: '70' }],
  ...values,
});
const refund = (values: Record<string, unknown> = {}) => ({ id: 8, date_created_gmt: '2026-11-21T03:00:00', amount: '24.00', line_items: [line()], ...values });
const ok = (body: unknown): Answer => ({ status: 200, body });

describe('refunds', () => {
  test('of a recorded partial refund come with the line they take back', async () => {
    const recorded = answerOf('10-refund-partial-line--GET-refunds-2-refunded');
    const news = await complete({ orderId: '31', refundIds: ['32'] }, { [refunds('31')]: recorded });

    expect(news).toEqual({
      orderId: '31',
      refunds: [
        { id: '32', at: '2026-11-21T01:48:44.000Z', amount: '24.00', transactions: [], lines: [{ lineId: '38', quantity: '1', amount: '24.00', rate: '20' }] },
      ],
    });
  });

  test('of a recorded amount alone come without lines', async () => {
    const news = await complete({ orderId: '33', refundIds: ['34'] }, { [refunds('33')]: answerOf('11-refund-amount-only--GET-refunds-2-refunded') });

    expect(news.refunds).toMatchObject([{ id: '34', amount: '10.00', lines: [] }]);
  });

  test('of a recorded full refund come with items and shipping', async () => {
    const news = await complete({ orderId: '35', refundIds: ['36'] }, { [refunds('35')]: answerOf('12-refund-full-lines--GET-refunds-2-refunded') });

    expect(news.refunds?.[0]?.lines).toEqual([
      { lineId: '48', quantity: '1', amount: '24.00', rate: '20' },
      { lineId: '49', quantity: '1', amount: '16.35', rate: '9' },
      { lineId: '50', quantity: '0', amount: '6.00', rate: '20' },
    ]);
  });

  test('are only the requested ones; one that is gone from the store is left out', async () => {
    const news = await complete({ refundIds: ['8', '10'] }, { [refunds('7')]: ok([refund(), refund({ id: 9 })]) });

    expect(news.refunds?.map(({ id }) => id)).toEqual(['8']);
  });

  test('of an order that is gone are none', async () => {
    const gone = { status: 404, body: { code: 'woocommerce_rest_invalid_order_id', message: 'Invalid order ID.', data: { status: 404 } } };

    expect(await complete({ refundIds: ['8'] }, { [refunds('7')]: gone })).toEqual({ orderId: '7', refunds: [] });
  });

  test('take back money without pieces, pieces without money, and a fee below zero', async () => {
    const lines = [
      line({ quantity: 0 }),
      line({ quantity: '-2.50', total: '0.00', total_tax: '', meta_data: [{ key: '_refunded_item_id', value: 71 }] }),
      line({ quantity: null, total: '2.00', total_tax: '0.39', meta_data: [{ key: '_refunded_item_id', value: '91' }] }),
    ];
    const news = await complete({ refundIds: ['8'] }, { [refunds('7')]: ok([refund({ line_items: [], shipping_lines: null, fee_lines: lines })]) });

    expect(news.refunds?.[0]?.lines).toEqual([
      { lineId: '70', quantity: '0', amount: '24.00' },
      { lineId: '71', quantity: '2.5', amount: '0.00', rate: '0' },
      { lineId: '91', quantity: '0', amount: '-2.39' },
    ]);
  });

  test('leave out lines that take nothing back, or name no line of the order', async () => {
    const lines = [
      line({ quantity: 0, total: '0.00', total_tax: '0.00' }),
      line({ meta_data: null }),
      line({ meta_data: [{ key: '_refunded_item_id', value: [] }] }),
    ];

    expect((await complete({ refundIds: ['8'] }, { [refunds('7')]: ok([refund({ line_items: lines })]) })).refunds?.[0]).toMatchObject({
      amount: '24.00',
      lines: [],
    });
  });

  test('are read page by page while the pages are full', async () => {
    const full = Array.from({ length: 100 }, (_, i) => refund({ id: 100 + i }));
    const news = await complete({ refundIds: ['199', '8'] }, { [refunds('7', 1)]: ok(full), [refunds('7', 2)]: ok([refund()]) });

    expect(news.refunds?.map(({ id }) => id)).toEqual(['199', '8']);
  });

  test('without end are a failure, not a loop', async () => {
    const full = ok(Array.from({ length: 100 }, (_, i) => refund({ id: 100 + i })));
    await using store = await startStoreApi(() => full);

    await expect(completeAt(store.url, { refundIds: ['8'] })).rejects.toThrow(/more than 2000 refunds: record it by hand/);
    expect(store.asked).toHaveLength(20);
  });
});

describe('an order that was said to be deleted', () => {
  test('and lies in the trash, as recorded, is a trashed snapshot', async () => {
    const news = await complete({ orderId: '44', deleted: true }, { [order('44')]: answerOf('19-trash-restore-delete--GET-order-trashed') });

    expect(news).toMatchObject({ orderId: '44', snapshot: { lifecycle: 'trashed', payment: 'paid' } });
    expect(news).not.toHaveProperty('restored');
  });

  test('and is back, as recorded, is restored', async () => {
    const news = await complete({ orderId: '44', deleted: true }, { [order('44')]: answerOf('19-trash-restore-delete--GET-order-restored') });

    expect(news).toMatchObject({ orderId: '44', restored: true, snapshot: { lifecycle: 'live', total: '9.99' } });
  });

  test('that came back, and was refunded before it was looked at, comes with the lines of its refunds', async () => {
    const back = { ...Object(answerOf('19-trash-restore-delete--GET-order-restored').body), refunds: [{ id: 8, total: '-24.00' }] };
    const news = await complete({ orderId: '44', deleted: true }, { [order('44')]: ok(back), [refunds('44')]: ok([refund()]) });

    expect(news).toMatchObject({ restored: true, snapshot: { refunds: [{ id: '8' }] }, refunds: [{ id: '8', lines: [{ lineId: '70' }] }] });
  });

  test('and is gone for good, as recorded, is no news', async () => {
    expect(await complete({ orderId: '44', deleted: true }, { [order('44')]: answerOf('19-trash-restore-delete--GET-order-deleted') })).toEqual({
      orderId: '44',
    });
  });

  test('comes together with its refunds', async () => {
    const trashed = answerOf('19-trash-restore-delete--GET-order-trashed');
    const news = await complete({ orderId: '44', deleted: true, refundIds: ['8'] }, { [order('44')]: trashed, [refunds('44')]: ok([refund()]) });

    expect(news).toMatchObject({ snapshot: { lifecycle: 'trashed' }, refunds: [{ id: '8' }] });
  });
});

test('the store’s API is called with its keys, whether or not its URL ends with a slash', async () => {
  await using store = await startStoreApi(() => ok([refund()]));
  await completeAt(`${store.url}//`, { refundIds: ['8'] });

  expect(store.asked).toEqual([{ path: refunds('7'), authorization: `Basic ${Buffer.from('ck_1:cs_1').toString('base64')}` }]);
});

describe('a store that does not answer as WooCommerce', () => {
  const error = { code: 'woocommerce_rest_cannot_view', message: 'Sorry.', data: { status: 401 } };

  test.each([
    [401, error, /answered 401: its REST key is refused.*orderbridge reconnect/],
    [403, error, /answered 403: its REST key is refused/],
    [301, null, /answered 301: its address redirects.*orderbridge reconnect/],
    [404, { code: 'rest_no_route', message: 'No route.' }, /answered 404: no WooCommerce REST API at this address/],
    [404, 'not found', /answered 404: no WooCommerce/],
    [500, error, /answered 500: it is called again later/],
    [429, null, /answered 429: it is called again later/],
    [200, '<html>', /answer is not WooCommerce’s \(the body\)/],
    [200, [{ id: 8, amount: 'x', date_created_gmt: '2026-11-21T03:00:00' }], /not WooCommerce’s \(0\.amount\).*security plugins/],
  ])('(%i, %j) is a failure that says what to do', async (status, body, words) => {
    const failed = complete({ refundIds: ['8'] }, { [refunds('7')]: { status, body } });

    await expect(failed).rejects.toThrow(words);
    const code = status === 401 || status === 403 ? 'storefront.refused' : 'storefront.unreachable';
    await expect(failed).rejects.toMatchObject({ name: 'Failure', code } satisfies Partial<Failure>);
  });

  test('is one that gives an order which can’t be read', async () => {
    await expect(complete({ deleted: true }, { [order('7')]: ok({ id: 7 }) })).rejects.toBeInstanceOf(Failure);
  });
});
