import { expect, test } from 'vitest';
import { ExpiringMap } from '../../../src/platform/expiring-map.ts';

test('an entry is forgotten when its time is over', () => {
  let now = 0;
  const map = new ExpiringMap<string, number>({ ttlMs: 10, size: 5, now: () => now });
  map.set('a', 1);

  now = 9;
  const inTime = map.get('a');
  now = 10;

  expect([inTime, map.get('a')]).toEqual([1, undefined]);
});

test('the oldest goes when there are too many; setting anew makes young', () => {
  const map = new ExpiringMap<string, number>({ ttlMs: 10, size: 2, now: () => 0 });
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);

  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
});

test('clear forgets all', () => {
  const map = new ExpiringMap<string, number>({ ttlMs: 10, size: 2, now: () => 0 });
  map.set('a', 1);

  map.clear();

  expect(map.get('a')).toBeUndefined();
});
