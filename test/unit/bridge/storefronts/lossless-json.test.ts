import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../../src/bridge/storefronts/read-payload.ts';
import { runs } from '../../../support/run-size.ts';

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

describe('every text, right or broken, is read as with a look at each of its numbers', () => {
  const digits = fc.array(fc.constantFrom(...'0123456789'), { minLength: 1, maxLength: 40 }).map((some) => some.join(''));
  const whole = digits.map((some) => some.replace(/^0+(?=\d)/, ''));
  const fraction = fc.oneof(
    fc.constant(''),
    digits.map((some) => `.${some}`),
  );
  const exponent = fc.oneof(
    fc.constant(''),
    fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), fc.nat(400)).map(([letter, power]) => `${letter}${power}`),
  );
  const number = fc.tuple(fc.constantFrom('', '-'), whole, fraction, exponent).map((parts) => parts.join(''));
  const piece = fc.oneof(digits, fc.constantFrom('\\"', '\\\\', '\\u0030', '\\n', '[', '}', ',', ':', 'Ч', '-'));
  const string = fc.array(piece, { maxLength: 4 }).map((pieces) => `"${pieces.join('')}"`);
  const space = fc.constantFrom('', ' ', '\n');
  const { value } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, number, string, fc.constantFrom('null', 'true'), tie('list'), tie('object')),
    list: fc.tuple(fc.array(tie('value'), { maxLength: 4 }), space).map(([items, gap]) => `[${items.join(`,${gap}`)}]`),
    object: fc
      .array(
        fc.tuple(string, space, tie('value')).map(([key, gap, inner]) => `${key}:${gap}${inner}`),
        { maxLength: 4 },
      )
      .map((fields) => `{${fields.join(',')}}`),
  }));
  const broken = fc
    .tuple(value, fc.nat(), fc.nat(3), fc.oneof(digits, fc.constantFrom('', '"', '\\', ',', '-', '.', 'e', '\uFEFF')))
    .map(([text, at, length, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + length));

  test.each([
    ['right', value],
    ['broken', broken],
  ])('%s', (_what, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(parse(text)).toStrictEqual(eachNumber(text));
      }),
      { numRuns: runs(500, 5_000) },
    );
  });

  test.each([
    '{"0123456789012345":1}',
    '"0123456789012345\\"0123456789012345"',
    '[1234567890123456e0]',
    '[-0, -9007199254740993]',
    '123456789012345.6',
    '[0000000000000000]',
  ])('%s', (text) => {
    expect(parse(text)).toStrictEqual(eachNumber(text));
  });
});

/** Each whole number that a double can't hold as its own text, whatever else is in the text. */
function eachNumber(text: string): ReturnType<typeof parse> {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''), (_key, inner: unknown, { source = '' }: { source?: string } = {}) =>
      typeof inner === 'number' && !Number.isSafeInteger(inner) && /^-?\d+$/.test(source) ? source : inner,
    );
    return { ok: true, value };
  } catch {
    return { ok: false };
  }
}
