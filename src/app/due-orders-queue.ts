import type { Job, JobState, Queue } from 'bullmq';
import type { SubmissionJob } from '../bridge/delivery/jobs.ts';
import { countDue, type DueState, findDue, type ListedDue, listDue } from '../bridge/ledger/orders/due-orders.ts';
import { AnswerCache } from '../platform/answer-cache.ts';
import type { Pool } from '../platform/postgres/postgres.ts';
import { standInJob } from '../platform/queue/stand-in-job.ts';

const STATES: readonly DueState[] = ['waiting', 'active', 'delayed'];
const LATEST = 20;
/** A count is used for so many times as long as it took, and for ten seconds at most. */
const COUNT_REST = 20;
const COUNT_MOST_MS = 10_000;

/**
 * The queue `submissions` as people see it: what waits there is rows of the ledger, not jobs. A pause is kept by the queue itself.
 */
export function showDueOrders(queue: Queue<SubmissionJob>, pool: Pool): Queue<SubmissionJob> {
  const ofQueue = queue.getJobCounts.bind(queue);
  const count = sharedCount(() => countDue(pool));
  return Object.assign(queue, {
    async getJobCounts(...states: JobState[]) {
      const asked = states.length === 0 || STATES.some((state) => states.includes(state));
      const [jobs, due] = await Promise.all([ofQueue(...states), asked ? count() : null]);
      for (const state of STATES) if (state in jobs) jobs[state] = (jobs[state] ?? 0) + (due?.[state] ?? 0);
      return jobs;
    },
    async getJobs(given: JobState[] | JobState = [...STATES], from = 0, to = LATEST) {
      const states = STATES.filter((state) => [given].flat().includes(state));
      return (await listDue(pool, { states, from, to: to < 0 ? LATEST : to })).map((order) => jobOf(queue, order));
    },
    async getJob(id: string) {
      const order = /^\d{1,15}$/.test(id) ? await findDue(pool, Number(id)) : null;
      return order === null ? undefined : jobOf(queue, order);
    },
  });
}

/** Counting looks at everything that is pending: anyone who wants to know it at the same time shares a count, and one that took long is used for longer. */
function sharedCount<T>(count: () => Promise<T>): () => Promise<T> {
  const now = () => performance.now();
  const kept = new AnswerCache<{ of: T; tookMs: number }>({
    freshMs: ({ tookMs }) => Math.min(tookMs * COUNT_REST, COUNT_MOST_MS),
    size: 1,
    now,
    lastKnown: true,
  });
  const counted = async () => {
    const began = now();
    return { of: await count(), tookMs: now() - began };
  };
  return async () => (await kept.get('', counted)).of;
}

function jobOf(queue: Queue<SubmissionJob>, { id, connectionId, number, total, currency, attempts, since, dueAt }: ListedDue): Job<SubmissionJob> {
  const timestamp = since === null ? Date.now() : Date.parse(since);
  const delay = dueAt === null ? 0 : Math.max(0, Date.parse(dueAt) - timestamp);
  const data: SubmissionJob = { v: 1, orderId: id, connectionId, order: { number, total, currency, lines: [] } };
  return standInJob(queue, { id: String(id), data, timestamp, delay, attempts });
}
