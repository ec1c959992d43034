import { expect, test } from 'vitest';
import { wrongFiles } from '../support/scenarios/judge-files.ts';
import type { FiledFile } from '../support/scenarios/scenario-months.ts';
import { ScenarioShops } from '../support/scenarios/scenario-shops.ts';

const sale = { number: '#1', document: '0000000001', cents: 500, vat: 83 };
const january: FiledFile = { shop: 0, month: '2026-01', shopNumber: 'RF0000123', orders: [sale], returns: [] };
const february: FiledFile = { shop: 0, month: '2026-02', shopNumber: 'RF0000123', orders: [], returns: [{ number: '#1', cents: 200, on: '2026-02-03' }] };

function shopsWith(cents: number): ScenarioShops {
  const shops = new ScenarioShops();
  shops.created({ id: 'o1', shop: 0, number: '#1', cents, currency: 'EUR', lines: 1, at: '2026-01-05T10:00:00Z', postal: false }, '0000000001');
  return shops;
}

test('what stands is what is listed less what is given back', () => {
  expect(wrongFiles([january, february], shopsWith(300))).toBeNull();
});

test.each([
  ['a cent that is missing', [january, february], 'o1 stands with 299.00, declared are 300.00'],
  ['a sale in two files', [january, { ...february, orders: [sale] }], '#1 (0000000001) is in the files of 2026-01 and 2026-02'],
  ['a number that nobody got', [{ ...january, orders: [{ ...sale, document: '0000000009' }] }], '#1 bears 0000000009, which no order got'],
  ['a return before its sale', [february, { ...january, month: '2026-03' }], '2026-02 gives back #1, which no file until then lists'],
  ['a return of another month', [january, { ...february, month: '2026-04' }], '2026-04 gives back #1 on 2026-02-03'],
])('%s is wrong', (_, files, words) => {
  expect(wrongFiles(files, shopsWith(299))).toContain(words);
});

test('a number that leaves a gap is refused', () => {
  expect(() => shopsWith(300).created({ id: 'o2', shop: 0, number: '#2', cents: 1, currency: 'EUR', lines: 1, at: '', postal: false }, '0000000003')).toThrow(
    'leaves a gap',
  );
});
