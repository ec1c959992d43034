import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { repeatedMember } from '../../../src/service/http/read-request.ts';
import { runs } from '../../support/run-size.ts';

type Member = readonly [string, Json];
type Json = { object: Member[] } | { list: Json[] } | { value: unknown };

/** JSON as it may come: members in any number, names and texts with quotes, backslashes, braces and escapes, white space anywhere. */
const json = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({
      value: fc.oneof(fc.string({ unit: fc.constantFrom('"', '\\', '{', ':', ',', '[', 'a') }), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)),
    }),
    fc.record({ object: fc.array(fc.tuple(fc.string({ unit: fc.constantFrom('"', '\\', ':', '{', 'a', 'b'), maxLength: 2 }), tie('any')), { maxLength: 4 }) }),
    fc.record({ list: fc.array(tie('any'), { maxLength: 4 }) }),
  ),
})).any;

const space = fc.constantFrom('', ' ', '\n\t', '\r\n  ');

function text(of: Json, gap: string, escaped: boolean): string {
  if ('value' in of) return JSON.stringify(of.value);
  if ('list' in of) return `[${of.list.map((one) => gap + text(one, gap, escaped)).join(`${gap},`)}${gap}]`;
  const name = (plain: string) =>
    escaped ? `"${[...plain].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"` : JSON.stringify(plain);
  return `{${of.object.map(([key, one]) => `${gap}${name(key)}${gap}:${gap}${text(one, gap, escaped)}`).join(`${gap},`)}${gap}}`;
}

function repeats(of: Json): boolean {
  if ('value' in of) return false;
  if ('list' in of) return of.list.some(repeats);
  return new Set(of.object.map(([name]) => name)).size < of.object.length || of.object.some(([, one]) => repeats(one));
}

describe('a member that comes twice', () => {
  property.prop([json, space, fc.boolean()], { numRuns: runs(300, 2_000) })('is found in any JSON, and nowhere else', (of, gap, escaped) => {
    const body = text(of, gap, escaped);
    JSON.parse(body);

    expect(repeatedMember(body) !== null).toBe(repeats(of));
  });

  test.each([
    ['{"a":1,"a":1}', 'a'],
    ['{"lineItems":[{"price":12.9},{"price":1.29,"name":"x","price":12.9}]}', 'lineItems[1].price'],
    [String.raw`{"price":1,"\u0070rice":2}`, 'price'],
    [String.raw`{"a\\":1,"a\"":2,"a\\" : 3}`, 'a\\'],
    ['{"customer":{"email":"a"},"lineItems":[[1,[{"":0,"":0}]]]}', 'lineItems[0][1][0].'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ])('%s: %s', (body, path) => {
    expect(repeatedMember(body)).toBe(path);
  });

  test('of one name in several objects, in a list and in text is none', () => {
    expect(repeatedMember('[{"a":"a"},{"a":{"a":[{"a":"\\"a\\":1,\\"a\\":1"}]}},"a","a"]')).toBeNull();
  });

  test('is looked for in time that grows with the body alone', () => {
    const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
    const slashes = `{"a":"${'\\\\'.repeat(500_000)}","a":1}`;

    const start = process.cpuUsage();

    expect([repeatedMember(deep), repeatedMember(slashes)]).toEqual([null, 'a']);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(5_000);
  });
});
