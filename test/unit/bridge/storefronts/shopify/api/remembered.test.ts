import { expect, test } from 'vitest';
import { Remembered } from '../../../../../../src/bridge/storefronts/shopify/api/pace.ts';

test('the shops that were set last are remembered', () => {
  const remembered = new Remembered<number>(2);
  for (const [shop, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as const)
    remembered.set(shop, value);

  expect(['a', 'b', 'c'].map((shop) => remembered.get(shop))).toEqual([3, undefined, 4]);
});
