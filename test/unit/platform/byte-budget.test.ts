import { expect, test } from 'vitest';
import { ByteBudget } from '../../../src/platform/byte-budget.ts';

const budget = (timeoutMs = 10_000) => new ByteBudget({ total: 10, each: 6, timeoutMs });

test('what is free is taken at once, and what was given back is free, once', async () => {
  const bytes = budget();
  const release = await bytes.take('a', 6);
  release?.();
  release?.();

  expect([await bytes.take('a', 6), await bytes.take('b', 4)]).toEqual([expect.any(Function), expect.any(Function)]);
  expect(await new ByteBudget({ total: 10, each: 6, timeoutMs: 1 }).take('a', 7)).toBeNull();
});

test('a key that holds its share waits, and keeps no other key waiting', async () => {
  const bytes = budget();
  const first = await bytes.take('a', 6);
  const order: string[] = [];
  const second = bytes.take('a', 1).then(() => order.push('a'));
  await bytes.take('b', 4).then(() => order.push('b'));
  first?.();
  await second;

  expect(order).toEqual(['b', 'a']);
});

test('keys take turns, however many wait of one', async () => {
  const bytes = new ByteBudget({ total: 6, each: 6, timeoutMs: 10_000 });
  const first = await bytes.take('a', 6);
  const order: string[] = [];
  const taking = ['a1', 'a2', 'a3', 'b1', 'b2'].map(async (name) => {
    const release = await bytes.take(name.slice(0, 1), 6);
    order.push(name);
    release?.();
  });
  first?.();
  await Promise.all(taking);

  expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
});

test('anyone who waited too long gets nothing, and anyone who waits behind it goes on', async () => {
  const bytes = budget(20);
  await bytes.take('a', 6);
  const late = bytes.take('b', 5);

  expect(await late).toBeNull();
  expect(await bytes.take('b', 4)).toEqual(expect.any(Function));
});
