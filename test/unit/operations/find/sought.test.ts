import { expect, test } from 'vitest';
import { soughtIn } from '../../../../src/operations/find/find-anything.ts';

const NOTHING = { part: null, amount: null, email: null };

test.each([
  ['', {}],
  ['42', { amount: '42' }],
  ['#42', {}],
  [' #042 ', { part: '042' }],
  ['1042', { part: '1042', amount: '1042' }],
  ['52,00', { part: '52,00', amount: '52.00' }],
  ['€52.00', { part: '€52.00', amount: '52.00' }],
  ['BG-', { part: 'BG-' }],
  ['Мария', { part: 'Мария' }],
  ['maria@', {}],
  [' Maria@Example.com ', { email: 'Maria@Example.com' }],
  ['мария@поща.бг', {}],
])('what “%s” may be', (typed, may) => {
  expect(soughtIn(typed)).toEqual({ text: typed.trim(), ...NOTHING, ...may });
});
