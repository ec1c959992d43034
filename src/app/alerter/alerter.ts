import { randomUUID } from 'node:crypto';
import type { ReportedReason } from '../../bridge/alerts/alert.ts';
import { alertNotSent, alertSent, alertsFailed, heartbeatFailed, incidentsReported } from '../../bridge/alerts/alert-events.ts';
import type { Channel } from '../../bridge/alerts/channel.ts';
import { createHeartbeat } from '../../bridge/alerts/heartbeat.ts';
import { sendAlerts, type TriedAlert } from '../../bridge/alerts/send-alerts.ts';
import { createAlertOutbox } from '../../bridge/ledger/alert-outbox.ts';
import { type AlertWatch, createAlertWatch } from '../../bridge/ledger/alert-watch.ts';
import type { AlertConfig } from '../../config/config.ts';
import type { Judgeable } from '../../operations/alerts/judge.ts';
import { type Decided, look } from '../../operations/alerts/look.ts';
import { createUnwritten, type Unwritten } from '../../operations/alerts/unwritten.ts';
import type { Verdict } from '../../operations/verdict/verdict.ts';
import type { Log } from '../../platform/log.ts';
import { rateLimit } from '../../platform/rate-limit.ts';
import { wholeMs } from '../../platform/whole-ms.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { Core } from '../core.ts';
import { NO_ALERTS, openChannels, openPost } from './open-channels.ts';
import { repeat } from './repeat.ts';

export type AlerterOptions = {
  core: Pick<Core, 'config' | 'log' | 'pool' | 'stop'>;
  readVerdict: () => Promise<Judgeable>;
  now?: () => Date;
  sweepsPerLook?: number;
};

/** A verdict takes more than mails: with SWEEP_SECONDS at its default, every 30 s. */
const SWEEPS_PER_LOOK = 6;
/** However seldom it sweeps: the lease and a trouble's five minutes need several looks, and a heartbeat is due each minute. */
const LONGEST_PAUSE_MS = 30_000;
const LEASE_MS = 90_000;
const DATABASE_MS = 10_000;
const VERDICT_MS = 45_000;
const STOP_SHARE = { mostMs: 3_000, keepMs: 3_000 };

/** Judges, if no other process does, and sends what is to be told. Does nothing without a channel and a heartbeat. */
export function startAlerter({ core, readVerdict, now = () => new Date(), sweepsPerLook = SWEEPS_PER_LOOK }: AlerterOptions): AsyncDisposable {
  const { config, log, pool, stop } = core;
  const alerts = config.alerts ?? NO_ALERTS;
  const channels = openChannels(config, (err) => alertsFailed(log, err));
  if (channels.length === 0 && alerts.heartbeatUrl === null) return { [Symbol.asyncDispose]: async () => undefined };
  const ending = new AbortController();
  const watch = createAlertWatch(pool, randomUUID());
  const outbox = createAlertOutbox(pool);
  const onTried = (tried: TriedAlert) => noteTried(log, tried);
  const send = () => sendAlerts({ ledger: outbox, channels, now, onTried }, ending.signal);
  const looker = createLooker({ watch, alerts, channels, log, readVerdict, now, beat: heartbeatOf(core, alerts) });
  const { sendMs, lookMs } = alertPace(config.sweepSeconds, sweepsPerLook);
  const onUnsent = rateLimit((err: unknown) => alertsFailed(log, err), { most: 1, now: () => performance.now() });
  const sends = repeat(() => send().catch(onUnsent), sendMs);
  const looks = repeat(async () => {
    try {
      if (await looker()) await outbox.prune({ days: config.keepDays.outbox, now: now() });
    } catch (err) {
      alertsFailed(log, err);
    }
    sends.now();
  }, lookMs);
  looks.now();
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      const ended = Promise.all([sends.end(), looks.end()]).then(() => watch.release().catch(() => undefined));
      await stop.wait('alerts', ended, STOP_SHARE);
    },
  };
}

/** How often is sent and looked, in ms. */
export function alertPace(sweepSeconds: number, sweepsPerLook = SWEEPS_PER_LOOK): { sendMs: number; lookMs: number } {
  const sweepMs = wholeMs(sweepSeconds * 1000);
  return { sendMs: Math.min(sweepMs, LONGEST_PAUSE_MS), lookMs: Math.min(sweepMs * sweepsPerLook, LONGEST_PAUSE_MS) };
}

function heartbeatOf({ config, log }: AlerterOptions['core'], { heartbeatUrl }: AlertConfig): () => Promise<void> {
  if (heartbeatUrl === null) return async () => undefined;
  const onFailed = (why: string) => heartbeatFailed(log, { why });
  return createHeartbeat({ url: heartbeatUrl.reveal(), fetch: openPost(config), now: () => performance.now(), onFailed }).beat;
}

type LookerDeps = {
  watch: AlertWatch;
  alerts: AlertConfig;
  channels: readonly Channel[];
  log: Log;
  readVerdict: () => Promise<Judgeable>;
  now: () => Date;
  beat: () => Promise<void>;
};

/** One look; true if this process is the one that judges. */
function createLooker({ watch, alerts, channels, log, readVerdict, now, beat }: LookerDeps): () => Promise<boolean> {
  const unwritten = unwrittenOf(channels, log);
  const deps = { ledger: watch, channels: channels.map(({ name }) => name), digestAt: alerts.digestAt, newId: randomUUID };
  let hasHeld = false;
  return async () => {
    const isHeld = await withTimeout(DATABASE_MS, watch.hold(LEASE_MS)).catch((err: unknown) => {
      alertsFailed(log, err);
      return null;
    });
    // Without the database nobody can take the watch: whoever had it last tells.
    await unwritten.look(isHeld === null && hasHeld, now());
    if (isHeld === null) return false;
    hasHeld = isHeld;
    if (!isHeld) return false;
    const judgeable = await withTimeout(VERDICT_MS, readVerdict());
    const { verdict } = judgeable;
    const decided = await look(deps, judgeable, now());
    if (decided !== null) noteDecided(log, decided, verdict);
    if (verdict.verdict !== 'failing') await beat();
    return true;
  };
}

function unwrittenOf(channels: readonly Channel[], log: Log): Unwritten {
  return createUnwritten({
    channels,
    newId: randomUUID,
    onSent: ({ id, channel, kind }, sent) => {
      const line = { channel, message: id, kind, attempts: 1 };
      if (sent.kind === 'sent') alertSent(log, line);
      else alertNotSent(log, { ...line, why: sent.why, nextAt: sent.kind === 'later' ? new Date().toISOString() : null });
    },
  });
}

function noteDecided(log: Log, { told }: Decided, { verdict }: Verdict): void {
  if (told === null) return;
  incidentsReported(log, { verdict, raised: told.raised.map(nameOf), still: told.still.map(nameOf), resolved: told.resolved.map(nameOf) });
}

function nameOf({ code, subject }: ReportedReason): string {
  return subject === '' ? code : `${code} ${subject}`;
}

function noteTried(log: Log, { alert: { id, channel, kind, attempts }, state, nextAt, error }: TriedAlert): void {
  const line = { channel, message: id, kind, attempts };
  if (state === 'sent') alertSent(log, line);
  else alertNotSent(log, { ...line, why: error ?? '', nextAt: nextAt?.toISOString() ?? null });
}
