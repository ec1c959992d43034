import { randomBytes } from 'node:crypto';
import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { sealer } from '../../../src/platform/seal.ts';

const key = randomBytes(32);

property.prop([fc.string({ unit: 'binary' })])('what is sealed opens again', (text) => {
  const { seal, open } = sealer(key);

  expect(open(seal(text))).toBe(text);
});

test('the same text is sealed differently each time, and unreadably', () => {
  const { seal } = sealer(key);

  expect(seal('hunter2')).not.toBe(seal('hunter2'));
  expect(Buffer.from(seal('hunter2').slice(3), 'base64url').toString('latin1')).not.toContain('hunter2');
});

test('another key is an error in words', () => {
  const sealed = sealer(randomBytes(32)).seal('hunter2');

  expect(() => sealer(key).open(sealed)).toThrow('ENCRYPTION_KEY is not the key it was sealed with');
});

test.for([3, 20, 40])('a change at character %i is noticed', (at) => {
  const sealed = sealer(key).seal('a secret that is long enough');
  const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);

  expect(() => sealer(key).open(changed)).toThrow('does not open');
});

test.for(['v1.', 'v1.AAAA'])('%s, cut short, does not open', (sealed) => {
  expect(() => sealer(key).open(sealed)).toThrow('does not open');
});

test('a form of a later release is recognized', () => {
  expect(() => sealer(key).open('v2.abc')).toThrow('written by a newer one');
});
