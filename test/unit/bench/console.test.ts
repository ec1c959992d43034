import { describe, expect, test } from 'vitest';
import { readOptions } from '../../../bench/console/options.ts';

describe('the options of bench:console', () => {
  test('are a million orders of 2,000 stores, unless it is said', () => {
    const usual = { orders: 1_000_000, stores: 2_000, count: 200, seed: 1, keep: null, only: '', json: null, planned: null };

    expect(readOptions([])).toEqual(usual);
    expect(readOptions(['--orders', '1000', '--stores', '20', '--only', 'today'])).toEqual({ ...usual, orders: 1_000, stores: 20, only: 'today' });
  });

  test.each([[['--orders', '0']], [['--stores', 'many']], [['--count', '1.5']]])('%j is refused', (given) => {
    expect(() => readOptions(given)).toThrow(/^--/);
  });
});
