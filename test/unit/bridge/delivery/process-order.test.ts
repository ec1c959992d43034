import { expect, test } from 'vitest';
import { connectionSettings } from '../../../../src/bridge/connections/connection-settings.ts';
import { processOrder } from '../../../../src/bridge/delivery/process-order.ts';
import type { StoreCalls, StorePause } from '../../../../src/bridge/delivery/store-calls.ts';
import type { Claim } from '../../../../src/bridge/order/decisions/claim.ts';
import type { CreateStep } from '../../../../src/bridge/order/decisions/step.ts';
import type { Write } from '../../../../src/bridge/order/decisions/transition.ts';
import { Failure } from '../../../../src/bridge/order/facts/failure.ts';
import { storefronts } from '../../../../src/bridge/storefronts/registry.ts';
import { NOW, type Weather } from '../../../support/attempts/attempt-cases.ts';
import { type Visitor, watchAttempt } from '../../../support/attempts/watched-attempt.ts';
import { facts, line, refund, snapshot } from '../../../support/samples/order-facts.ts';
import { sampleClaim, sampleConnection } from '../../../support/samples/sample-claim.ts';

const calm: Weather = {
  replies: [],
  writes: [],
  begins: [],
  paused: [],
  fetches: [],
  merges: [],
  settings: [],
  honoured: { d1: true, d0: true },
  workedAt: null,
};
const partial = facts({ refunds: [refund({ amount: '12.00', lines: null })] });
const rounded = facts({ snapshot: snapshot({ mayBeOff: '0.01', lines: [line({ gross: '24.01' })] }) });
/** Six hours before the attempt. */
const LONG_AGO = '2026-11-20T04:30:00.000Z';
const A_WHILE_AGO = '2026-11-20T04:30:00.001Z';

/** The attempt may not call the store; the pause of the store; all its places are taken. */
type StoreMood = { inSlot: boolean; pause: StorePause | null; full: boolean };

/** Processes orders of a store in this mood. */
function visitorAt({ inSlot = false, pause = null, full = false }: Partial<StoreMood>): Visitor {
  return {
    Failure,
    storefronts,
    attempt: (deps, { fetches, ...input }) => {
      const stores: StoreCalls = { paused: async () => pause, call: full ? async () => ({ kind: 'full' }) : deps.stores.call };
      return processOrder({ ...deps, stores }, inSlot ? input : { ...input, fetches });
    },
  };
}

/** Of a store that has been failing for so many ms, and is not called for a minute; this process's clock is ahead of the ledger's. */
function pausedFor(ms: number): StorePause {
  const times = { since: new Date(NOW - ms).toISOString(), until: new Date(NOW + 50_000).toISOString(), leftMs: 60_000 };
  return { host: 'store.example', connectionId: null, code: 'storefront.unreachable', detail: 'no answer', failures: 3, ...times };
}

/** What an attempt at an order of a store with a key did, in short, and how it ended. */
async function attempt(claim: Partial<Claim>, weather: Partial<Weather>, store: Partial<StoreMood> = {}) {
  const access = { url: 'https://store.example', consumerKey: 'k', consumerSecret: 's' };
  const connection = sampleConnection({ platform: 'woocommerce', destinationId: 'd1', access });
  const base = sampleClaim(claim);
  const order: Claim = { ...base, key: { ...base.key, platform: 'woocommerce' } };
  const { calls, end } = await watchAttempt({ claim: order, connection, probe: false, weather: { ...calm, ...weather } }, visitorAt(store));
  return { calls: calls.map(({ call }) => call), end, seen: calls };
}

test.each(['unreachable', 'refused'] as const)('what the store does not give (%s) is retried for six hours, then a person is asked', async (fate) => {
  const early = await attempt({ facts: partial, attempts: 8, dirtySince: A_WHILE_AGO }, { fetches: [fate] });
  const late = await attempt({ facts: partial, attempts: 8, dirtySince: LONG_AGO }, { fetches: [fate] });

  expect(early.end).toMatchObject({ kind: 'again', why: expect.stringContaining(`storefront.${fate}`) });
  expect(late.end).toMatchObject({ kind: 'rest', state: 'review', detail: `storefront.${fate}` });
  expect(late.seen.find(({ call }) => call === 'write')?.with).toMatchObject({
    write: { review: { code: `storefront.${fate}`, detail: fate === 'refused' ? '401' : 'no answer' } },
  });
  expect(late.calls).not.toContain('send');
});

test('an order that waited six hours for something else is not asked about as soon as its store does not answer once', async () => {
  const { end } = await attempt({ facts: partial, attempts: 7, dirtySince: LONG_AGO }, { fetches: ['unreachable'] });

  expect(end).toMatchObject({ kind: 'again', why: expect.stringContaining('storefront.unreachable') });
});

test('a record that was deleted for a replacement is put back before a person is asked about the store', async () => {
  const { record } =
    (await attempt({}, {})).seen.flatMap(({ call, with: given }) => (call === 'begin' ? [given as { record: Claim['previous'] }] : []))[0] ?? {};
  if (record === undefined) throw new Error('the sample order should be recorded');
  const { calls, end } = await attempt({ facts: partial, previous: record, attempts: 8, dirtySince: LONG_AGO }, { fetches: ['unreachable'] });

  expect(calls).toContain('send');
  expect(end).toMatchObject({ kind: 'rest', state: 'review', detail: 'storefront.unreachable' });
});

test('a store that gets another key while a person is about to be asked is queried again', async () => {
  const { calls, end } = await attempt({ facts: partial, attempts: 8, dirtySince: LONG_AGO }, { fetches: ['refused', 'fetched'], settings: ['other key'] });

  expect(calls.filter((call) => ['note', 'merge', 'read the settings again', 'send'].includes(call))).toEqual([
    'note',
    'read the settings again',
    'note',
    'merge',
    'send',
  ]);
  expect(end).toMatchObject({ kind: 'rest', state: 'recorded' });
});

