import type { AlertMessage } from './alert.ts';
import type { Channel, Sent } from './channel.ts';

/** A message that this process has claimed to send. */
export type ClaimedAlert = AlertMessage & { attempts: number; createdAt: string };

/** How a try ended; `nextAt` is there for `later` alone. */
export type TriedAlert = { alert: ClaimedAlert; state: 'sent' | 'later' | 'failed'; nextAt: Date | null; error: string | null };

export type SendAlertsDeps = {
  ledger: {
    /** The oldest message of this channel, if it is due: an end is never told before its beginning. It is due again when the lease is over. */
    claim(channel: string, at: { now: Date; leaseMs: number }): Promise<ClaimedAlert | null>;
    note(tried: TriedAlert, now: Date): Promise<void>;
  };
  channels: readonly Channel[];
  now(): Date;
  onTried(tried: TriedAlert): void;
};

const MINUTE_MS = 60_000;
/** Longer than any channel takes for a try: then the process that sent it is dead. */
const LEASE_MS = 2 * MINUTE_MS;
const GIVE_UP_MS = 24 * 60 * MINUTE_MS;
/** Minutes to wait after each failed try; the last one goes on. What comes after waits, too. */
const WAITS = [1, 2, 5, 10, 15] as const;
/** A channel with more to say lets the others wait no longer than this. */
const AT_ONCE = 20;

/** Sends what is due, each channel on its own: one that hangs holds up no other. Throws only if the database fails. */
export async function sendAlerts(deps: SendAlertsDeps, signal: AbortSignal): Promise<void> {
  const ended = await Promise.allSettled(deps.channels.map((channel) => sendBy(deps, channel, signal)));
  const broken = ended.find(({ status }) => status === 'rejected');
  if (broken?.status === 'rejected') throw broken.reason;
}

async function sendBy(deps: SendAlertsDeps, channel: Channel, signal: AbortSignal): Promise<void> {
  for (let i = 0; i < AT_ONCE && !signal.aborted; i += 1) {
    const alert = await deps.ledger.claim(channel.name, { now: deps.now(), leaseMs: LEASE_MS });
    if (alert === null) return;
    const sent = await channel.send(alert);
    const now = deps.now();
    const tried = { alert, ...outcome(sent, alert, now) };
    await deps.ledger.note(tried, now);
    deps.onTried(tried);
    // What it does not take now, it will not take a moment later.
    if (sent.kind !== 'sent') return;
  }
}

/** A message is retried for a day. */
function outcome(sent: Sent, { attempts, createdAt }: ClaimedAlert, now: Date): Pick<TriedAlert, 'state' | 'nextAt' | 'error'> {
  if (sent.kind === 'sent') return { state: 'sent', nextAt: null, error: null };
  if (sent.kind === 'broken') return { state: 'failed', nextAt: null, error: sent.why };
  const nextAt = new Date(now.getTime() + (sent.afterMs ?? waitMs(attempts)));
  const isOver = nextAt.getTime() - Date.parse(createdAt) > GIVE_UP_MS;
  return isOver ? { state: 'failed', nextAt: null, error: `for a day: ${sent.why}` } : { state: 'later', nextAt, error: sent.why };
}

function waitMs(attempts: number): number {
  return (WAITS[attempts - 1] ?? WAITS.at(-1) ?? 1) * MINUTE_MS;
}
