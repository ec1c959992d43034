import { DONE, type JobEnd } from '../../platform/jobs/job-kind.ts';
import type { Job } from '../../platform/jobs/job-store.ts';
import type { AlertMessage } from './alert.ts';
import type { Channel, ChannelResult } from './channels.ts';

/** A message that this process sends. `attempts`: this one included. */
export type ClaimedAlert = AlertMessage & { attempts: number; createdAt: string };

/** How a try ended. */
export type TriedAlert = { alert: ClaimedAlert; state: 'sent' | 'later' | 'failed'; error: string | null };

export type SendAlertsDeps = {
  ledger: {
    /** The oldest message that the channel of this job has to send: an end is never reported before its beginning. Null too if another process has the job. */
    next(job: Job): Promise<ClaimedAlert | null>;
    note(tried: TriedAlert, now: Date): Promise<void>;
  };
  channels: readonly Channel[];
  now(): Date;
  onTried(tried: TriedAlert): void;
};

const GIVE_UP_MS = 24 * 3_600_000;
/** How long a message that nobody sent is kept. */
export const UNSENT_MS = 3 * GIVE_UP_MS;
/** A channel of another process's configuration: that one sends. */
const NOT_OURS_MS = 60_000;

/** Sends what a channel, which is the key of the job, has to tell. What comes after a message waits for it; one is retried for a day. */
export async function sendAlerts({ ledger, channels, now, onTried }: SendAlertsDeps, job: Job, signal: AbortSignal): Promise<JobEnd> {
  const channel = channels.find(({ name }) => name === job.key);
  if (channel === undefined) return job.ageMs > UNSENT_MS ? DONE : { is: 'waits', ms: NOT_OURS_MS };
  while (!signal.aborted) {
    const alert = await ledger.next(job);
    if (alert === null) return DONE;
    const sent = await channel.send(alert);
    const at = now();
    const tried = { alert, ...outcome(sent, at.getTime() - Date.parse(alert.createdAt) > GIVE_UP_MS) };
    await ledger.note(tried, at);
    onTried(tried);
    // What it does not take now, it will not take a moment later.
    if (sent.kind === 'later' && tried.state === 'later') return { is: 'failed', why: sent.why, afterMs: sent.afterMs };
  }
  return { is: 'waits', ms: 0 };
}

function outcome(sent: ChannelResult, isOld: boolean): Pick<TriedAlert, 'state' | 'error'> {
  if (sent.kind === 'sent') return { state: 'sent', error: null };
  if (sent.kind === 'broken') return { state: 'failed', error: sent.why };
  return isOld ? { state: 'failed', error: `for a day: ${sent.why}` } : { state: 'later', error: sent.why };
}
