import fc from 'fast-check';
import type { Connection } from '../../../src/bridge/connections/connection.ts';
import { connectionSettings } from '../../../src/bridge/connections/connection-settings.ts';
import type { Written } from '../../../src/bridge/delivery/attempt-ports.ts';
import type { Reply } from '../../../src/bridge/order/decisions/answer.ts';
import type { Claim, Receipt } from '../../../src/bridge/order/decisions/claim.ts';
import type { OrderState } from '../../../src/bridge/order/decisions/order-state.ts';
import type { OpenStep } from '../../../src/bridge/order/decisions/step.ts';
import { wantedOf } from '../../../src/bridge/order/decisions/wanted.ts';
import type { CustomerFact, Facts, Refund, Snapshot } from '../../../src/bridge/order/facts/facts.ts';
import type { Problem } from '../../../src/bridge/order/facts/failure.ts';
import type { Terms } from '../../../src/bridge/order/facts/settings.ts';
import { storefronts } from '../../../src/bridge/storefronts/registry.ts';
import type { TaxRecord } from '../../../src/contract/record.ts';
import { facts, line, refund, snapshot } from '../samples/order-facts.ts';
import { sampleClaim, sampleConnection, sampleTerms } from '../samples/sample-claim.ts';

/** The events during an attempt: each list is used up from its front, and everything not listed succeeds. */
export type Weather = {
  replies: Reply[];
  writes: Written[];
  begins: ('begun' | 'lease lost' | 'unopened' | 'broken')[];
  paused: boolean[];
  fetches: ('fetched' | 'unreachable' | 'refused' | 'broken')[];
  merges: boolean[];
  settings: ('as before' | 'changed' | 'other key')[];
  honoured: { d1: boolean; d0: boolean };
  workedAt: number | null;
};

/** One order, its connection, and the events during one attempt. */
export type AttemptCase = { claim: Claim; connection: Connection; probe: boolean; weather: Weather };

/** The moment of every attempt. */
export const NOW = Date.parse('2026-11-20T10:30:00Z');

const free: Partial<Snapshot> = { total: '0.00', lines: [line({ gross: '0.00' })] };
const snapshots = fc.constantFrom<Partial<Snapshot>>(
  ...Array.from({ length: 8 }, () => ({})),
  ...([{ payment: 'unpaid' }, { payment: 'outstanding' }, { lifecycle: 'cancelled' }, { lifecycle: 'trashed' }, { test: true }, free] as const),
  ...[{ refunds: [{ id: 'r1', amount: '12.00' }] }, { gateways: ['unknownpay'] }, { transactionId: null }, { vat: '9.99' }, { number: '#1043' }],
);
const refunds = fc.constantFrom<Refund[]>([], [], [], [], [], [], [refund()], [refund({ amount: '12.00' })], [refund({ amount: '12.00', lines: null })]);
const customers = fc.constantFrom<CustomerFact>({ kind: 'none' }, { kind: 'known', customer: { email: 'buyer@example.com' } }, { kind: 'erased' });

const allFacts = fc
  .record({
    snapshot: fc.option(snapshots.map(snapshot), { freq: 20 }),
    refunds,
    deletedAt: fc.constantFrom(null, null, null, null, null, '2026-11-20T11:00:00.000Z'),
    said: fc.constantFrom<Pick<Facts, 'changedAt' | 'listLengths'>>(
      {},
      {},
      {},
      {},
      {},
      { changedAt: '2026-11-20T11:20:00.000Z' },
      { listLengths: { 0: '2026-11-20T10:20:00.000Z' } },
    ),
    customer: customers,
  })
  .map(({ said, ...known }) => facts({ ...known, ...said }));

const settings = fc.record({
  unknownOutcome: fc.constantFrom('ask', 'resend'),
  receipts: fc.boolean(),
  removeWithoutRefund: fc.constantFrom('review', 'remove', 'keep'),
  transactionWaitSeconds: fc.constantFrom(0, 60, 3600),
  freeOrders: fc.constantFrom('ignore', 'record'),
});

