import { expect, test } from 'vitest';
import { wordsIn } from '../../../../src/console/messages/messages.ts';
import { factsView } from '../../../../src/console/pages/order/order-page.ts';
import { sentence } from '../../../../src/console/pages/order/sentence.ts';
import { storyView } from '../../../../src/console/pages/order/story-view.ts';
import { doubtView } from '../../../../src/console/pages/order/verbs.ts';
import type { OrderDetail } from '../../../../src/operations/order-detail/order-detail.ts';
import { orderDetailFor } from '../../../../src/operations/order-detail/quoted-words.ts';

const AT = '2026-11-01T10:00:00.000Z';
const BUYER = 'Ivan Petrov, ivan@shop.example';

/** An order each of whose texts that a service or a store said names its buyer. */
function quoting(report: object): OrderDetail {
  const step = { seq: 1, kind: 'create', outcome: 'refused', status: 409, detail: BUYER, attempts: 1, complianceId: null, at: AT, endedAt: AT };
  const delivery = { id: 'd', topic: 't', arrivedAt: AT, outcome: 'review', code: 'storefront.refused', detail: BUYER, cut: false };
  const quoted = { state: 'review', code: 'compliance.refused', detail: BUYER };
  const act = { act: 'order.needs-review', means: '', bg: '', who: 'orderbridge', why: null, before: quoted, after: quoted };
  return {
    report: {
      ...{ state: 'unconfirmed', orderId: '1', number: null, complianceId: null, desired: { kind: 'nothing', why: 'unpaid' }, warnings: [], olderThere: null },
      ...{ resolution: null, record: null, facts: { snapshot: null }, review: { code: 'compliance.refused', detail: BUYER }, refusal: BUYER },
      ...{ receipt: { state: 'refused', at: AT, detail: BUYER }, pause: null, deliveries: [delivery], submissions: [step] },
      ...report,
    },
    inDoubt: { kind: 'create', at: AT, complianceId: null },
    store: { id: 'c', name: 'Corner' },
    document: null,
    happened: [
      { is: 'webhook', at: AT, delivery },
      { is: 'request', at: AT, request: { ...step, record: null } },
      { is: 'outbox-job', at: AT, outboxJob: { kind: 'delivered', problem: 'failed', detail: BUYER } },
      { is: 'act', at: AT, name: null, act },
    ],
  } as unknown as OrderDetail;
}

const pauseOf = (code: string, detail: string) => ({ shopId: null, code, detail, since: AT });
const orders = {
  'of which nobody knows whether it is recorded': quoting({}),
  'in review': quoting({ state: 'review' }),
  'that its store keeps waiting': quoting({ state: 'queued', review: null, pause: pauseOf('storefront.refused', BUYER) }),
  'that the service keeps waiting': quoting({ state: 'queued', review: null, pause: pauseOf('compliance.misconfigured', `401 ${BUYER}`) }),
};

test.each(Object.entries(orders))('of an order %s, what a service or a store said is read by those alone who may see buyers', (_, orderDetail) => {
  for (const lang of ['en', 'bg'] as const) {
    const words = wordsIn(lang);
    const page = (role: 'operator' | 'viewer') => {
      const seen = orderDetailFor({ role }, orderDetail);
      const views = [sentence(seen, words), doubtView({ orderDetail: seen, sent: null, words }, { looked: null, mayAct: false })];
      return [...views, factsView(seen, words, { role }), storyView(seen.happened, words)].map(({ markup }) => markup).join('\n');
    };

    expect(page('operator')).toContain(BUYER);
    expect(page('viewer')).not.toContain(BUYER);
  }
  expect(JSON.stringify(orderDetailFor({ role: 'accountant' }, orderDetail))).not.toContain(BUYER);
});

test('what a person does about a pause is said to anyone, and nothing stands in parentheses where nothing may be read', () => {
  const said = (key: keyof typeof orders) => sentence(orderDetailFor({ role: 'viewer' }, orders[key]), wordsIn('en')).markup;

  expect(said('that its store keeps waiting')).toMatch(/which refuses us\. We keep trying/);
  expect(said('that the service keeps waiting')).toContain('Give a key that it takes');
});
