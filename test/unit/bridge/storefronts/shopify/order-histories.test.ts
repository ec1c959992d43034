import { describe, expect, test } from 'vitest';
import { type OrderHistory, orderHistories } from '../../../../fixtures/shopify/order-histories.ts';
import { recordOf } from './record-of.ts';

function orders<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, nth) => orders(items.toSpliced(nth, 1)).map((rest) => [item, ...rest]));
}

describe.each(['frozen', 'following'] as const)('total_price %s', (reading) => {
  test.each(orderHistories(reading).map((history): [string, OrderHistory] => [history.name, history]))('%s', (_name, { told, record }) => {
    for (const delivered of orders(told)) expect(recordOf([...delivered, ...delivered.slice(0, 1)])).toEqual(record);
  });
});
