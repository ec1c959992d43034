import type { Job } from 'bullmq';
import { describe, expect, test } from 'vitest';
import type { SubmissionJob } from '../../../../src/bridge/delivery/jobs.ts';
import { submissionsProcessor } from '../../../../src/bridge/delivery/submissions-worker.ts';
import { createTurns } from '../../../../src/bridge/delivery/turns.ts';
import { VisitGate } from '../../../../src/bridge/delivery/visit-gate.ts';
import { createWake } from '../../../../src/bridge/delivery/wake.ts';

const order = { number: null, total: null, currency: null, lines: [] };

/** A submitter with one place, whose visits end when they are let go, and what was put on the queue. */
function submitter() {
  const added: number[] = [];
  const ends: (() => void)[] = [];
  const awaited = new Set<number>();
  const turns = createTurns({ perSecond: 0, now: Date.now });
  const addBulk = async (jobs: { data: SubmissionJob }[]) => {
    added.push(...jobs.map(({ data }) => data.orderId));
    return [];
  };
  const wake = createWake({ queue: { addBulk }, turns, awaited, now: Date.now });
  const gate = new VisitGate({ concurrency: 1, now: () => performance.now(), onReturned: () => undefined });
  const visit = async () => {
    await new Promise<void>((resolve) => ends.push(resolve));
    return { kind: 'missing' } as const;
  };
  const process = submissionsProcessor({
    visit,
    destinationOf: async () => 'd',
    gate,
    turns,
    awaited,
    wake,
    fetchLater: () => undefined,
    now: Date.now,
    onDone: () => undefined,
  });
  const run = (orderId: number) => process({ data: { v: 1, orderId, connectionId: 'c', order } } as unknown as Job<SubmissionJob>);
  return { added, ends, gate, run, wakeUp: (id: number) => wake([{ id, connectionId: 'c', dueAt: 0, summary: order }]) };
}

describe('an order that is woken', () => {
  test('while its job waits for its turn is not queued: the visit to come sees the news; once the visit runs, it is', async () => {
    const { added, ends, run, wakeUp } = submitter();
    const jobs = [run(1), run(2)];
    await expect.poll(() => ends.length).toBe(1);

    await wakeUp(1);
    await wakeUp(2);
    expect(added).toEqual([1]);

    ends.shift()?.();
    await expect.poll(() => ends.length).toBe(1);
    await wakeUp(2);
    expect(added).toEqual([1, 2]);
    ends.shift()?.();
    await Promise.all(jobs);
  });

  test('is queued if its job was returned', async () => {
    const { added, ends, gate, run } = submitter();
    const jobs = [run(1), run(2)];
    await expect.poll(() => ends.length).toBe(1);

    gate.close();
    await jobs[1];

    expect(added).toEqual([2]);
    ends.shift()?.();
    await Promise.all(jobs);
  });
});
