import type { Log } from '../../platform/log.ts';
import type { MailReport, SendResult } from '../../platform/mail/outbox.ts';
import type { AlertKind } from './alert.ts';

/** The lines about alerts, as those of `bridge-events`: listed in docs/reference/metrics-and-events.md, without secrets and names. */

export type ReportedIncidents = { raised: string[]; still: string[]; resolved: string[]; health: string };

/** By code and subject; they go to the outbox of each channel. */
export function incidentsReported(log: Log, { raised, still, resolved, health }: ReportedIncidents): void {
  const level = raised.length + still.length > 0 ? 'warn' : 'info';
  log[level]({ event: 'alert', health, raised, still, resolved }, 'alerts tell what is wrong, and what is over');
}

export type TriedLine = { channel: string; message: string; kind: AlertKind; attempts: number };

export function alertSent(log: Log, { channel, message, kind, attempts }: TriedLine): void {
  log.info({ event: 'alert.sent', channel, message, kind, attempts }, 'an alert was sent');
}

export function alertNotSent(log: Log, { channel, message, kind, attempts, why, givenUp }: TriedLine & { why: string; givenUp: boolean }): void {
  const event = { event: 'alert.not-sent', channel, message, kind, attempts, why, givenUp };
  if (givenUp) log.error(event, 'an alert was given up; its channel has to be looked at');
  else log.warn(event, 'an alert could not be sent; it is retried');
}

export function heartbeatFailed(log: Log, { why }: { why: string }): void {
  log.warn({ event: 'heartbeat.failed', why }, 'HEARTBEAT_URL did not take the sign of life');
}

export function alertsFailed(log: Log, err: unknown): void {
  log.error({ event: 'alerts.failed', err }, 'looking for what alerts should tell failed; it is retried');
}

/** `cause`: `key`, `scope`, `frozen`, `locked`, `blocked`, `webhooks` or `mapping`. */
export function merchantMailed(log: Log, { onboarding, connectionId: connection, cause }: { onboarding: string; connectionId: string; cause: string }): void {
  log.warn({ event: 'merchant.mailed', onboarding, connection, cause }, 'a merchant is mailed what only they can put right');
}

export function bridgeMailTried(log: Log, mail: string, result: SendResult): void {
  const level = result.outcome === 'failed' ? 'error' : result.outcome === 'later' ? 'warn' : 'info';
  log[level]({ event: 'bridge.mail', mail, ...result }, `mail to a merchant or a person of the console: ${result.outcome}`);
}

// Never with an address.
export function bridgeMailFault(log: Log): MailReport {
  const write = (err: unknown, mail: string) =>
    log.error({ event: 'bridge.mail-fault', mail, err }, 'a mail to a merchant or a person of the console could not be made or handed over');
  return { notMade: (err, { id }) => write(err, id), notHandedOver: (err, { id }) => write(err, id) };
}
