import { beforeEach, describe, expect, test } from 'vitest';
import { AnswerCache, type AnswerCacheOptions } from '../../../src/platform/answer-cache.ts';

let now = 0;
let asked = 0;
beforeEach(() => {
  now = 1_000;
  asked = 0;
});

const cacheOf = (options: Partial<AnswerCacheOptions<string | null>> = {}) =>
  new AnswerCache<string | null>({ freshMs: (answer) => (answer === null ? 0 : 10), size: 5, now: () => now, ...options });
const says = (answer: string | null) => async () => {
  asked += 1;
  return answer;
};
const fails = async (): Promise<never> => {
  asked += 1;
  throw new Error('nobody answers');
};

describe('an answer', () => {
  test('is fresh for its time, and fetched again after it', async () => {
    const cache = cacheOf();
    await cache.get('a', says('old'));

    now += 9;
    const inTime = await cache.get('a', says('new'));
    now += 1;

    expect([inTime, await cache.get('a', says('new')), asked]).toEqual(['old', 'new', 2]);
  });

  test('is fresh for no longer when the clock is set back', async () => {
    const cache = cacheOf();
    await cache.get('a', says('old'));

    now -= 10;

    expect(await cache.get('a', says('new'))).toBe('new');
  });

  test('that is fresh for no time is not kept', async () => {
    const cache = cacheOf();

    expect([await cache.get('a', says(null)), await cache.get('a', says('made since'))]).toEqual([null, 'made since']);
  });

  test('is fetched once for concurrent callers', async () => {
    const cache = cacheOf();

    expect(await Promise.all([cache.get('a', says('one')), cache.get('a', says('two')), cache.get('b', says('three'))])).toEqual(['one', 'one', 'three']);
    expect(asked).toBe(2);
  });

  test('that fails is fetched again', async () => {
    const cache = cacheOf();

    await expect(cache.get('a', fails)).rejects.toThrow('nobody answers');
    expect(await cache.get('a', says('now'))).toBe('now');
  });

  test('is dropped when there are too many, the oldest first; a new answer is young again', async () => {
    const cache = cacheOf({ size: 2 });
    for (const key of ['a', 'b']) await cache.get(key, says('first'));
    await cache.fresh('a', says('first'));
    await cache.get('c', says('first'));

    expect(await Promise.all(['a', 'b', 'c'].map((key) => cache.get(key, says('second'))))).toEqual(['first', 'second', 'first']);
  });
});

describe('a forgotten answer', () => {
  test.each([
    ['by its key', 'a'],
    ['with all others', undefined],
  ])('is asked for again: %s', async (_how, key) => {
    const cache = cacheOf();
    await cache.get('a', says('old'));

    cache.forget(key);

    expect(await cache.get('a', says('new'))).toBe('new');
  });

  test('leaves the others', async () => {
    const cache = cacheOf();
    await cache.get('a', says('old'));

    cache.forget('b');

    expect(await cache.get('a', says('new'))).toBe('old');
  });

  test.each([false, true])('does not come back by a fetch that began before (last known may be used: %s)', async (lastKnown) => {
    const cache = cacheOf({ lastKnown });
    const before = Promise.withResolvers<string>();
    const early = cache.get('a', () => before.promise);

    cache.forget('a');
    const late = cache.get('a', says('revoked'));
    before.resolve('live');

    expect(await Promise.all([early, late])).toEqual(['live', 'revoked']);
    expect(await cache.get('a', says('asked again'))).toBe('revoked');
  });

  test('is not fresh if its fetch began before', async () => {
    const cache = cacheOf();
    const before = Promise.withResolvers<string>();
    const early = cache.get('a', () => before.promise);

    cache.forget();
    before.resolve('live');
    await early;

    expect(await cache.get('a', says('revoked'))).toBe('revoked');
  });
});

describe('the last known answer', () => {
  test('is used if the source does not answer', async () => {
    const cache = cacheOf({ lastKnown: true });
    await cache.get('a', says('known'));
    cache.forget();

    expect(await cache.get('a', fails)).toBe('known');
  });

  test('is used if the answer is slow, which is kept on arrival', async () => {
    const cache = cacheOf({ lastKnown: true });
    const slow = Promise.withResolvers<string>();
    await cache.get('a', says('known'));
    now += 10;

    const meanwhile = await cache.get('a', () => slow.promise);
    slow.resolve('fresh');
    await slow.promise;

    expect([meanwhile, await cache.get('a', fails)]).toEqual(['known', 'fresh']);
  });

  test('is not used if a fresh one comes in time, nor if there never was one', async () => {
    const cache = cacheOf({ lastKnown: true });
    await cache.get('a', says('known'));
    now += 10;

    expect(await cache.get('a', says('fresh'))).toBe('fresh');
    await expect(cache.get('b', fails)).rejects.toThrow('nobody answers');
  });

  test('is bypassed by `fresh`', async () => {
    const cache = cacheOf({ lastKnown: true });
    await cache.get('a', says('known'));

    expect([await cache.fresh('a', says('fresh')), await cache.get('a', fails)]).toEqual(['fresh', 'fresh']);
  });
});