test.each([
  { state: 'ignored', old: { recordFrom: '2030-01-01T00:00:00.000Z' }, claim: {} },
  { state: 'waiting', old: {}, claim: { facts: facts({ snapshot: snapshot({ payment: 'unpaid', status: 'custom' }) }) } },
])('a sale that the settings left out as $state is decided again if they were changed during the attempt', async ({ state, old, claim }) => {
  const now = sampleConnection({ destinationId: 'd1', settings: connectionSettings.parse({ paidStatuses: ['custom'] }) });
  const known = sampleConnection({ destinationId: 'd1', ...old });
  const visitor: Visitor = {
    Failure,
    storefronts,
    attempt: (deps, input) => processOrder({ ...deps, connection: async (_id, options) => (options === undefined ? known : now) }, input),
  };
  const { calls, end } = await watchAttempt({ claim: sampleClaim(claim), connection: known, probe: false, weather: calm }, visitor);

  expect(calls.flatMap(({ call, with: given }) => (call === 'write' ? [(given as { write: Write }).write] : []))).toMatchObject([
    { state, recordedRevision: 1, keep: true },
    { state: 'queued', reopens: true, keep: true },
    { state: 'recorded' },
  ]);
  expect(end).toMatchObject({ kind: 'rest', state: 'recorded' });
});

test('a sale that the settings leave out is given back once it is sure that they do', async () => {
  const { calls, end } = await attempt({ facts: facts({ snapshot: snapshot({ payment: 'unpaid' }) }) }, {});

  expect(calls).toEqual(['write', 'read the settings again', 'release']);
  expect(end).toMatchObject({ kind: 'rest', state: 'waiting' });
});

test('a create whose buyer can’t be read for now is not sent, keeps no lease and leaves no step open; one that may have been sent stays open', async () => {
  const first = await attempt({}, { begins: ['unopened'] });
  const step = first.seen.find(({ call }) => call === 'begin')?.with as CreateStep;
  const openStep = { ...step, uncertain: true };
  const repeated = await attempt({ openStep, stepSeq: 1 }, { begins: ['unopened'] });

  for (const { calls, end, seen } of [first, repeated]) {
    expect(calls).not.toContain('send');
    expect(end).toMatchObject({ kind: 'again', why: expect.stringContaining('buyer') });
    expect(seen.at(-1)).toMatchObject({ call: 'write', with: { write: { state: 'queued', attempts: 1, step: { seq: 1, outcome: 'unreachable' } } } });
    expect(seen.at(-1)?.with).not.toHaveProperty('write.keep');
  }
  expect([first, repeated].map(({ seen }) => (seen.at(-1)?.with as { write?: Write } | undefined)?.write?.openStep)).toEqual([null, openStep]);
});

test('exact amounts are not waited for', async () => {
  const { end } = await attempt({ facts: rounded }, { fetches: ['unreachable'] });

  expect(end).not.toMatchObject({ kind: 'again' });
});

test('a store is queried once in an attempt', async () => {
  const { calls } = await attempt({ facts: partial }, { fetches: ['fetched', 'fetched'] });

  expect(calls.filter((call) => call === 'merge')).toHaveLength(1);
});

test('an attempt in a slot of the submitter calls no store: it says when its order is pending, and that the store must be called', async () => {
  const first = await attempt({ facts: partial }, {}, { inSlot: true });
  const third = await attempt({ facts: partial, attempts: 2 }, {}, { inSlot: true });

  expect(first).toMatchObject({ calls: ['write'], end: { kind: 'fetch', host: 'store.example' } });
  expect(first.seen[0]?.with).toMatchObject({ write: { state: 'queued', attempts: 1, dueAt: NOW + 24_000 } });
  expect(third.seen[0]?.with).toMatchObject({ write: { attempts: 3, dueAt: NOW + 96_000 } });
});

test('an order whose store has no place left keeps its own time', async () => {
  const { calls, end } = await attempt({ facts: partial }, {}, { full: true });

  expect(calls).toEqual(['release']);
  expect(end).toMatchObject({ kind: 'fetch', host: 'store.example' });
});

test.each([true, false])('while its store is paused an order waits without a call (in a slot: %s), and no longer for having waited', async (inSlot) => {
  const { calls, end, seen } = await attempt({ facts: partial, attempts: 4 }, { fetches: ['fetched'] }, { inSlot, pause: pausedFor(1_000) });

  expect(calls).toEqual(['write']);
  expect(end).toMatchObject({ kind: 'again', ms: 61_000, why: 'storefront.unreachable: no answer' });
  expect(seen[0]?.with).toMatchObject({ write: { attempts: 4, dueAt: NOW + 61_000 } });
});

test('an order that can do without its store is not held up by its pause', async () => {
  const { calls, end } = await attempt({ facts: rounded }, {}, { inSlot: true, pause: pausedFor(1_000) });

  expect(calls).toContain('send');
  expect(end).toMatchObject({ kind: 'rest', state: 'recorded' });
});

test('after six hours a person is asked because of a pause that lasted as long, and not because of a shorter one', async () => {
  const order = { facts: partial, dirtySince: LONG_AGO };
  const lasting = await attempt(order, {}, { inSlot: true, pause: pausedFor(6 * 3_600_000) });
  const shorter = await attempt(order, {}, { inSlot: true, pause: pausedFor(6 * 3_600_000 - 1) });

  expect(lasting.end).toMatchObject({ kind: 'rest', state: 'review', detail: 'storefront.unreachable' });
  expect(shorter.end).toMatchObject({ kind: 'again' });
});
