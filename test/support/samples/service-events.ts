import * as events from '../../../src/service/service-events.ts';
import type { LoggedEvent } from './logged-events.ts';

const err = new Error('broken');
const wasBroken = { err: 'an error' };
const about: events.About = { operation: 'create', method: 'POST', keyId: 'k1', client: '192.0.2.7', requestId: 'r1' };
const aboutPage: events.AboutPage = { method: 'GET', client: '192.0.2.7', requestId: 'r1' };
const filledIn = { filled: 2, missing: 1 };
const counts = { filled: 2, missing: 1 };

// Operators' programs read these: a changed row is a change of the interface.
export const serviceEvents: readonly LoggedEvent[] = [
  [
    'requestAnswered',
    (log) => events.requestAnswered(log, { ...about, status: 201, ms: 4 }),
    { level: 'info', ...about, status: 201, ms: 4, msg: 'compliance request' },
  ],
  ['requestFailed', (log) => events.requestFailed(log, err, about), { level: 'error', ...wasBroken, ...about, msg: 'compliance request failed' }],
  ['contentBrokeOff', (log) => events.contentBrokeOff(log, err, about), { level: 'error', ...wasBroken, ...about, msg: 'compliance content broke off' }],
  [
    'mailReport',
    (log) => events.mailReport(log).notMade(err, { id: 'm1', kind: 'receipt' }),
    { level: 'error', ...wasBroken, mailId: 'm1', kind: 'receipt', msg: 'a mail could not be made' },
  ],
  [
    'mailReport',
    (log) => events.mailReport(log).notHandedOver(err, { id: 'm1', kind: 'receipt' }),
    { level: 'error', ...wasBroken, mailId: 'm1', kind: 'receipt', msg: 'a mail could not be handed over' },
  ],
  [
    'mailTried',
    (log) => events.mailTried(log, 'm1', { outcome: 'sent', kind: 'receipt', attempts: 1, why: null }),
    { level: 'info', event: 'mail', mail: 'm1', outcome: 'sent', kind: 'receipt', attempts: 1, why: null, msg: 'mail: sent' },
  ],
  [
    'mailTried',
    (log) => events.mailTried(log, 'm1', { outcome: 'dropped', kind: 'receipt' }),
    { level: 'info', event: 'mail', mail: 'm1', outcome: 'dropped', kind: 'receipt', msg: 'mail: dropped' },
  ],
  [
    'mailTried',
    (log) => events.mailTried(log, 'm1', { outcome: 'later', kind: 'receipt', attempts: 1, why: 'busy' }),
    { level: 'warn', event: 'mail', mail: 'm1', outcome: 'later', kind: 'receipt', attempts: 1, why: 'busy', msg: 'mail: later' },
  ],
  [
    'mailTried',
    (log) => events.mailTried(log, 'm1', { outcome: 'failed', kind: 'receipt', attempts: 9, why: 'nobody there' }),
    { level: 'error', event: 'mail', mail: 'm1', outcome: 'failed', kind: 'receipt', attempts: 9, why: 'nobody there', msg: 'mail: failed' },
  ],
  [
    'auditTicked',
    (log) => events.auditTicked(log, { reminders: 1, stornos: 2, purged: 0 }),
    { level: 'info', event: 'audit.tick', reminders: 1, stornos: 2, purged: 0, msg: 'reminders and housekeeping of audit files' },
  ],
  [
    'monthServed',
    (log) => events.monthServed(log, { shopId: 's1', month: '2026-10', served: { kind: 'done', generation: 'generated' }, ms: 80 }),
    { level: 'info', event: 'audit.month', shop: 's1', month: '2026-10', outcome: 'generated', ms: 80, msg: 'audit file of a month: generated' },
  ],
  [
    'monthServed',
    (log) => events.monthServed(log, { shopId: 's1', month: '2026-10', served: { kind: 'again', afterMs: 100, why: 'waiting' }, ms: 2 }),
    { level: 'info', event: 'audit.month', shop: 's1', month: '2026-10', outcome: 'waiting', ms: 2, msg: 'audit file of a month: waiting' },
  ],
  [
    'monthNotMade',
    (log) => events.monthNotMade(log, err, { shopId: 's1', month: '2026-10' }),
    { level: 'error', event: 'audit.month', shop: 's1', month: '2026-10', outcome: 'error', ...wasBroken, msg: 'audit file of a month: could not be made' },
  ],
  [
    'ratesFetched',
    (log) => events.ratesFetched(log, { fetched: { ok: true, sheet: '2026-11-20', added: 30, unchanged: 0 }, filledIn }),
    { level: 'info', event: 'rates.fetched', ok: true, sheet: '2026-11-20', added: 30, unchanged: 0, ...counts, msg: 'exchange rates fetched' },
  ],
  [
    'ratesFetched',
    (log) =>
      events.ratesFetched(log, {
        fetched: { ok: true, sheet: '2026-11-20', added: 0, unchanged: 30 },
        days: { fetched: ['2026-11-12'], missed: ['2026-11-13'], why: 'bnb.example answers 500' },
        filledIn,
      }),
    {
      level: 'info',
      event: 'rates.fetched',
      ok: true,
      sheet: '2026-11-20',
      added: 0,
      unchanged: 30,
      days: ['2026-11-12'],
      missedDays: ['2026-11-13'],
      missedWhy: 'bnb.example answers 500',
      ...counts,
      msg: 'exchange rates fetched',
    },
  ],
  [
    'ratesFetched',
    (log) => events.ratesFetched(log, { fetched: { ok: false, busy: false, why: 'no answer' }, filledIn }),
    { level: 'warn', event: 'rates.fetched', ok: false, busy: false, why: 'no answer', ...counts, msg: 'exchange rates could not be fetched' },
  ],
  [
    'pageAnswered',
    (log) => events.pageAnswered(log, { ...aboutPage, status: 200, ms: 7 }),
    { level: 'info', event: 'page', ...aboutPage, status: 200, ms: 7, msg: 'page of a month' },
  ],
  [
    'pageFailed',
    (log) => events.pageFailed(log, err, aboutPage),
    { level: 'error', event: 'page.failed', ...wasBroken, ...aboutPage, msg: 'a page of a month failed' },
  ],
];
