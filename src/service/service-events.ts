import type { Log } from '../platform/log.ts';
import type { MailReport, SendResult } from '../platform/mail/outbox.ts';
import type { MonthKey } from './audit/month/month-state.ts';
import type { MonthServed } from './audit/month/serve-month.ts';
import type { Operation } from './fault-injection.ts';
import type { Refreshed } from './rates/fetch-rates.ts';
import type { ServiceLog } from './service-log.ts';

/**
 * Every line that the compliance service writes to the log: name, level, fields and words, which operators' programs read. They are listed in
 * docs/reference/metrics-and-events.md, with the comments of these functions. Never secrets, never personal data.
 */

/** `client`: the caller's address; `requestId` finds all lines of one request. */
export type About = { operation: Operation; method: string; keyId: string | null; client: string | null; requestId: string };

/** `status` null: the caller hung up before the answer. */
export function requestAnswered(log: ServiceLog, { status, ms, ...about }: About & { status: number | null; ms: number }): void {
  log.info({ ...fieldsOf(about), status, ms }, 'compliance request');
}

export function requestFailed(log: ServiceLog, err: unknown, about: About): void {
  log.error({ err, ...fieldsOf(about) }, 'compliance request failed');
}

export function contentBrokeOff(log: ServiceLog, err: unknown, about: About): void {
  log.error({ err, ...fieldsOf(about) }, 'compliance content broke off');
}

/** A request for a page behind a link; its address is a secret, so it is not logged. */
export type AboutPage = Omit<About, 'operation' | 'keyId'>;

/** `status` null: the reader hung up before the answer. */
export function pageAnswered(log: ServiceLog, { method, client, requestId, status, ms }: AboutPage & { status: number | null; ms: number }): void {
  log.info({ event: 'page', method, client, requestId, status, ms }, 'page of a month');
}

export function pageFailed(log: ServiceLog, err: unknown, { method, client, requestId }: AboutPage): void {
  log.error({ event: 'page.failed', err, method, client, requestId }, 'a page of a month failed');
}

function fieldsOf({ operation, method, keyId, client, requestId }: About): About {
  return { operation, method, keyId, client, requestId };
}

export function mailReport(log: ServiceLog): MailReport {
  return {
    notMade: (err, { id, kind }) => log.error({ err, mailId: id, kind }, 'a mail could not be made'),
    notHandedOver: (err, { id, kind }) => log.error({ err, mailId: id, kind }, 'a mail could not be handed over'),
  };
}

export function mailTried(log: Log, mail: string, result: SendResult): void {
  const level = result.outcome === 'failed' ? 'error' : result.outcome === 'later' ? 'warn' : 'info';
  log[level]({ event: 'mail', mail, ...result }, `mail: ${result.outcome}`);
}

export function auditTicked(log: Log, { reminders, stornos, purged }: Record<'reminders' | 'stornos' | 'purged', number>): void {
  if (reminders + stornos + purged > 0) log.info({ event: 'audit.tick', reminders, stornos, purged }, 'reminders and housekeeping of audit files');
}

/** `ms`: the duration. */
export function monthServed(log: Log, { shopId, month, served, ms }: { shopId: string; month: string; served: MonthServed; ms: number }): void {
  const outcome = served.kind === 'again' ? served.why : served.generation;
  log.info({ event: 'audit.month', shop: shopId, month, outcome, ms }, `audit file of a month: ${outcome}`);
}

/** Its file was asked for, and the answer was given before the making failed. */
export function monthNotMade(log: ServiceLog, err: unknown, { shopId, month }: MonthKey): void {
  log.error({ event: 'audit.month', shop: shopId, month, outcome: 'error', err }, 'audit file of a month: could not be made');
}

type RatesEvent = Pick<Refreshed, 'fetched' | 'filledIn'> & Partial<Pick<Refreshed, 'days'>>;

/** `days`: past days whose sheet was fetched, or could not be (`missedWhy`). */
export function ratesFetched(log: Log, { fetched, days = null, filledIn: { filled, missing } }: RatesEvent): void {
  const ofDays = days === null ? {} : { days: days.fetched, missedDays: days.missed, missedWhy: days.why };
  const event = { event: 'rates.fetched', ...fetched, ...ofDays, filled, missing };
  if (fetched.ok) log.info(event, 'exchange rates fetched');
  else log.warn(event, 'exchange rates could not be fetched');
}
