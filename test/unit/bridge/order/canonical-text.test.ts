import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalText } from '../../../../src/bridge/order/facts/canonical-text.ts';
import { runs } from '../../../support/run-size.ts';

/** The plain way: each object as JSON.stringify meets it, its fields in the order of their names. */
function plainText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner === null || typeof inner !== 'object' || Array.isArray(inner)
      ? inner
      : Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
}

describe('canonical text', () => {
  test('is the same for every order of the keys, on every level', () => {
    expect(canonicalText({ b: [{ d: 1, c: 'x' }], a: null })).toBe('{"a":null,"b":[{"c":"x","d":1}]}');
    expect(canonicalText({ a: null, b: [{ c: 'x', d: 1 }] })).toBe('{"a":null,"b":[{"c":"x","d":1}]}');
  });

  test.each([
    ['keys that are undefined', { b: undefined, a: [undefined, () => 1] }],
    ['a key that names the prototype', JSON.parse('{"b":1,"__proto__":{"d":2,"c":[3]},"a":{"__proto__":null}}')],
    ['numbers as keys', { 10: 'a', 9: 'b', x: 'c', '-1': 'd', '01': 'e' }],
    ['a date', { at: new Date(0), in: [new Date(1)] }],
    ['an object that says how it is shown', { shown: { toJSON: () => ({ b: 1, a: { d: 1, c: 2 } }) }, not: { toJSON: 'text' } }],
    ['what JSON has no word for', [Number.NaN, Number.POSITIVE_INFINITY, -0, Symbol('x')]],
    ['text alone', 'Чаша "\u2028'],
  ])('of %s', (_what, value) => {
    expect(canonicalText(value)).toBe(plainText(value));
  });

  test('of any value is that of the plain way', () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', 'а', 'б', '10', '9', '\ud83d\ude00', '\uffff'));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constant(undefined),
        fc.date(),
        fc.array(tie('value')),
        fc.dictionary(key, tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, (given) => {
        expect(canonicalText(given)).toBe(plainText(given));
      }),
      { numRuns: runs(300, 2_000) },
    );
  });
});
