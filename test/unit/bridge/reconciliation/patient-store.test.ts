import { expect, test } from 'vitest';
import { NotRead } from '../../../../src/bridge/reconciliation/open-readable-store.ts';
import { patientStore } from '../../../../src/bridge/reconciliation/patient-store.ts';
import type { ReadableStore } from '../../../../src/bridge/reconciliation/read-page.ts';

const { signal } = new AbortController();
const NOW = Date.parse('2026-11-22T10:00:00Z');

/** A store that is asked to be called later, so many times, before it opens. */
function pausedFor(ms: number, times: number) {
  let left = times;
  return async (): Promise<ReadableStore> => {
    left -= 1;
    if (left >= 0) throw new NotRead('paused', 'storefront.unreachable: 503', { until: NOW + ms });
    return Promise.reject(new Error('opened'));
  };
}

const opened = (open: () => Promise<ReadableStore>, mostMs: number) => patientStore(open, { now: () => NOW, mostMs, signal });

test('a short pause of a store is waited for', async () => {
  await expect(opened(pausedFor(0, 2), 1_000)).rejects.toThrow('opened');
});

test('one that is longer than there is time is not', async () => {
  await expect(opened(pausedFor(20_000, 1), 10_000)).rejects.toThrow('storefront.unreachable: 503');
});

test('several are not, once they are longer together', async () => {
  await expect(opened(pausedFor(0, 5), 500)).rejects.toThrow('storefront.unreachable: 503');
});

test('nor is a turn that does not come', async () => {
  await expect(opened(() => Promise.reject(new NotRead('full', 'as many are read as may be')), 500)).rejects.toThrow('as many are read');
});
