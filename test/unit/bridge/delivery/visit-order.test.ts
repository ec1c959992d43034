import { expect, test } from 'vitest';
import { visitOrder } from '../../../../src/bridge/delivery/visit-order.ts';
import type { Claim } from '../../../../src/bridge/order/claim.ts';
import { Failure } from '../../../../src/bridge/order/failure.ts';
import { facts, line, refund, snapshot } from '../../../support/samples/order-facts.ts';
import { sampleClaim, sampleConnection } from '../../../support/samples/sample-claim.ts';
import type { Weather } from '../../../support/visits/visit-cases.ts';
import { watchVisit } from '../../../support/visits/watched-visit.ts';

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
/** Six hours before the visit. */
const LONG_AGO = '2026-11-20T04:30:00.000Z';
const A_WHILE_AGO = '2026-11-20T04:30:00.001Z';

/** What a visit to an order of a store with a key did, in short, and how it ended. */
async function visit(claim: Partial<Claim>, weather: Partial<Weather>) {
  const access = { url: 'https://store.example', consumerKey: 'k', consumerSecret: 's' };
  const connection = sampleConnection({ platform: 'woocommerce', destinationId: 'd1', access });
  const base = sampleClaim(claim);
  const order: Claim = { ...base, key: { ...base.key, platform: 'woocommerce' } };
  const { calls, end } = await watchVisit({ claim: order, connection, probe: false, weather: { ...calm, ...weather } }, { visit: visitOrder, Failure });
  return { calls: calls.map(({ call }) => call), end, seen: calls };
}

test.each(['unreachable', 'refused'] as const)('what the store does not give (%s) is retried for six hours, then a person is asked', async (fate) => {
  const early = await visit({ facts: partial, dirtySince: A_WHILE_AGO }, { fetches: [fate] });
  const late = await visit({ facts: partial, dirtySince: LONG_AGO }, { fetches: [fate] });

  expect(early.end).toMatchObject({ kind: 'again', why: expect.stringContaining(`storefront.${fate}`) });
  expect(late.end).toMatchObject({ kind: 'rest', state: 'parked', detail: `storefront.${fate}` });
  expect(late.seen.find(({ call }) => call === 'write')?.with).toMatchObject({
    write: { parked: { code: `storefront.${fate}`, detail: fate === 'refused' ? '401' : 'no answer' } },
  });
  expect(late.calls).not.toContain('send');
});

test('a record that was deleted for a replacement is put back before a person is asked about the store', async () => {
  const { record } = (await visit({}, {})).seen.flatMap(({ call, with: given }) => (call === 'begin' ? [given as { record: Claim['previous'] }] : []))[0] ?? {};
  if (record === undefined) throw new Error('the sample order should be recorded');
  const { calls, end } = await visit({ facts: partial, previous: record, dirtySince: LONG_AGO }, { fetches: ['unreachable'] });

  expect(calls).toContain('send');
  expect(end).toMatchObject({ kind: 'rest', state: 'parked', detail: 'storefront.unreachable' });
});

test('a store that gets another key while a person is about to be asked is queried again', async () => {
  const { calls, end } = await visit({ facts: partial, dirtySince: LONG_AGO }, { fetches: ['refused', 'fetched'], settings: ['other key'] });

  expect(calls.filter((call) => ['note', 'merge', 'read the settings again', 'send'].includes(call))).toEqual([
    'note',
    'read the settings again',
    'note',
    'merge',
    'send',
  ]);
  expect(end).toMatchObject({ kind: 'rest', state: 'recorded' });
});

test('exact amounts are not waited for', async () => {
  const { end } = await visit({ facts: rounded }, { fetches: ['unreachable'] });

  expect(end).not.toMatchObject({ kind: 'again' });
});

test('a store is queried once in a visit', async () => {
  const { calls } = await visit({ facts: partial }, { fetches: ['fetched', 'fetched'] });

  expect(calls.filter((call) => call === 'merge')).toHaveLength(1);
});
