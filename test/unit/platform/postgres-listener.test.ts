import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listen } from '../../../src/platform/postgres/postgres-listener.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const OPTIONS = { url: 'postgres://127.0.0.1:no-port/none', channel: 'news', onMessage: () => undefined, onListening: () => undefined };

test('a listener comes back whatever was thrown, a TypeError too', async () => {
  const lost: Error[] = [];
  // The driver throws a TypeError at this address, before it connects.
  await using _ = listen({ ...OPTIONS, onLost: (error) => lost.push(error) });

  await vi.advanceTimersByTimeAsync(2_500);

  expect(lost).toHaveLength(3);
  expect(lost[2]).toBeInstanceOf(TypeError);
});

test('a listener comes back when what hears of its loss throws', async () => {
  let lost = 0;
  const onLost = (): void => {
    lost += 1;
    throw new Error('the log is full');
  };
  await using _ = listen({ ...OPTIONS, onLost });

  await vi.advanceTimersByTimeAsync(2_500);

  expect(lost).toBe(3);
});
