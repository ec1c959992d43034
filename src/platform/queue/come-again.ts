import { DelayedError, type Job } from 'bullmq';

/** Ends a processor by giving its job back to the queue until then (ms since 1970); that is no attempt. `token`: by which this worker holds the job. */
export async function comeAgain(job: Pick<Job, 'moveToDelayed'>, token: string | undefined, at: number): Promise<never> {
  await job.moveToDelayed(at, token);
  throw new DelayedError();
}
