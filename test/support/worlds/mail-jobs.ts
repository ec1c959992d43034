import { z } from 'zod';
import { JOB_KINDS } from '../../../src/operations/job-kinds.ts';
import { backoffMs } from '../../../src/platform/backoff.ts';
import { claimJob, settleJobs } from '../../../src/platform/jobs/job-store.ts';
import { createMailer } from '../../../src/platform/mail/create-mailer.ts';
import type { MailReport, SendResult } from '../../../src/platform/mail/outbox.ts';
import type { Pool } from '../../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';

type Deps = Omit<Parameters<typeof createMailer>[0], 'onTried' | 'report' | 'pool'> & { pool: Pool; report?: MailReport };

export type MailJobs = {
  /** Ids of mails that are due, the longest waiting first. */
  due(limit: number): Promise<string[]>;
  /** Runs the job of a mail; how the try ended. `not-due`: there was none, or its mail is gone. */
  send(id: string): Promise<SendResult | { outcome: 'not-due' }>;
};

const keys = rowsOf('jobs', z.object({ key: z.string() }));
const silent: MailReport = { notMade: () => undefined, notHandedOver: () => undefined };

/** The jobs of an outbox, which run when the test says so. */
export function mailJobs({ report = silent, ...deps }: Deps): MailJobs {
  const { pool, outbox } = deps;
  const due = async (limit: number) => {
    const text = 'select key from jobs where kind = $1 and due_at <= now() order by due_at, id limit $2';
    return (await readRows(pool, keys, { text, values: [outbox.job, limit] })).map(({ key }) => key);
  };
  return {
    due,
    async send(id) {
      const job = (await due(1_000)).includes(id) ? await claimJob(pool, { kind: outbox.job, key: id, leaseMs: JOB_KINDS.mail.leaseMs }) : null;
      if (job === null) return { outcome: 'not-due' };
      const tried: SendResult[] = [];
      const end = await createMailer({ ...deps, report, onTried: (_, result) => tried.push(result) })(job);
      const waits = { job, waitMs: backoffMs(JOB_KINDS.mail.backoff, job.attempts, 1), attempts: job.attempts };
      await settleJobs(pool, end.is === 'failed' ? { done: [], left: [{ ...waits, error: end.why }] } : { done: [job], left: [] });
      return tried[0] ?? { outcome: 'not-due' };
    },
  };
}

/** As if so many minutes had gone by since jobs were written. */
export async function passForJobs(pool: Pool, minutes: number): Promise<void> {
  await pool.query(`update jobs set due_at = due_at - $1 * interval '1 minute', made_at = made_at - $1 * interval '1 minute'`, [minutes]);
}
