import { expect, test } from 'vitest';
import { until } from '../../support/worlds/settled.ts';

test('it returns the first truthy answer', async () => {
  const answers = [undefined, 0, 'there'];

  expect(await until(() => answers.shift(), { what: 'the answer', everyMs: 1 })).toBe('there');
});

test('it retries after an exception', async () => {
  let looks = 0;

  const seen = await until(
    () => {
      looks += 1;
      if (looks < 3) throw new Error('not yet');
      return looks;
    },
    { what: 'three looks', everyMs: 1 },
  );

  expect(seen).toBe(3);
});

test('it says what it waited for, and what it saw last', async () => {
  await expect(until(() => false, { what: 'rain', timeoutMs: 5, everyMs: 1 })).rejects.toThrow('timed out after 5 ms waiting for rain; last seen: false');
});

test('it keeps the last exception as the cause', async () => {
  const cause = new Error('expected 1 row, got 0');
  const waiting = until(() => Promise.reject(cause), { what: 'the row', timeoutMs: 5, everyMs: 1 });

  await expect(waiting).rejects.toMatchObject({ message: 'timed out after 5 ms waiting for the row; last look: expected 1 row, got 0', cause });
});
