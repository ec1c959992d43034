import { expect, test } from 'vitest';
import { StopBudget } from '../../../src/platform/stop-budget.ts';
import { Together } from '../../../src/platform/together.ts';

const never = new Promise<void>(() => undefined);

function budget(totalMs: number) {
  const cut: string[] = [];
  return { cut, stop: new StopBudget({ totalMs, onCut: ({ part }) => cut.push(part) }) };
}

test('before the stop begins, each part has its own time', () => {
  expect(budget(1_000).stop.shareMs({ mostMs: 20_000, keepMs: 5_000 })).toBe(20_000);
});

test('parts that hang share one time, and the last one has what was kept for it', async () => {
  const { stop, cut } = budget(300);
  const began = performance.now();
  stop.begin();

  await stop.wait('first', never, { mostMs: 10_000, keepMs: 200 });
  await stop.wait('second', never, { mostMs: 10_000, keepMs: 100 });
  // A timer may end up to a millisecond early, because Node.js rounds its clock down: here, and below.
  expect(stop.shareMs({ mostMs: 10_000, keepMs: 0 })).toBeLessThan(110);
  await stop.wait('third', never, { mostMs: 10_000, keepMs: 0 });

  expect(cut).toEqual(['first', 'second', 'third']);
  expect(performance.now() - began).toBeGreaterThan(250);
  expect(stop.shareMs({ mostMs: 10_000, keepMs: 0 })).toBeLessThan(10);
});

test('a part that stops is not cut off; one that fails fails the stop', async () => {
  const { stop, cut } = budget(60_000);
  stop.begin();
  await stop.wait('fine', Promise.resolve(), { mostMs: 10_000, keepMs: 0 });
  await expect(stop.wait('broken', Promise.reject(new Error('broken')), { mostMs: 10_000, keepMs: 0 })).rejects.toThrow('broken');
  expect(cut).toEqual([]);
});

test('parts that stop together do not wait for each other, and a failure of one is thrown when all are over', async () => {
  const together = new Together();
  const other = Promise.withResolvers<void>();
  together.use({ [Symbol.asyncDispose]: () => other.promise });
  together.use({
    [Symbol.asyncDispose]: async () => {
      other.resolve();
      throw new Error('broken');
    },
  });
  await expect(together[Symbol.asyncDispose]()).rejects.toThrow('broken');
});
