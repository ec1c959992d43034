import { expect, test } from 'vitest';
import { retry } from '../../../src/platform/retry.ts';

const SOON = { minTimeout: 0, retries: 2 };

test.each([new Error('a bug or weather'), new TypeError('cannot read properties of null'), 'no error', undefined])('%s is retried', async (thrown) => {
  let tries = 0;
  // Not async: what is thrown before there is a promise counts, too.
  const attempt = (): Promise<number> => {
    tries += 1;
    if (tries <= 2) throw thrown;
    return Promise.resolve(tries);
  };

  expect(await retry(attempt, SOON)).toBe(3);
});

test('what the last attempt threw is thrown, as it was', async () => {
  const attempt = (): Promise<never> => Promise.reject('no error');

  await expect(retry(attempt, SOON)).rejects.toBe('no error');
});

test('the signal ends it, with its reason', async () => {
  const stop = new AbortController();
  const attempt = async (): Promise<never> => {
    stop.abort('stopped');
    throw new Error('a bug or weather');
  };

  await expect(retry(attempt, { ...SOON, signal: stop.signal })).rejects.toBe('stopped');
});
