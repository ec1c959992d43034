import { describe, expect, test } from 'vitest';
import { passwordProblem } from '../../../../src/operations/people/password-problem.ts';

const MARIA = { email: 'maria@shop.example', name: 'Мария Петрова' };
const problemOf = (password: string, url: string | null = 'https://console.magazin.example') => passwordProblem(password, MARIA, url);

test('twelve to two hundred characters', () => {
  expect(problemOf('eleven char')).toBe('short');
  expect(problemOf('x y'.repeat(67))).toBe('long');
  expect(problemOf('три думи стигат')).toBeNull();
  expect(problemOf('three words do it', null)).toBeNull();
});

describe('what others know is no secret, with a few signs more', () => {
  test.each(['maria@shop.example', 'Мария Петрова1', 'orderbridge1!', 'orderbridge-maria', 'console.magazin.example', 'Magazin-maria', '121212121212'])(
    '%s',
    (password) => {
      expect(problemOf(password)).toBe('known');
    },
  );

  test('but among other words they are', () => expect(problemOf('maria buys seven lamps')).toBeNull());
});

test.each(['password1234', '123456789012', 'qwertyuiopas', 'Administrator', 'iloveyou1234'])('%s is among the most common', (password) => {
  expect(problemOf(password)).toBe('common');
});
