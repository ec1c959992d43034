import { describe, expect, test } from 'vitest';
import { eachStep, whole } from '../../../src/platform/jobs/job-kind.ts';

const job = { id: 1, kind: 'k', key: '', attempts: 1, ageMs: 0, error: null, lease: '' };

describe('work as a whole', () => {
  test('is done when it ends, and not if it was cut off before', async () => {
    const stopping = new AbortController();

    expect(await whole(async () => undefined)([job], stopping.signal)).toEqual([{ is: 'done' }]);
    expect(await whole(async () => stopping.abort())([job], stopping.signal)).toEqual([{ is: 'waits', ms: 0 }]);
  });
});

describe('steps', () => {
  const fails = (why: string) => () => Promise.reject(new Error(why));

  test('are done though one before them failed, which is said at the end', async () => {
    const done: string[] = [];
    const step = (name: string) => async () => void done.push(name);
    const { signal } = new AbortController();

    await expect(eachStep(signal, [step('1'), fails('broken'), step('2')])).rejects.toThrow('broken');
    await expect(eachStep(signal, [fails('one'), step('3'), fails('two')])).rejects.toMatchObject({ errors: [{ message: 'one' }, { message: 'two' }] });
    await eachStep(signal, [step('4')]);

    expect(done).toEqual(['1', '2', '3', '4']);
  });

  test('end when they are to', async () => {
    const stopping = new AbortController();
    const done: string[] = [];

    await eachStep(stopping.signal, [async () => stopping.abort(), async () => void done.push('2')]);

    expect(done).toEqual([]);
  });
});