const connections = fc
  .record({
    settings: settings.map((chosen) => connectionSettings.parse(chosen)),
    platform: fc.constantFrom(...Object.keys(storefronts)),
    access: fc.option(fc.constant({ url: 'https://store.example', consumerKey: 'k', consumerSecret: 's' })),
    recordFrom: fc.constantFrom(...Array.from({ length: 7 }, () => '2026-11-01T00:00:00Z'), '2026-12-01T00:00:00Z'),
    trialSince: fc.constantFrom(...Array.from({ length: 7 }, () => null), '2026-11-10T00:00:00.000Z'),
  })
  .map((chosen): Connection => sampleConnection({ destinationId: 'd1', ...chosen }));

function minutesAgo(minutes: number): string {
  return new Date(NOW - minutes * 60_000).toISOString();
}

const places = fc.constantFrom('d1', 'd0');
const otherRecord: TaxRecord = { ...recordOf(sampleClaim(), sampleTerms()), internalNumber: '#OLD' };

/** The record that follows from the facts, if one does, else another one. */
function recordOf(claim: Claim, terms: Terms): TaxRecord {
  const wanted = wantedOf(claim, terms);
  return wanted.kind === 'record' ? wanted.record : otherRecord;
}

const review = fc.constantFrom<Problem | null>(null, null, { code: 'replacement.refused', detail: 'x' }, { code: 'vat.unmapped', detail: 'y' });
const states = fc.constantFrom<OrderState>('queued', 'unconfirmed', 'recorded', 'review', 'waiting');
const frozen: Claim['mapping'] = {
  vatGroups: { '20': 'GROUP_B' },
  payments: { stripe: { paymentType: 'PAYMENT_PROCESSOR' } },
  ...{ convertTo: null, pricesContainVat: null, giftCards: 'record', giftCardsDeducted: false },
};

function receipts(complianceId: string): fc.Arbitrary<Receipt | null> {
  const since = '2026-11-20T10:00:00.000Z';
  return fc.constantFrom<Receipt | null>(
    ...[null, { state: 'due', complianceId, since, seq: null } as const, { state: 'due', complianceId, since, seq: 2 } as const],
    ...[{ state: 'due', complianceId: 'cid-x', since, seq: null } as const, { state: 'got', complianceId, at: since, id: null } as const],
  );
}

function openSteps(records: fc.Arbitrary<TaxRecord>): fc.Arbitrary<OpenStep> {
  const receipt = fc.constantFrom(false, true, false);
  const open = { seq: 3, uncertain: true };
  return fc.oneof(
    fc.record({ record: records, destinationId: places, receipt }).map((step): OpenStep => ({ kind: 'create', ...open, ...step, idempotencyKey: 'k3' })),
    fc
      .record({ destinationId: places, since: fc.constantFrom<{ since?: string }>({}, { since: minutesAgo(5) }, { since: minutesAgo(420) }) })
      .map(({ destinationId, since }): OpenStep => ({ kind: 'delete', ...open, complianceId: 'cid-0', destinationId, ...since })),
  );
}

const revisions = fc.constantFrom(
  ...Array.from({ length: 6 }, () => ({ recordedRevision: 0, reviewRevision: 0 })),
  ...[
    { recordedRevision: 4, reviewRevision: 0 },
    { recordedRevision: 4, reviewRevision: 3 },
  ],
  ...[
    { recordedRevision: 5, reviewRevision: 0 },
    { recordedRevision: 0, reviewRevision: 5 },
  ],
);

