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

  test.each([
    'password1234',
    'password123!',
    'iloveyou1234',
    'Password!2026',
    'shop.example',
    'letmein12345',
    'changeme!!!!',
    'Парола123456',
    'maria-20261130',
  ])('%s, too', (password) => {
    expect(problemOf(password)).toBe('known');
  });

  test.each(['mariaivanova12', 'Ivanova123456', 'corner-maria1'])('a part of an address or a name: %s', (password) => {
    expect(passwordProblem(password, { email: 'maria.ivanova@corner.example', name: 'Maria Ivanova' }, null)).toBe('known');
  });

  test.each(['maria buys seven lamps', 'password of a lamp', '4815 1623 4207'])('but among other words they are: %s', (password) => {
    expect(problemOf(password)).toBeNull();
  });
});

test.each(['123456789012', 'qwertyuiopas', 'Administrator', 'justinbieber'])('%s is among the most common', (password) => {
  expect(problemOf(password)).toBe('common');
});
