import { expect, test } from 'vitest';
import type { KnownTraffic } from '../../../src/bridge/ledger/deliveries/traffic-store.ts';
import { deliveryWarnings } from '../../../src/operations/connections/connection-warnings.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const live = { id: 'c_1', closedAt: null };
const closed = { id: 'c_1', closedAt: '2026-11-20T00:00:00.000Z' };

const warnings = (given: Partial<KnownTraffic>, connection: typeof live | typeof closed = live) =>
  deliveryWarnings(
    connection,
    {
      ...{ connectionId: 'c_1', lastAccepted: '2026-11-21T00:00:00.000Z', lastRefused: '2026-11-22T00:00:00.000Z' },
      ...{ refusedCode: 'signature.mismatch', refusedInARow: 3, ...given },
    },
    NOW,
  );

test('the third in a row is warned about, and the second is not', () => {
  expect(warnings({ refusedInARow: 2 })).toEqual([]);
  expect(warnings({})).toEqual([
    'signature.mismatch: the last 3 webhooks were refused, the newest at 2026-11-22T00:00:00.000Z; the last accepted one was at 2026-11-21T00:00:00.000Z. ' +
      'The store signs with another secret than this connection has: copy the secret of its webhooks, and give it with `orderbridge rotate-secret c_1 --secret prompt`. ' +
      'If it is the same, something between changes the body, such as a proxy or a security plugin. `orderbridge deliveries c_1 --refused` lists them',
  ]);
  expect(deliveryWarnings(live, undefined, NOW)).toEqual([]);
});

test('a store of which none was ever accepted is said to be one', () => {
  expect(warnings({ lastAccepted: null })).toEqual([expect.stringContaining('none was ever accepted.')]);
});

test.each([
  ['signature.missing', 'set a secret in each of its webhooks'],
  ['signature.expired', 'correct its clock'],
  ['body.not-json', 'choose JSON as their format'],
  ['body.wrong-type', 'choose JSON as their format'],
  ['body.encoded', 'turn that off'],
  ['body.incomplete', 'look at the proxy'],
  ['body.too-large', 'The body is over 5 MB. Send one order per webhook.'],
  ['intake.unavailable', '`orderbridge doctor` checks both'],
])('%s comes with what to do', (refusedCode, words) => {
  expect(warnings({ refusedCode })).toEqual([expect.stringContaining(words)]);
});

test('a code of a later release comes with the words for such codes', () => {
  expect(warnings({ refusedCode: 'signature.strange' })).toEqual([expect.stringMatching(/^signature\.strange: the last 3 .*upgrade/i)]);
});

test('a disconnected store is warned about if it still sends, not for what was before, and for a week', () => {
  const still = { refusedCode: 'connection.closed' };

  expect(warnings(still, closed)).toEqual([expect.stringContaining('and still sends: delete its webhooks there')]);
  expect(warnings({}, closed)).toEqual([]);
  expect(warnings({ ...still, lastRefused: '2026-11-15T11:59:59.000Z' }, closed)).toEqual([]);
});
