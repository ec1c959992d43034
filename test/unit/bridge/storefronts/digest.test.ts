import { expect, test } from 'vitest';
import { digestOf } from '../../../../src/bridge/storefronts/hmac.ts';

test('it is the SHA-256 of canonical JSON', () => {
  // printf '{"a":[1,null],"b":"x"}' | sha256sum
  expect(digestOf({ b: 'x', a: [1, null] })).toBe('3dece6dc8d22d61692b03c7d51836aaec96fd08a614e224565e177ad6ff9dbe2');
});

test('the order of keys makes no difference at any depth, nor does an undefined one', () => {
  expect(digestOf({ a: { x: 1, y: 2 }, b: [{ p: 1, q: 2 }] })).toBe(digestOf({ b: [{ q: 2, p: 1 }], a: { y: 2, gone: undefined, x: 1 } }));
});

test('the order of a list, a value or a type makes a difference', () => {
  const digests = [[1, 2], [2, 1], ['1', 2], { 0: 1, 1: 2 }, null, 'null'].map(digestOf);

  expect(new Set(digests).size).toBe(digests.length);
});
