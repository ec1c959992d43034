import { describe, expect, test } from 'vitest';
import { totalsOf } from '../../../src/contract/totals.ts';
import { lineExamples, orderExamples } from '../../support/samples/worked-examples.ts';

describe('the worked examples of the documentation', () => {
  test('are all there', () => {
    expect([lineExamples.length, orderExamples.length]).toEqual([18, 6]);
  });

  test.each(lineExamples)('line $name', ({ line, precision, totals }) => {
    expect(totalsOf({ lines: [line], precision }).lines).toEqual([totals]);
  });

  test.each(orderExamples)('an order of the lines $name', ({ lines, totals }) => {
    expect(totalsOf({ lines: lines.map(({ line }) => line), precision: 2 })).toMatchObject(totals);
  });
});
