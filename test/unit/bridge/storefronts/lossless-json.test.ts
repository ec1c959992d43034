import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../../../src/bridge/storefronts/lossless-json.ts';

const parse = (text: string) => parseJson(Buffer.from(text));

test('an integer beyond 2^53 stays as text, digit by digit', () => {
  const parsed = parse('{"id":820982911946154508,"minus":-9007199254740993,"list":[12345678901234567890]}');

  expect(parsed).toEqual({ ok: true, value: { id: '820982911946154508', minus: '-9007199254740993', list: ['12345678901234567890'] } });
});

test('a safe integer stays a number, beside an unsafe one too', () => {
  expect(parse('{"a":9007199254740991,"b":5123456789012,"c":9007199254740992}')).toEqual({
    ok: true,
    value: { a: 9007199254740991, b: 5123456789012, c: '9007199254740992' },
  });
});

test('text, fractions and exponents with many digits are not changed', () => {
  expect(parse('{"s":"820982911946154508","f":0.30000000000000004,"e":1e21,"t":true,"n":null}')).toEqual({
    ok: true,
    value: { s: '820982911946154508', f: 0.30000000000000004, e: 1e21, t: true, n: null },
  });
});

test.each([
  ['broken JSON', Buffer.from('{"a":')],
  ['broken JSON with a long number', Buffer.from('{"a":820982911946154508')],
  ['nothing', Buffer.alloc(0)],
  ['a string that never ends', Buffer.from('"abc\\')],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ['101 levels', Buffer.from('['.repeat(101) + ']'.repeat(101))],
  ['half a million commas', Buffer.from(`[${'0,'.repeat(500_000)}0]`)],
])('%s is refused', (_what, bytes) => {
  expect(parseJson(bytes)).toEqual({ ok: false });
});

test('100 levels are read, and brackets inside of strings are not levels', () => {
  expect(parse('['.repeat(100) + ']'.repeat(100)).ok).toBe(true);
  expect(parse(JSON.stringify({ note: `"${'[{'.repeat(200)}\\` })).ok).toBe(true);
  expect(parse(JSON.stringify(Array.from({ length: 200 }, () => ({ a: [] })))).ok).toBe(true);
});

test('a byte order mark and Cyrillic are read', () => {
  expect(parse('\uFEFF{"име":"Ч\\u0430ша"}')).toEqual({ ok: true, value: { име: 'Чаша' } });
});

test('everything that JSON.stringify writes comes back', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      const plain: unknown = JSON.parse(text, (_key, inner: unknown) => (isUnsafe(inner) ? BigInt(`${inner}`).toString() : inner));
      expect(parse(text)).toEqual({ ok: true, value: plain });
    }),
  );
});

// JSON.stringify writes integers up to 1e21 digit by digit, so these are the numbers that must come back as text.
function isUnsafe(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21;
}
