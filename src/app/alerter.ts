import { randomUUID } from 'node:crypto';
import type { ReportedCheck } from '../bridge/alerts/alert.ts';
import { alertNotSent, alertSent, alertsFailed, heartbeatFailed, incidentsReported } from '../bridge/alerts/alert-events.ts';
import { type Channel, mailChannel, mailChannelName, slackChannel, webhookChannel } from '../bridge/alerts/channels.ts';
import { createHeartbeat } from '../bridge/alerts/heartbeat.ts';
import { sendAlerts, type TriedAlert } from '../bridge/alerts/send-alerts.ts';
import { createAlertOutbox } from '../bridge/ledger/alerts/alert-outbox.ts';
import { type AlertWatch, createAlertWatch } from '../bridge/ledger/alerts/alert-watch.ts';
import { createPostJson, type PostJson } from '../bridge/post-json.ts';
import type { AlertConfig, Config } from '../config/config.ts';
import type { HealthStatus } from '../operations/health/health-status.ts';
import { each } from '../platform/jobs/job-kind.ts';
import type { Log } from '../platform/log.ts';
import { insecureWords } from '../platform/may-carry-secrets.ts';
import { repeat } from '../platform/repeat.ts';
import { wholeMs, withTimeout } from '../platform/with-timeout.ts';
import type { Core } from './core.ts';
import { createUnwritten, type Decided, type KnownHealth, round, type Unwritten } from './incidents.ts';
import { mailTransport } from './mail-transport.ts';
import { runKinds } from './run-kinds.ts';

type AlerterOptions = {
  core: Pick<Core, 'config' | 'jobs' | 'log' | 'pool' | 'stop'>;
  readHealth: () => Promise<KnownHealth>;
  now?: () => Date;
  sweepsPerRound?: number;
};

/** A health status takes more than mails: with SWEEP_SECONDS at its default, every 30 s. */
const SWEEPS_PER_ROUND = 6;
/** However seldom it sweeps: the lease and a trouble's five minutes need several rounds, and a heartbeat is due each minute. */
const LONGEST_PAUSE_MS = 30_000;
const LEASE_MS = 90_000;
const DATABASE_MS = 10_000;
const HEALTH_MS = 45_000;
const STOP_SHARE = { mostMs: 3_000, keepMs: 3_000 };

/** Evaluates, if no other process does, and sends what is to be reported. Does nothing without a channel and a heartbeat. */
export function startAlerter({ core, readHealth, now = () => new Date(), sweepsPerRound = SWEEPS_PER_ROUND }: AlerterOptions): AsyncDisposable {
  const { config, log, pool, stop } = core;
  const alerts = config.alerts ?? NO_ALERTS;
  const channels = openChannels(config, (err) => alertsFailed(log, err));
  if (channels.length === 0 && alerts.heartbeatUrl === null) return { [Symbol.asyncDispose]: async () => undefined };
  const watch = createAlertWatch(pool, randomUUID());
  const outbox = createAlertOutbox(pool);
  const onTried = (tried: TriedAlert) => noteTried(log, tried);
  const oneRound = createRounds({ watch, alerts, channels, log, readHealth, now, beat: heartbeatOf(core, alerts) });
  const sends = runKinds(core, { alerts: each((job, signal) => sendAlerts({ ledger: outbox, channels, now, onTried }, job, signal)) });
  const roundMs = msOfRound(config.sweepSeconds, sweepsPerRound);
  const rounds = repeat(async () => {
    try {
      if (await oneRound()) await outbox.prune({ days: config.keepDays.outbox, now: now() });
    } catch (err) {
      alertsFailed(log, err);
    }
    // However seldom this process looks for jobs.
    await sends.look();
  }, roundMs);
  rounds.now();
  return {
    async [Symbol.asyncDispose]() {
      const ended = Promise.all([sends[Symbol.asyncDispose](), rounds.end()]).then(() => watch.release().catch(() => undefined));
      await stop.wait('alerts', ended, STOP_SHARE);
    },
  };
}

/** How often a round is made. */
export function msOfRound(sweepSeconds: number, sweepsPerRound = SWEEPS_PER_ROUND): number {
  return Math.min(wholeMs(sweepSeconds * 1000) * sweepsPerRound, LONGEST_PAUSE_MS);
}

