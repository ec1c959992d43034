import { expect, test } from 'vitest';
import { reasonCodes } from '../../../src/operations/verdict/reason-codes.ts';

test('every reason says in Bulgarian what it means', () => {
  const lacking = Object.entries(reasonCodes).filter(([, { bg }]) => !/^[А-Я].*[а-я].*\.$/.test(bg));

  expect(lacking.map(([code]) => code)).toEqual([]);
});
