import { expect, test } from 'vitest';
import { ShakyStore } from '../../../support/reconciliation/shaky-store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test('a store that takes longer than a minute lets others go first, and is read to its end', async () => {
  const store = new ShakyStore(4_000, () => 'none');
  const turns: number[] = [];

  while (!store.isRead) {
    const before = store.asked.length;
    await store.readOnce();
    turns.push(store.asked.length - before);
  }

  // Each request takes a second.
  expect(Math.max(...turns)).toBeLessThanOrEqual(60);
  expect(turns.length).toBeGreaterThan(5);
  expect(store.handed.size).toBe(4_000);
  expect([...store.handed.values()].every((times) => times === 1)).toBe(true);
});

test('a store that fails for hours is called less and less often, in the end once a period, and soon after a single failure', async () => {
  let isDown = true;
  const store = new ShakyStore(3, () => (isDown ? 'broken' : 'none'));
  const began = store.now;
  await store.readOnce();
  await store.readOnce();
  expect(store.now - began).toBeLessThan(MINUTE_MS);

  while (store.now < began + 12 * HOUR_MS) await store.readOnce();

  const last = store.asked.filter(({ at }) => at > began + 8 * HOUR_MS);
  // Half of a period is the least, by the dice.
  expect(last.length).toBeLessThanOrEqual((4 * HOUR_MS) / (7.5 * MINUTE_MS) + 1);
  isDown = false;
  await store.readOnce();
  await store.readOnce();
  expect(store.isRead).toBe(true);
});