function heartbeatOf({ config, log }: AlerterOptions['core'], { heartbeatUrl }: AlertConfig): () => Promise<void> {
  if (heartbeatUrl === null) return async () => undefined;
  const onFailed = (why: string) => heartbeatFailed(log, { why });
  return createHeartbeat({ url: heartbeatUrl.reveal(), fetch: openPost(config), now: () => performance.now(), onFailed }).beat;
}

type RoundsDeps = {
  watch: AlertWatch;
  alerts: AlertConfig;
  channels: readonly Channel[];
  log: Log;
  readHealth: () => Promise<KnownHealth>;
  now: () => Date;
  beat: () => Promise<void>;
};

/** One round; true if this process is the one that evaluates. */
function createRounds({ watch, alerts, channels, log, readHealth, now, beat }: RoundsDeps): () => Promise<boolean> {
  const unwritten = unwrittenOf(channels, log);
  const deps = { ledger: watch, channels: channels.map(({ name }) => name), digestAt: alerts.digestAt, newId: randomUUID };
  let wasLeased = false;
  return async () => {
    const isLeased = await withTimeout(DATABASE_MS, watch.lease(LEASE_MS)).catch((err: unknown) => {
      alertsFailed(log, err);
      return null;
    });
    // Without the database nobody can take the watch: the process that had it last reports.
    await unwritten.round(isLeased === null && wasLeased, now());
    if (isLeased === null) return false;
    wasLeased = isLeased;
    if (!isLeased) return false;
    const knownHealth = await withTimeout(HEALTH_MS, readHealth());
    const { health } = knownHealth;
    const decided = await round(deps, knownHealth, now());
    if (decided !== null) noteDecided(log, decided, health);
    if (health.health !== 'failing') await beat();
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
      else alertNotSent(log, { ...line, why: sent.why, givenUp: sent.kind === 'broken' });
    },
  });
}

function noteDecided(log: Log, { report }: Decided, { health }: HealthStatus): void {
  if (report === null) return;
  incidentsReported(log, { health, raised: report.raised.map(nameOf), still: report.still.map(nameOf), resolved: report.resolved.map(nameOf) });
}

function nameOf({ code, subject }: ReportedCheck): string {
  return subject === '' ? code : `${code} ${subject}`;
}

function noteTried(log: Log, { alert: { id, channel, kind, attempts }, state, error }: TriedAlert): void {
  const line = { channel, message: id, kind, attempts };
  if (state === 'sent') alertSent(log, line);
  else alertNotSent(log, { ...line, why: error ?? '', givenUp: state === 'failed' });
}

/** An alert that takes longer is retried. */
const MAIL_TIMEOUTS = { connect: 10_000, silence: 20_000, whole: 60_000 };

export const NO_ALERTS: AlertConfig = { mailTo: [], slackUrl: null, webhook: null, heartbeatUrl: null, digestAt: null };

/** How addresses of the configuration are called. */
export function openPost({ trustedHttpHosts }: Pick<Config, 'trustedHttpHosts'>): PostJson {
  return createPostJson({ whyInsecure: (address) => insecureWords(address, trustedHttpHosts) });
}

/** Every channel that the configuration names. `onFault`: a fault of ours, for the log. */
export function openChannels(config: Config, onFault: (err: unknown) => void): Channel[] {
  const { mailTo, slackUrl, webhook } = config.alerts ?? NO_ALERTS;
  const post = openPost(config);
  const statusUrl = config.publicUrl === null ? null : `${config.publicUrl}/status`;
  return [
    ...mailChannels(config, mailTo, { statusUrl, onFault }),
    ...(slackUrl === null ? [] : [slackChannel({ url: slackUrl.reveal(), post, statusUrl })]),
    ...(webhook === null ? [] : [webhookChannel({ url: webhook.url.reveal(), secret: webhook.secret.reveal(), post, now: Date.now, statusUrl })]),
  ];
}

function mailChannels(config: Config, mailTo: readonly string[], options: { statusUrl: string | null; onFault: (err: unknown) => void }): Channel[] {
  const transport = mailTransport(config, { timeouts: MAIL_TIMEOUTS });
  return mailTo.map((to, i) => mailChannel({ name: mailChannelName(i), to, transport, hasServer: config.mail.smtpUrl !== null, ...options }));
}
