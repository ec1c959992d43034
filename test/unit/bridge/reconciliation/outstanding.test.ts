import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../../src/bridge/order/decisions/answer.ts';
import {
  OutstandingMonths,
  type OutstandingReported,
  type PaidOrder,
  paidOrder,
  type ReportedShop,
  reportOutstanding,
  type Unrecorded,
} from '../../../../src/bridge/reconciliation/report-outstanding.ts';
import { outstandingDto } from '../../../../src/contract/outstanding-dto.ts';
import { listingMonth } from '../../../../src/service/law/deadlines.ts';
import { at, facts, refund, snapshot } from '../../../support/samples/order-facts.ts';
import { sampleTerms } from '../../../support/samples/sample-claim.ts';

const terms = sampleTerms({ settings: { payments: { stripe: { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Stripe' } } } });
const unrecorded = (changes: Partial<Unrecorded> = {}): Unrecorded => ({
  ...{ orderId: '5001', facts: facts(), mapping: null, code: 'queued', isOurs: false },
  ...changes,
});
const withSnapshot = (values: Parameters<typeof snapshot>[0]) => unrecorded({ facts: facts({ snapshot: snapshot(values) }) });

describe('an order without a record', () => {
  test('that should be recorded counts with the money of its record', () => {
    expect(paidOrder(unrecorded(), terms)).toEqual({
      createdAt: '2026-11-20T11:55:00+02:00',
      soldAt: at('10:00'),
      code: 'queued',
      currency: 'EUR',
      total: 2400n,
    });
  });

  test('that waits for a person counts with what was paid and kept', () => {
    const unmapped = { gateways: ['odd'] };

    expect(paidOrder(withSnapshot({ ...unmapped, kept: '20.00' }), terms)).toMatchObject({ total: 2000n });
    expect(paidOrder(withSnapshot(unmapped), terms)).toMatchObject({ total: 2400n });
    const partly = { refunds: [{ id: 'r1', amount: '4.00' }] };
    const returned = facts({ snapshot: snapshot({ ...unmapped, ...partly }), refunds: [refund({ amount: '4.00' })] });
    expect(paidOrder(unrecorded({ facts: returned }), terms)).toMatchObject({ total: 2000n });
  });

  test('is counted in the currency that its record would have', () => {
    const converted = sampleTerms({ settings: { convertTo: 'EUR' } });

    expect(paidOrder(withSnapshot({ gateways: ['odd'], currency: 'BGN', total: '19.56' }), converted)).toMatchObject({ currency: 'EUR', total: 1000n });
    expect(paidOrder(withSnapshot({ gateways: ['odd'], currency: 'USD', total: '19.56' }), converted)).toMatchObject({ currency: 'USD', total: 1956n });
  });

  test.each([
    ['unpaid', { payment: 'unpaid', paidAt: null }],
    ['a test', { test: true }],
    ['a draft', { lifecycle: 'draft', payment: 'unpaid' }],
    ['of the time before the connection', { paidAt: '2026-10-01T00:00:00.000Z', placedAt: '2026-10-01T00:00:00.000Z' }],
  ] as const)('that is %s does not count', (_, values) => {
    const order = unrecorded({ facts: facts({ snapshot: snapshot(values), paidSeenAt: null }) });

    expect(paidOrder(order, terms)).toBeNull();
  });

  test('of the time before the connection counts if a person took it in', () => {
    const early = { facts: facts({ snapshot: snapshot({ paidAt: '2026-10-01T00:00:00.000Z' }) }) };

    expect(paidOrder(unrecorded({ ...early, isOurs: true }), terms)).toMatchObject({ soldAt: '2026-10-01T00:00:00.000Z' });
  });

  test('of which nothing but a refund is known does not count', () => {
    expect(paidOrder(unrecorded({ facts: facts({ snapshot: null }) }), terms)).toBeNull();
  });
});

const order = (changes: Partial<PaidOrder> = {}): PaidOrder => ({
  ...{ createdAt: '2026-10-31T23:30:00+02:00', soldAt: '2026-10-31T21:31:00.000Z', currency: 'EUR', total: 1200n, code: 'payment.unmapped' },
  ...changes,
});

describe('the list', () => {
  test('adds up by month and currency, the newest month first', () => {
    const sums = new OutstandingMonths((createdAt) => createdAt.slice(0, 7));
    sums.add(order());
    sums.add(order({ soldAt: '2026-10-30T10:00:00.000Z', code: 'vat.unmapped' }));
    sums.add(order({ code: 'vat.unmapped' }));
    sums.add(order({ currency: 'JPY', total: 500n }));
    sums.add(order({ createdAt: '2026-11-01T00:00:00+02:00' }));

    const list = sums.list(100);

    expect(list).toMatchObject([
      { month: '2026-11', orders: 1, total: '12.00' },
      { month: '2026-10', currency: 'EUR', orders: 3, total: '36.00', oldest: '2026-10-30T10:00:00.000Z', codes: { 'payment.unmapped': 1, 'vat.unmapped': 2 } },
      { month: '2026-10', currency: 'JPY', orders: 1, total: '500' },
    ]);
    expect(outstandingDto.safeParse({ at: at('10:00'), months: list }).error).toBeUndefined();
    expect(sums.list(1)).toHaveLength(1);
  });
});

describe('the month that would list an order now', () => {
  test.each([
    ['2026-10-31T23:30:00+02:00', '2026-11-10', '2026-10'],
    ['2026-10-31T22:30:00Z', '2026-11-10', '2026-11'],
    ['2026-10-20T10:00:00', '2026-11-16', '2026-10'],
    ['2026-10-20T10:00:00', '2026-11-17', '2026-11'],
    ['2026-08-20T10:00:00', '2026-11-10', '2026-10'],
    ['2026-12-01T10:00:00', '2026-11-30', '2026-11'],
  ])('of %s on %s is %s', (createdAt, today, month) => {
    expect(listingMonth(createdAt, today)).toBe(month);
  });
});

const NOW = Date.parse('2026-11-10T04:00:00.000Z');
const shop = (changes: Partial<ReportedShop> = {}): ReportedShop => ({ shopId: 's1', destinationId: 'd1', at: null, months: null, error: null, ...changes });
const months = [{ month: '2026-10', orders: 1, total: '12.00', currency: 'EUR', oldest: '2026-10-31T21:31:00.000Z', codes: { 'payment.unmapped': 1 } }];
const ok: Reply = { kind: 'answered', status: 200, id: null, standingId: null, detail: '', retryAfterMs: null };

async function look(orders: PaidOrder[], of: ReportedShop, reply: Reply = ok) {
  const sent: unknown[] = [];
  const kept: OutstandingReported[] = [];
  const reported = await reportOutstanding(
    {
      ledger: {
        async *paidOrders() {
          yield orders;
        },
        looked: async (_, looked) => void kept.push(looked),
      },
      put: async (_, list) => {
        sent.push(list);
        return reply;
      },
      monthOf: (createdAt) => createdAt.slice(0, 7),
      everyMs: 180_000,
      now: () => NOW,
    },
    of,
  );
  return { reported, sent, kept: kept[0] };
}

describe('a compliance service is told', () => {
  const list = { at: '2026-11-10T04:00:00.000Z', months };

  test('of the first order', async () => {
    expect(await look([order()], shop())).toEqual({
      reported: { kind: 'reported', orders: 1 },
      sent: [list],
      kept: { reported: list, error: null, nextMs: 180_000 },
    });
  });

  test('of nothing new once, and again after a day', async () => {
    const hours = (n: number) => new Date(NOW - n * 3_600_000).toISOString();

    expect(await look([order()], shop({ at: hours(22), months }))).toMatchObject({
      reported: { kind: 'same' },
      sent: [],
      kept: { reported: null, nextMs: 180_000 },
    });
    expect(await look([order()], shop({ at: hours(23), months }))).toMatchObject({ reported: { kind: 'reported' }, sent: [list] });
  });

  test('that there is none any more', async () => {
    expect(await look([], shop({ at: '2026-11-10T03:00:00.000Z', months }))).toMatchObject({
      reported: { kind: 'reported', orders: 0 },
      sent: [{ months: [] }],
    });
  });

  test('nothing of a shop that never had one', async () => {
    expect(await look([], shop())).toMatchObject({ reported: { kind: 'same' }, sent: [] });
  });

  test('again if it may not have got the last list', async () => {
    const lost: Reply = { kind: 'lost', error: 'ECONNRESET' };
    expect(await look([], shop({ at: '2026-11-10T03:00:00.000Z', months }), lost)).toMatchObject({
      reported: { kind: 'failed', why: 'ECONNRESET' },
      kept: { reported: null, error: 'ECONNRESET', nextMs: 900_000 },
    });
    expect(await look([order()], shop({ at: '2026-11-10T03:00:00.000Z', months, error: 'ECONNRESET' }))).toMatchObject({ reported: { kind: 'reported' } });
  });

  test.each([404, 405, 410, 501])('no more for a day if it answers %i: it has no place for it', async (status) => {
    expect(await look([order()], shop(), { ...ok, status })).toMatchObject({ reported: { kind: 'no-place' }, kept: { reported: null, nextMs: 86_400_000 } });
  });

  test('later if it refuses or is busy, within an hour', async () => {
    const busy: Reply = { ...ok, status: 503, detail: '503 busy', retryAfterMs: 1_200_000 };

    expect(await look([order()], shop(), busy)).toMatchObject({ reported: { kind: 'failed', why: '503 busy' }, kept: { nextMs: 1_200_000 } });
    expect(await look([order()], shop(), { ...busy, retryAfterMs: 1e9 })).toMatchObject({ kept: { nextMs: 3_600_000 } });
    expect(await look([order()], shop(), { ...ok, status: 401, detail: '401' })).toMatchObject({ reported: { kind: 'failed' }, kept: { nextMs: 900_000 } });
  });
});
