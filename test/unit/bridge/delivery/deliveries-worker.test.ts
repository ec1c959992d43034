import { DelayedError } from 'bullmq';
import { describe, expect, test } from 'vitest';
import { createPoisonDetector, type DeliveriesDeps, deliveriesProcessor, recordUnqueued } from '../../../../src/bridge/delivery/deliveries-worker.ts';
import { AskLater } from '../../../../src/bridge/delivery/handle-uninstalled.ts';
import type { AcceptedDelivery, DeliveriesJob } from '../../../../src/bridge/delivery/jobs.ts';

const HOUR = 3_600_000;
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const delivery = (n: number): AcceptedDelivery => ({
  ...{ id: uuid(n), connectionId: 'c1', arrivedAt: '2026-11-21T03:00:00.000Z', topic: 'order.updated', platformDeliveryId: null, store: null },
  ...{ body: 'x', normalized: { kind: 'ignored', why: 'a test' } },
});

/** A processor whose ledger refuses the `bad` ones, and a job that keeps its data and attempts as the queue does. */
function processing({ bad, parks = true, later = null }: { bad: readonly number[]; parks?: boolean; later?: { n: number } | null }) {
  const clock = { ms: 0 };
  const calls: number[][] = [];
  const review: string[] = [];
  const delayed: number[] = [];
  const numbers = (deliveries: readonly AcceptedDelivery[]) => deliveries.map(({ id }) => Number(id.slice(-12)));
  const deps: DeliveriesDeps = {
    record: async (deliveries) => {
      calls.push(numbers(deliveries));
      if (later !== null && numbers(deliveries).includes(later.n)) throw new AskLater();
      if (numbers(deliveries).some((n) => bad.includes(n))) throw new RangeError('refused');
    },
    sendToReview: async ({ id }) => {
      if (!parks) throw new Error('refused, too');
      review.push(id);
    },
    poisonDetector: createPoisonDetector(() => clock.ms),
    onRecorded: () => undefined,
    now: () => clock.ms,
  };
  const process = deliveriesProcessor(deps);
  const jobOf = (...ns: number[]) => {
    const job = {
      data: { v: 1, deliveries: ns.map(delivery) } as DeliveriesJob,
      attemptsMade: 0,
      updateData: async (data: DeliveriesJob) => {
        job.data = data;
      },
      moveToDelayed: async (at: number) => void delayed.push(at),
    };
    return job;
  };
  type Job = ReturnType<typeof jobOf>;
  const attempt = async (job: Job): Promise<string> => {
    try {
      await process(job as never, 'token', new AbortController().signal);
      return 'done';
    } catch (thrown) {
      if (thrown instanceof DelayedError) return 'delayed';
      job.attemptsMade += 1;
      return thrown instanceof Error ? thrown.message : '';
    }
  };
  const left = (job: Job) => numbers(job.data.deliveries);
  const beside = async (deliveries: AcceptedDelivery[]) => numbers((await recordUnqueued(deps, deliveries)).left);
  return { clock, calls, review, delayed, jobOf, attempt, left, beside };
}

test('a bad delivery alone stays in its job, whose others are recorded once', async () => {
  const { calls, jobOf, attempt, left } = processing({ bad: [2] });
  const job = jobOf(1, 2, 3);

  expect(await attempt(job)).toBe('refused');
  expect(left(job)).toEqual([2]);
  calls.length = 0;

  expect(await attempt(job)).toBe('refused');
  expect(calls).toEqual([[2]]);
});

test('jobs that share a transaction with a bad delivery are recorded, each at once', async () => {
  const { calls, jobOf, attempt } = processing({ bad: [3] });

  expect(await Promise.all([attempt(jobOf(1, 2)), attempt(jobOf(3)), attempt(jobOf(4, 5))])).toEqual(['done', 'refused', 'done']);

  expect(calls).toEqual([[1, 2, 3, 4, 5], [1, 2], [3], [4, 5]]);
});

