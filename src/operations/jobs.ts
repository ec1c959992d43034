import { writeBridgeActs } from '../bridge/ledger/bridge-acts.ts';
import { endTask } from '../bridge/ledger/sync/task-store.ts';
import { type Authorship, authorOf } from '../platform/audit-log/audit-log.ts';
import { countJobs, dropJob, type FailingJob, failingJobs, type JobCount, retryJobs } from '../platform/jobs/job-store.ts';
import type { Pool } from '../platform/postgres/postgres.ts';
import { isJobKind, JOB_KINDS } from './job-kinds.ts';
import { Refusal } from './refusal.ts';

type Deps = { pool: Pool };

const DROPPED = { en: 'its background job was dropped', bg: 'фоновата ѝ задача беше отказана' };

/** `failing`: those that have for longest. */
export type JobReport = { counts: JobCount[]; failing: FailingJob[] };

const MOST_FAILING = 50;

export async function reportJobs({ pool }: Deps): Promise<JobReport> {
  const [counts, failing] = await Promise.all([countJobs(pool), failingJobs(pool, MOST_FAILING)]);
  return { counts, failing };
}

/** Has jobs of a kind that failed retried at once, or the one of a key. Returns how many. */
export async function retryFailedJobs({ pool }: Deps, { kind, key, ...said }: Authorship & { kind: string; key: string | null }): Promise<number> {
  mustBeKnown(kind);
  const subject = key === null ? kind : `${kind} ${key}`;
  const count = await retryJobs(pool, { kind, key }, (tx, of) =>
    writeBridgeActs(tx, [{ ...authorOf(said), act: 'job.retried', subject, after: { count: of } }]),
  );
  if (count === 0) throw new Refusal('missing', { en: 'no such job failed', bg: 'няма такава неуспяла задача' });
  return count;
}

/** Drops a job that a person began; if it runs, it stops soon. */
export async function dropOneJob({ pool }: Deps, { kind, key, ...said }: Authorship & { kind: string; key: string; why: string }): Promise<void> {
  mustBeKnown(kind);
  if (!mayDrop(kind))
    throw new Refusal('conflict', { en: `jobs of the kind ${kind} can’t be dropped`, bg: `задачи от вида ${kind} не могат да бъдат отказани` });
  if (said.why.trim() === '') throw new Refusal('invalid', { en: 'say why it is dropped', bg: 'посочете защо се отказва' });
  const count = await dropJob(pool, { kind, key }, async (tx) => {
    await writeBridgeActs(tx, [{ ...authorOf(said), act: 'job.dropped', subject: `${kind} ${key}` }]);
    // A store has one task at a time: one that nobody does any more must not keep the next from being begun.
    if (kind === 'task') await endTask(tx, key, { seen: 0, result: null, problem: DROPPED });
  });
  if (count === 0) throw new Refusal('missing', { en: 'there is no such job', bg: 'няма такава задача' });
}

/** Whether a person may drop jobs of this kind. */
export function mayDrop(kind: string): boolean {
  return isJobKind(kind) && 'mayDrop' in JOB_KINDS[kind];
}

function mustBeKnown(kind: string): void {
  if (!isJobKind(kind)) throw new Refusal('missing', { en: `there are no jobs of the kind ${kind}`, bg: `няма задачи от вида ${kind}` });
}
