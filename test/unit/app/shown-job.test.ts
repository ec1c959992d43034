import { expect, test } from 'vitest';
import { shownData } from '../../../src/app/ops/dashboard.ts';

test('of a submission the names of what was bought are not shown: they may name the buyer', () => {
  const order = { number: '#7', total: '12.00', currency: 'EUR', lines: ['1 × Portrait of Maria'] };

  expect(shownData('submissions', { v: 1, orderId: 7, connectionId: 'c_1', order })).toEqual({
    ...{ v: 1, orderId: 7, connectionId: 'c_1' },
    order: { number: '#7', total: '12.00', currency: 'EUR' },
  });
});
