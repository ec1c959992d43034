import { expect, test } from 'vitest';
import { type Reply, withOrigin } from '../../../../src/bridge/order/decisions/answer.ts';

const known = ['detail', 'status', 'title', 'type'];

function answered(keys?: readonly string[]): Reply {
  const reply = { kind: 'answered', status: 404, id: null, standingId: null, detail: '404', retryAfterMs: null } as const;
  return keys === undefined ? reply : { ...reply, keys };
}

test('a 404 with the keys of the service’s own is the service’s', () => {
  expect(withOrigin(answered(known), known)).toEqual({ ...answered(known), isOwn: true });
  expect(withOrigin(answered([]), [])).toMatchObject({ isOwn: true });
});

test.each<[string, Reply, readonly string[] | null]>([
  ['of an unknown shape, while the service’s is not known', answered(known), null],
  ['that is no JSON object', answered(), known],
  ['with a key less', answered(['detail', 'status', 'title']), known],
  ['with a key more', answered([...known, 'zone']), known],
  ['with another key', answered(['detail', 'message', 'title', 'type']), known],
])('a 404 %s may be of anybody', (_what, reply, keys) => {
  expect(withOrigin(reply, keys)).toEqual(reply);
});

test('what is no answer stays as it is', () => {
  const lost: Reply = { kind: 'lost', error: 'time-out' };

  expect(withOrigin(lost, known)).toEqual(lost);
});
