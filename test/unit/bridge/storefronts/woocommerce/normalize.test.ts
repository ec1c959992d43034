import { describe, expect, test } from 'vitest';
import type { OrderNews } from '../../../../../src/bridge/order/facts/facts.ts';
import { factsOf, merge } from '../../../../../src/bridge/order/facts/merge.ts';
import { viewOf } from '../../../../../src/bridge/order/facts/view.ts';
import type { Normalized } from '../../../../../src/bridge/storefronts/contract.ts';
import { woocommerce } from '../../../../../src/bridge/storefronts/woocommerce/woocommerce.ts';
import { bodyOf, recordings } from '../../../../fixtures/woocommerce/recordings.ts';
import { faultsOf, newsOf } from '../../../../support/samples/snapshot-of.ts';
import { normalize, read, readLine, wooLine, wooOrder } from '../../../../support/samples/woo-order.ts';

describe('every recorded body', () => {
  test.each(recordings.filter(({ kind }) => kind === 'webhook'))('$file is read', ({ delivery, bodyIs }) => {
    const normalized = woocommerce.normalize(woocommerce.envelope(delivery.headers), JSON.parse(delivery.body.toString()));

    expect(normalized.kind).toBe(bodyIs === 'rest-error-body' ? 'warning' : 'order');
  });

  test('one order delivered twice within a second is the same snapshot', () => {
    expect(normalize(bodyOf('005'), 'order.updated')).toEqual(normalize(bodyOf('006'), 'order.created'));
  });

  test('two orders that share a delivery id stay two', () => {
    expect([newsOf(normalize(bodyOf('197'))).orderId, newsOf(normalize(bodyOf('199'))).orderId]).toEqual(['107', '108']);
  });
});

describe('an order', () => {
  test('has its times in UTC, its number, gateway, reference and buyer', () => {
    const { snapshot, ...news } = newsOf(normalize(wooOrder({ number: 'W-7' })));

    expect(news).toEqual({ orderId: '7', customer: { email: 'maria@example.invalid', firstName: 'Мария', lastName: 'Иванова' } } satisfies OrderNews);
    expect(snapshot).toMatchObject({
      updatedAt: '2026-11-21T02:00:00.000Z',
      placedAt: '2026-11-21T01:00:00.000Z',
      paidAt: '2026-11-21T01:30:00.000Z',
      createdAt: '2026-11-21T01:00:00Z',
      number: 'W-7',
      currency: 'EUR',
      gateways: ['stripe'],
      transactionId: 'ch_7',
      total: '24.00',
      test: false,
      refunds: [],
    });
  });

  test('without a number of its own goes by its id, without a change by its creation', () => {
    expect(read({ number: undefined, date_modified_gmt: null })).toMatchObject({ number: '7', updatedAt: '2026-11-21T01:00:00.000Z' });
    expect(read({ number: 1042 }).number).toBe('1042');
  });

  test('without gateway and reference has none', () => {
    expect(read({ payment_method: '', transaction_id: null })).toMatchObject({ gateways: [], transactionId: null });
  });

  test('lists its refunds with what went back as a positive amount', () => {
    expect(
      read({
        refunds: [
          { id: 8, total: '-9.9' },
          { id: '9', total: '1.00' },
        ],
      }).refunds,
    ).toEqual([
      { id: '8', amount: '9.90' },
      { id: '9', amount: '1.00' },
    ]);
  });

  test('that lists no refunds at all says nothing about them', () => {
    expect(read({ refunds: undefined }).refunds).toBeNull();
  });

  test('has names without HTML entities, as the store shows them', () => {
    const billing = { first_name: ' Ю&amp;Я ', last_name: 'О&#039;Нийл', email: 'a@example.invalid', phone: '1' };

    expect(newsOf(normalize(wooOrder({ billing }))).customer).toEqual({ email: 'a@example.invalid', phone: '1', firstName: 'Ю&Я', lastName: "О'Нийл" });
    expect(readLine({ name: 'Rose &amp; Co.' }).lines[0]?.name).toBe('Rose & Co.');
  });

  test.each([[null], [undefined], [[]], [{ email: 7 }], [{ email: ' ' }]])('is read when its buyer is %j', (billing) => {
    const news = newsOf(normalize(wooOrder({ billing })));

    expect(news.snapshot?.lines).toHaveLength(1);
    expect(news).not.toHaveProperty('customer');
  });

  test('has another digest when only its buyer changed', () => {
    const renamed = read({ billing: { first_name: 'Ана' } });

    expect(renamed.digest).not.toBe(read().digest);
    expect({ ...renamed, digest: '' }).toEqual({ ...read(), digest: '' });
  });
});

