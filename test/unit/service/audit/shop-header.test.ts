import fc from 'fast-check';
import { expect, test } from 'vitest';
import { earlierAfter, headerIn, type ShopHeaders } from '../../../../src/service/audit/month/shop-of-month.ts';
import { addMonths } from '../../../../src/service/law/calendar.ts';
import { runs } from '../../../support/run-size.ts';
import { ShopNumbers } from '../../../support/scenarios/shop-numbers.ts';

const months = Array.from({ length: 48 }, (_, i) => addMonths('2025-01', i));
const change = fc.record({ number: fc.constantFrom('RF1', 'RF2', 'RF3'), from: fc.option(fc.constantFrom(...months)) });

test('after any corrections and changes from a month on, each month has the number that a table of months has', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      const table = new ShopNumbers('RF0');
      let headers: ShopHeaders = {
        now: { nraNumber: 'RF0', domain: 'a.example', companyUic: '206770508', companyName: 'А', companyAddress: 'Б', eShopType: null },
        earlier: [],
      };
      for (const { number, from } of changes) {
        table.change(number, from);
        headers = { now: { ...headers.now, nraNumber: number }, earlier: earlierAfter(headers, { nraNumber: number }, from) };
      }
      expect(months.map((month) => headerIn(headers, month).nraNumber)).toEqual(months.map((month) => table.of(month)));
      expect(headers.earlier.map(({ before }) => before)).toEqual([...new Set(headers.earlier.map(({ before }) => before))].toSorted());
      for (const month of months) {
        const { validFrom = '', validUntil = '9999-12' } = headerIn(headers, month);
        expect(validFrom <= month && month <= validUntil).toBe(true);
      }
    }),
    { numRuns: runs(200, 500) },
  );
});
