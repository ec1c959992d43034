import { expect, test } from 'vitest';
import { isCompanyId } from '../../../src/contract/shop-dto.ts';

test.each(['206770508', '208149507', '207427793', '831641791', '121858220', '131468980', '000694037'])('%s is a company id', (id) => {
  expect(isCompanyId(id)).toBe(true);
});

test('the second weights decide where the first give ten', () => {
  const ids = Array.from({ length: 10 }, (_, digit) => `20000001${digit}`).filter(isCompanyId);

  expect(ids).toEqual(['200000015']);
});

test.each([
  ['206770508002', '4'],
  ['206770508001', '6'],
])('a branch has four more digits, the last of which checks them: %s %s', (start, check) => {
  const branches = Array.from({ length: 10 }, (_, digit) => `${start}${digit}`).filter(isCompanyId);

  expect(branches).toEqual([start + check]);
  expect(isCompanyId(`206770509${branches[0]?.slice(9)}`)).toBe(false);
});

test('a natural person has ten digits: those of a citizen or of a foreigner, each with a check digit of its own', () => {
  const persons = Array.from({ length: 10 }, (_, digit) => `752316926${digit}`).filter(isCompanyId);

  expect(persons).toEqual(['7523169263', '7523169265']);
});

test.each(['104056065', '0000000000', '000000000', '0000000000000', '20677050', '2067705081', 'BG206770508', '', '20677050a'])('%j is none', (id) => {
  expect(isCompanyId(id)).toBe(false);
});