describe('topics', () => {
  test('order.restored brings an order back, by a state that is newer than its deletion', () => {
    const [before, back] = [newsOf(normalize(bodyOf('049'), 'order.updated')), newsOf(normalize(bodyOf('052'), 'order.restored'))];
    const gone = merge(factsOf(before, '2026-11-21T01:49:14.000Z'), factsOf({ orderId: '44', deleted: true }, '2026-11-21T01:49:16.000Z'));

    expect(back).toMatchObject({ orderId: '44', snapshot: { lifecycle: 'live' } });
    expect(viewOf(gone)?.lifecycle).toBe('trashed');
    expect(viewOf(merge(gone, factsOf(back, '2026-11-21T01:49:18.000Z')))?.lifecycle).toBe('live');
  });

  test('finding 8: a captured body of an order in the trash, sent as order.restored, brings nothing back', () => {
    const before = newsOf(normalize(bodyOf('049'), 'order.updated'));
    const gone = merge(factsOf(before, '2026-11-21T01:49:14.000Z'), factsOf({ orderId: '44', deleted: true }, '2026-11-21T01:49:16.000Z'));
    const again = newsOf(normalize(bodyOf('049'), 'order.restored'));

    expect(viewOf(merge(gone, factsOf(again, '2026-11-21T03:00:00.000Z')))?.lifecycle).toBe('trashed');
  });

  test.each<[string, unknown, boolean]>([
    ['order.deleted', wooOrder(), false],
    ['order.deleted', { id: 7, status: 'processing' }, false],
    ['order.deleted', { action: 'woocommerce_delete_order', arg: 7 }, false],
    ['order.deleted', wooOrder({ status: 'checkout-draft' }), true],
    ['order.updated', { action: 'woocommerce_delete_order', arg: 7 }, false],
    ['action.woocommerce_delete_order', { action: 'woocommerce_order_status_changed', arg: 7 }, false],
    ['action.woocommerce_delete_order', wooOrder(), false],
  ])('finding 8: as %s, what does not fit it is a warning, and nothing else: %j', (topic, body, isPrivate) => {
    const warning = expect.stringContaining(`came under the topic ${topic}, which it does not fit`);

    expect(normalize(body, topic)).toEqual({ kind: 'warning', warning, isTopicMismatch: true, ...(isPrivate ? { isPrivate } : {}) });
  });

  test('a field that nobody knows changes none of it', () => {
    expect(normalize({ id: 44, trashed_by: 'x' }, 'order.deleted')).toEqual({ kind: 'order', news: { orderId: '44', deleted: true } });
    expect(normalize(wooOrder({ action: 'x', arg: 7 }), 'order.updated').kind).toBe('order');
    expect(normalize({ action: 'woocommerce_delete_order', arg: 7, by: 'x' }, 'action.woocommerce_delete_order').kind).toBe('order');
  });

  test('order.restored does not bring back what was trashed again before it was sent', () => {
    expect(newsOf(normalize(wooOrder({ status: 'trash' }), 'order.restored'))).not.toHaveProperty('restored');
  });

  test('order.deleted has an id and no time', () => {
    expect(normalize(bodyOf('051'), 'order.deleted')).toEqual({ kind: 'order', news: { orderId: '44', deleted: true } });
  });

  test.each([[{}], [{ id: 0 }], [{ id: -1 }], [{ id: 1.5 }], [{ id: 2 ** 53 }], [{ id: '01' }], [null], ['44']])(
    'order.deleted of %j is unreadable',
    (body) => {
      expect(normalize(body, 'order.deleted').kind).toBe('unreadable');
    },
  );

  test.each<[string, Normalized]>([
    ['action.woocommerce_delete_order', { kind: 'order', news: { orderId: '137', deleted: true } }],
    ['action.woocommerce_order_status_changed', { kind: 'order', news: { orderId: '137', changed: true } }],
    ['action.woocommerce_delete_order_refund', { kind: 'refund-deleted', refundId: '137' }],
    ['action.woocommerce_refund_deleted', { kind: 'refund-deleted', refundId: '137' }],
  ])('%s says what happened, not what the order is', (topic, normalized) => {
    const action = topic.replace('action.', '');

    expect(normalize({ action, arg: 137 }, topic)).toEqual(normalized);
    expect(normalize({ action, arg: '137' }, topic)).toEqual(normalized);
  });

  test.each([[{}], [{ arg: null }], [{ arg: [137] }], [{ arg: 0 }], [{ arg: 'abc' }], [null]])('a custom topic of %j is unreadable', (body) => {
    for (const topic of woocommerce.alsoTopics ?? []) expect(normalize(body, topic).kind).toBe('unreadable');
  });

  test('there are four, and four more for what those leave out', () => {
    expect([woocommerce.topics.length, woocommerce.alsoTopics?.length]).toEqual([4, 4]);
  });

  test('other topics are ignored, a missing one is not', () => {
    expect(normalize({ action: 'woocommerce_order_refunded', arg: 7 }, 'action.woocommerce_order_refunded')).toEqual({
      kind: 'ignored',
      why: 'the topic action.woocommerce_order_refunded says nothing about an order',
    });
    expect(faultsOf(normalize(wooOrder(), ''))).toEqual(['the header X-WC-Webhook-Topic is absent']);
  });

  test('every fault is named by its place', () => {
    const body = wooOrder({ currency: 'euro', date_paid_gmt: '0000-00-00T00:00:00', date_created_gmt: '21.11.2026', line_items: [wooLine({ total: '1e3' })] });

    expect(faultsOf(normalize(body))).toEqual([
      'currency: is not a currency code of three capital letters',
      'date_created_gmt: is not a date and time without a zone',
      'date_created_gmt: is no date after 1970',
      'date_paid_gmt: is no date after 1970',
      'line_items.0.total: is not an amount',
    ]);
  });
});

describe('signed error bodies', () => {
  const error = (code: string) => ({ code, message: 'Invalid.', data: { status: 404 } });

  test.each([
    ['woocommerce_rest_cannot_view', /woocommerce_rest_cannot_view.*owns the webhook/],
    ['rest_no_route', /rest_no_route.*background/],
    ['woocommerce_rest_shop_order_invalid_id', /deleted for good/],
    ['something_else', /something_else.*orders may be missing/],
    ['<script>', /an error \(of its own\)/],
  ])('%s is a warning that says what to do', (code, words) => {
    expect(normalize(error(code))).toEqual({ kind: 'warning', warning: expect.stringMatching(words) });
  });

  test('are a warning under every topic of orders, and name no order', () => {
    for (const topic of woocommerce.topics) expect(normalize(error('rest_no_route'), topic).kind).toBe('warning');
  });

  test('a body with an id is an order, not an error', () => {
    expect(normalize({ ...error('x'), id: 7 }).kind).toBe('unreadable');
    expect(normalize({ ...wooOrder(), code: 'x', message: 'y' }).kind).toBe('order');
  });
});
