import { expect, test } from 'vitest';
import type { Scope } from '../../../../src/bridge/delivery/pauses.ts';
import { type ProbeDeps, probe } from '../../../../src/bridge/delivery/probe.ts';

const scope: Scope = { destinationId: 'd', shopId: null, callType: 'records' };
const needless = { processed: { kind: 'missing' }, sent: false } as const;
const called = { processed: { kind: 'missing' }, sent: true } as const;

/** What a round with these orders does, one after the other. */
async function round(attempts: Record<number, () => ReturnType<ProbeDeps['attempt']>>): Promise<string[]> {
  const seen: string[] = [];
  const deps: ProbeDeps = {
    candidates: async () => Object.keys(attempts).map(Number),
    tried: async (id) => void seen.push(`try ${id}`),
    attempt: async (id) => {
      seen.push(`attempt ${id}`);
      return (attempts[id] ?? (async () => needless))();
    },
    fetchLater: (id, host) => void seen.push(`fetch ${id} from ${host}`),
    resume: async () => void seen.push('resume'),
    onFailed: (id, err) => void seen.push(`failed ${id}: ${String(err)}`),
  };
  await probe(deps, scope);
  return seen;
}

const broken = () => Promise.reject(new Error('unreadable'));

test('an order whose attempt throws is reported, and the next one probes', async () => {
  expect(await round({ 1: broken, 2: async () => called, 3: async () => called })).toEqual([
    'try 1',
    'attempt 1',
    'failed 1: Error: unreadable',
    'try 2',
    'attempt 2',
  ]);
});

test('orders that need no call end the pause, unless it is not known of one', async () => {
  expect(await round({ 1: async () => needless })).toEqual(['try 1', 'attempt 1', 'resume']);
  expect(await round({ 1: async () => needless, 2: broken })).toEqual(['try 1', 'attempt 1', 'try 2', 'attempt 2', 'failed 2: Error: unreadable']);
});

test('an order whose store must be called first is handed on, the next one probes, and the pause does not end without a call', async () => {
  const stored = async () => ({ processed: { kind: 'fetch', host: 'store.example' }, sent: false }) as const;

  expect(await round({ 1: stored, 2: async () => called })).toEqual(['try 1', 'attempt 1', 'fetch 1 from store.example', 'try 2', 'attempt 2']);
  expect(await round({ 1: stored, 2: async () => needless })).toEqual(['try 1', 'attempt 1', 'fetch 1 from store.example', 'try 2', 'attempt 2']);
});
