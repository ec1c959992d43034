import { expect, test } from 'vitest';
import { checkCodes } from '../../../src/operations/health/check-codes.ts';

test('every failed check says in Bulgarian what it means', () => {
  const lacking = Object.entries(checkCodes).filter(([, { bg }]) => !/^[А-Я].*[а-я].*\.$/.test(bg));

  expect(lacking.map(([code]) => code)).toEqual([]);
});
