import * as events from '../../../src/bridge/alerts/alert-events.ts';
import type { LoggedEvent } from './logged-events.ts';

const told = { health: 'failing', raised: ['queue.down'], still: [], resolved: ['orders.need-review payment.unmapped'] };
const tried = { channel: 'slack', message: 'm1', kind: 'raised', attempts: 2 } as const;
const why = 'it answered 429';
const incident = { onboarding: 'o1', connectionId: 'c1', cause: 'key' };

export const alertEvents: readonly LoggedEvent[] = [
  [
    'incidentsReported',
    (log) => events.incidentsReported(log, told),
    { level: 'warn', event: 'alert', ...told, msg: 'alerts tell what is wrong, and what is over' },
  ],
  [
    'incidentsReported',
    (log) => events.incidentsReported(log, { ...told, raised: [] }),
    { level: 'info', event: 'alert', ...told, raised: [], msg: 'alerts tell what is wrong, and what is over' },
  ],
  ['alertSent', (log) => events.alertSent(log, tried), { level: 'info', event: 'alert.sent', ...tried, msg: 'an alert was sent' }],
  [
    'alertNotSent',
    (log) => events.alertNotSent(log, { ...tried, why, givenUp: false }),
    { level: 'warn', event: 'alert.not-sent', ...tried, why, givenUp: false, msg: 'an alert could not be sent; it is retried' },
  ],
  [
    'alertNotSent',
    (log) => events.alertNotSent(log, { ...tried, why, givenUp: true }),
    { level: 'error', event: 'alert.not-sent', ...tried, why, givenUp: true, msg: 'an alert was given up; its channel has to be looked at' },
  ],
  [
    'merchantMailed',
    (log) => events.merchantMailed(log, incident),
    { level: 'warn', event: 'merchant.mailed', onboarding: 'o1', connection: 'c1', cause: 'key', msg: 'a merchant is mailed what only they can put right' },
  ],
  ...(['sent', 'later', 'failed'] as const).map((outcome): LoggedEvent => {
    const result = { outcome, kind: 'merchant', attempts: 1, why };
    const level = { sent: 'info', failed: 'error', later: 'warn' }[outcome];
    const line = { level, event: 'bridge.mail', mail: 'm1', ...result, msg: `mail to a merchant or a person of the console: ${outcome}` };
    return ['bridgeMailTried', (log) => events.bridgeMailTried(log, 'm1', result), line];
  }),
  ...(['notMade', 'notHandedOver'] as const).map((what): LoggedEvent => {
    const msg = 'a mail to a merchant or a person of the console could not be made or handed over';
    const write = (log: Parameters<LoggedEvent[1]>[0]) => events.bridgeMailFault(log)[what](new Error('broken'), { id: 'm1', kind: 'merchant' });
    return ['bridgeMailFault', write, { level: 'error', event: 'bridge.mail-fault', mail: 'm1', err: 'an error', msg }];
  }),
  [
    'heartbeatFailed',
    (log) => events.heartbeatFailed(log, { why: 'it answered 404' }),
    { level: 'warn', event: 'heartbeat.failed', why: 'it answered 404', msg: 'HEARTBEAT_URL did not take the sign of life' },
  ],
  [
    'alertsFailed',
    (log) => events.alertsFailed(log, new Error('broken')),
    { level: 'error', event: 'alerts.failed', err: 'an error', msg: 'looking for what alerts should tell failed; it is retried' },
  ],
];