const orders = fc.record({ known: allFacts, connection: connections }).chain(({ known, connection }) => {
  const bare = sampleClaim({ facts: known, revision: 5, stepSeq: 3, key: { ...sampleClaim().key, platform: connection.platform } });
  const record = recordOf(bare, sampleTerms(connection));
  const records = fc.constantFrom(record, record, otherRecord);
  const stands = fc.record({ record: records, destinationId: places, receipt: receipts('cid-0') });
  const claims = fc
    .record({
      ...{
        stands: fc.option(stands, { freq: 2 }),
        openStep: fc.option(fc.option(openSteps(records), { freq: 2 }), { freq: 3 }),
        previous: fc.option(records, { freq: 2 }),
      },
      uncertain: fc.option(places, { freq: 3 }).map((destinationId) => (destinationId === null ? null : { complianceId: 'cid-0', destinationId })),
      ...{ review, state: states, mapping: fc.constantFrom(null, null, frozen), revisions, attempts: fc.constantFrom(0, 2, 9) },
      dirtySince: fc.constantFrom(null, '2026-11-20T10:00:00.000Z', '2026-11-20T04:00:00.000Z'),
    })
    .map(({ stands: found, revisions: counted, ...chosen }): Claim => {
      const current = found === null ? null : { record: found.record, complianceId: 'cid-0', destinationId: found.destinationId };
      return { ...bare, ...chosen, ...counted, current, receipt: found?.receipt ?? null };
    });
  return fc.record({ claim: claims, connection: fc.constant(connection) });
});

const statuses = [200, 200, 201, 201, 204, 302, 400, 401, 403, 404, 404, 408, 409, 409, 410, 422, 429, 500, 501, 503];
const answered = fc
  .record({
    status: fc.constantFrom(...statuses),
    id: fc.constantFrom('cid-1', 'cid-2', null),
    standingId: fc.constantFrom('cid-9', null),
    wait: fc.option(fc.constant(1_500)),
    isOwn: fc.boolean(),
  })
  .map(({ status, id, standingId, wait, isOwn }): Reply => {
    const detail = status < 300 ? '' : status % 2 === 0 ? `${status} not so` : '';
    const origin = isOwn && (status === 404 || status === 410) ? { isOwn: true as const } : {};
    return { kind: 'answered', status, id: status < 300 ? id : null, standingId: status === 409 ? standingId : null, detail, retryAfterMs: wait, ...origin };
  });
const replies = fc.oneof(
  { weight: 8, arbitrary: answered },
  { weight: 1, arbitrary: fc.constant<Reply>({ kind: 'not-sent', error: 'ECONNREFUSED' }) },
  { weight: 1, arbitrary: fc.constant<Reply>({ kind: 'lost', error: 'time-out' }) },
);

const written = fc.record({ owned: mostly(true), newer: mostly(false), dueAt: fc.constantFrom(null, NOW + 300, NOW + 90_000) });

function mostly(usual: boolean): fc.Arbitrary<boolean> {
  return fc.constantFrom(...Array.from({ length: 7 }, () => usual), !usual);
}

function listOf<T>(one: fc.Arbitrary<T>, maxLength = 6): fc.Arbitrary<T[]> {
  return fc.array(one, { maxLength });
}

const weather: fc.Arbitrary<Weather> = fc.record({
  replies: listOf(replies),
  writes: listOf(written),
  begins: listOf(fc.constantFrom<Weather['begins'][number]>(...Array.from({ length: 12 }, () => 'begun' as const), 'lease lost', 'broken')),
  paused: listOf(mostly(false)),
  fetches: listOf(fc.constantFrom<Weather['fetches'][number]>('fetched', 'fetched', 'unreachable', 'refused', 'broken'), 2),
  merges: listOf(mostly(true), 1),
  settings: listOf(fc.constantFrom<Weather['settings'][number]>('as before', 'changed', 'other key')),
  honoured: fc.record({ d1: fc.boolean(), d0: fc.boolean() }),
  workedAt: fc.constantFrom(null, NOW - 3_600_000, NOW - 10 * 3_600_000),
});

/** Any order in any state, processed in any weather: replies are lost, leases end, settings change. */
export const attemptCases: fc.Arbitrary<AttemptCase> = fc
  .record({ order: orders, probe: fc.boolean(), weather })
  .map(({ order, ...rest }) => ({ ...order, ...rest }));
