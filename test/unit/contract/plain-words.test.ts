import { expect, test } from 'vitest';
import { z } from 'zod';
import { plainWords, problemSentences } from '../../../src/contract/plain-words.ts';

const schema = z.strictObject({
  when: z.iso.datetime({ offset: true }).optional(),
  status: z.enum(['paid', 'pending']).optional(),
  version: z.literal(1).optional(),
  name: z.string().min(1).max(5).optional(),
  code: z.string().min(3).optional(),
  count: z.int().min(2).max(9).optional(),
  ids: z.array(z.string()).min(1).max(2).optional(),
  rates: z.record(z.string().regex(/^\d+$/, 'must be a rate'), z.string()).optional(),
  plain: z.record(z.enum(['a']), z.string()).optional(),
  mail: z.email().optional(),
  either: z.union([z.string(), z.number()]).optional(),
  on: z.boolean().optional(),
  inner: z.strictObject({ paymentType: z.string() }).optional(),
  day: z.date().optional(),
});

function problems(value: unknown): string[] {
  const { error } = schema.safeParse(value, { error: plainWords });
  return error === undefined ? [] : problemSentences(error, 'the body');
}

test.each([
  ['a time without a zone', { when: '2026-12-01' }, ['when must be a time with its zone, such as 2026-12-01T00:00:00+02:00']],
  ['a word that is nearly right', { status: 'payd' }, ['status must be one of paid, pending; did you mean paid?']],
  ['one value alone', { version: 2 }, ['version must be 1']],
  ['nothing', { inner: {} }, ['inner.paymentType is missing']],
  ['too little text', { name: '' }, ['name must not be empty']],
  ['short text', { code: 'a' }, ['code must have 3 characters at least']],
  ['too much text', { name: 'abcdef' }, ['name must have 5 characters at most']],
  ['a number that is too small', { count: 1 }, ['count must be 2 or more']],
  ['a number that is too large', { count: 10 }, ['count must be 9 at most']],
  ['no number', { count: 'x' }, ['count must be a number']],
  ['a fraction', { count: 2.5 }, ['count must be a whole number']],
  ['an empty list', { ids: [] }, ['ids must not be empty']],
  ['a long list', { ids: ['a', 'b', 'c'] }, ['ids must have 2 entries at most']],
  [
    'another kind',
    { on: 'yes', name: 5, ids: {}, inner: 'x' },
    ['name must be text', 'ids must be a list', 'on must be true or false', 'inner must be an object'],
  ],
  ['a key that is no rate', { rates: { '9%': 'x' } }, ['rates.9% must be a rate']],
  ['text of another format', { mail: 'maria' }, ['mail is not written as expected']],
  ['none of several', { either: true }, ['either is not as expected']],
  ['a kind without a word of its own', { day: 'today' }, ['day must be a date']],
  ['unknown names', { recordFrm: 1, whenn: 2 }, ['recordFrm is not known', 'whenn is not known; did you mean when?']],
  ['an unknown name inside', { inner: { paymentType: 'x', paymentTyp: 'y' } }, ['inner: paymentTyp is not known; did you mean paymentType?']],
  ['the whole', 3, ['the body must be an object']],
])('%s', (_what, value, words) => {
  expect(problems(value)).toEqual(words);
});

test('of a million unknown names ten are named, and the others counted', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000_000 }, (_, i) => [`name${i}`, 1]));

  expect(problems(many)).toHaveLength(11);
  expect(problems(many).at(-1)).toBe('999990 more names are not known');
});

test('no words hold a value', () => {
  expect(JSON.stringify(problems({ when: 'maria', status: 'maria', name: 'maria@example.invalid', mail: 'maria', either: ['maria'] }))).not.toContain('maria');
});