test('a delivery that fails for an hour while others are recorded needs review, and its job is done', async () => {
  const { clock, review, jobOf, attempt } = processing({ bad: [2] });
  const job = jobOf(2);
  for (; clock.ms < HOUR; clock.ms += 60_000) {
    expect(await attempt(job)).toBe('refused');
    await attempt(jobOf(1));
  }

  expect(await attempt(job)).toBe('done');
  expect(review).toEqual([uuid(2)]);
});

test('so does one of the inbox that is recorded beside the queue; until then it is left', async () => {
  const { clock, review, beside } = processing({ bad: [2] });
  for (; clock.ms < HOUR; clock.ms += 60_000) expect(await beside([delivery(1), delivery(2)])).toEqual([2]);

  expect(await beside([delivery(1), delivery(2)])).toEqual([]);
  expect(review).toEqual([uuid(2)]);
});

test('one that can’t even be sent to review stays a job that fails', async () => {
  const { clock, jobOf, attempt, left } = processing({ bad: [2], parks: false });
  const job = jobOf(2);
  for (; clock.ms <= HOUR; clock.ms += 60_000) {
    await attempt(job);
    await attempt(jobOf(1));
  }

  expect(await attempt(job)).toBe('refused');
  expect(left(job)).toEqual([2]);
});

test('while nothing is recorded, nothing needs review', async () => {
  const { clock, review, jobOf, attempt } = processing({ bad: [1, 2] });
  const jobs = [jobOf(1), jobOf(2)];
  for (; clock.ms < 10 * HOUR; clock.ms += 60_000) for (const job of jobs) await attempt(job);

  expect(review).toEqual([]);
});

test('a job that nobody can read fails with words', async () => {
  const { jobOf, attempt } = processing({ bad: [] });
  const job = jobOf();
  job.data = JSON.parse('{}');
  expect(await attempt(job)).toBe('a deliveries job of an unknown version or shape: v');
});

describe.each<[string, AcceptedDelivery['normalized']]>([
  ['for which a store is asked', { kind: 'closed' }],
  ['of a deleted refund', { kind: 'refund-deleted', refundId: '8' }],
])('a delivery %s', (_which, normalized) => {
  const special = (n: number): AcceptedDelivery => ({ ...delivery(n), normalized });

  test('shares no transaction with others, which are recorded first', async () => {
    const { calls, jobOf, attempt } = processing({ bad: [] });
    const job = jobOf(1, 3);
    job.data.deliveries.splice(1, 0, special(2));

    expect(await attempt(job)).toBe('done');
    expect(calls).toEqual([[1, 3], [2]]);
  });

  test('that must wait is left in the inbox, where others are recorded beside the queue; a store is not asked there', async () => {
    const later = { n: 2 };
    const { calls, beside } = processing({ bad: [], later });
    const isAsked = normalized.kind === 'closed';

    expect(await beside([delivery(1), special(2), delivery(3)])).toEqual([2]);
    later.n = 0;
    expect(await beside([special(2)])).toEqual(isAsked ? [2] : []);
    expect(calls).toEqual(isAsked ? [[1, 3]] : [[1, 3], [2], [2]]);
  });

  test('that must wait comes again alone, and nobody is to blame', async () => {
    const later = { n: 2 };
    const { clock, calls, delayed, jobOf, attempt, left } = processing({ bad: [], later });
    const job = jobOf(1);
    job.data.deliveries.push(special(2));
    clock.ms = 1_000;

    expect(await attempt(job)).toBe('delayed');
    expect([left(job), delayed, job.attemptsMade]).toEqual([[2], [4_000], 0]);
    later.n = 0;
    calls.length = 0;
    expect(await attempt(job)).toBe('done');
    expect(calls).toEqual([[2]]);
  });

  test('goes the way of one that can’t be recorded beside it: the job is retried', async () => {
    const { delayed, jobOf, attempt, left } = processing({ bad: [1], later: { n: 2 } });
    const job = jobOf(1);
    job.data.deliveries.push(special(2));

    expect(await attempt(job)).toBe('refused');
    expect([left(job), delayed]).toEqual([[1, 2], []]);
  });
});
