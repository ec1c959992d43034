import * as events from '../../../src/bridge/bridge-events.ts';
import type { Pause } from '../../../src/bridge/delivery/pauses.ts';
import type { Processed } from '../../../src/bridge/delivery/process-order.ts';
import type { WebhookAnswer } from '../../../src/bridge/intake/webhook-router.ts';
import { attemptEvents } from './attempt-events.ts';
import { grantEvents } from './grant-events.ts';
import type { LoggedEvent } from './logged-events.ts';
import { outboxJobEvents } from './outbox-job-events.ts';
import { outstandingEvents } from './outstanding-events.ts';
import { readingEvents } from './reading-events.ts';
import { subscriptionEvents } from './subscription-events.ts';

const err = new Error('broken');
const wasBroken = { err: 'an error' };
const key = { shopId: 'shop-1', platform: 'standard', store: 'corner', orderId: '1042' } as const;
const order = { key, connectionId: 'c1' };
const attempt = (end: Processed) => (log: Parameters<typeof events.orderProcessed>[0]) => events.orderProcessed(log, { orderId: 7, ms: 12, processed: end });
const processed = { event: 'order.processed', order: 7, ...key, connection: 'c1', ms: 12 };
const answer: WebhookAnswer = {
  platform: 'standard',
  connectionId: 'c1',
  orderId: '1042',
  delivery: null,
  code: null,
  what: 'order',
  ms: 3,
  requestId: 'r1',
  client: '192.0.2.7',
  topic: '',
  isPlatforms: true,
  isByModule: false,
  deliveryId: null,
  headers: {},
};
const answered = {
  event: 'webhook',
  platform: 'standard',
  connection: 'c1',
  orderId: '1042',
  code: null,
  what: 'order',
  ms: 3,
  requestId: 'r1',
  client: '192.0.2.7',
};
const pause: Pause = {
  destinationId: 'd1',
  shopId: null,
  callType: 'records',
  code: 'compliance.failing',
  detail: '503',
  failures: 2,
  since: 'then',
  until: 'soon',
};
const paused = {
  event: 'destination.paused',
  destinationId: 'd1',
  shopId: null,
  callType: 'records',
  code: 'compliance.failing',
  detail: '503',
  until: 'soon',
};
const because = { code: 'storefront.unreachable', detail: 'no answer', until: 'soon', failures: 3 } as const;
const storePause = { host: 'store.example', connectionId: 'c1', ...because };
const loggedPause = { host: 'store.example', connection: 'c1', ...because };
const listening = { role: 'all', host: '::', port: 8080, opsPort: null };
const request = { method: 'GET', client: '192.0.2.7', requestId: 'r1' };
const why = 'it';
const notLetIn = { why: 'forbidden', person: 'p1', client: request.client, requestId: request.requestId, leftOut: 3 };
const embedded = { database: 'embedded', dataDir: 'data', queue: 'postgres', complianceUrl: null } as const;

// Programs of operators read these: a row that changes is a change for them.
export const bridgeEvents: readonly LoggedEvent[] = [
  [
    'started',
    (log) => events.started(log, { ...listening, database: 'embedded', queue: 'redis', compliance: 'remote' }),
    { level: 'info', event: 'started', ...listening, database: 'embedded', queue: 'redis', compliance: 'remote', msg: 'orderbridge is ready' },
  ],
  [
    'stopping',
    (log) => events.stopping(log, { signal: 'SIGTERM', delaySeconds: 5 }),
    { level: 'info', event: 'stopping', signal: 'SIGTERM', delaySeconds: 5, msg: 'stopping: what runs is finished' },
  ],
  ['stopped', (log) => events.stopped(log), { level: 'info', event: 'stopped', msg: 'stopped' }],
  ['webhookAnswered', (log) => events.webhookAnswered(log, answer), { level: 'info', ...answered, msg: 'webhook accepted' }],
  [
    'webhookAnswered',
    (log) => events.webhookAnswered(log, { ...answer, code: 'signature.mismatch', what: null, err }),
    { level: 'warn', ...answered, code: 'signature.mismatch', what: null, ...wasBroken, msg: 'webhook refused' },
  ],
  [
    'tracesNotSent',
    (log) => events.tracesNotSent(log, { words: 'ECONNREFUSED', leftOut: 2 }),
    {
      ...{ level: 'warn', event: 'traces.not-sent', why: 'ECONNREFUSED', leftOut: 2 },
      msg: 'spans could not be sent to the collector of OTEL_EXPORTER_OTLP_ENDPOINT, and are lost',
    },
  ],
  [
    'refusalsNotLogged',
    (log) => events.refusalsNotLogged(log, { count: 7 }),
    { level: 'warn', event: 'webhook.not-logged', count: 7, msg: 'webhooks were refused so often that these were only counted' },
  ],
  [
    'trafficNotWritten',
    (log) => events.trafficNotWritten(log, err),
    { level: 'debug', event: 'throttled.not-counted', ...wasBroken, msg: 'what became of webhooks is written later' },
  ],
  [
    'deliveriesRecorded',
    (log) => events.deliveriesRecorded(log, { deliveries: 3, ms: 5 }),
    { level: 'debug', event: 'deliveries.recorded', deliveries: 3, ms: 5 },
  ],
  [
    'orderProcessed',
    attempt({ kind: 'rest', state: 'recorded', detail: 'as it should be', recordedMs: 900, receipt: 'got', order }),
    { level: 'info', ...processed, outcome: 'rest', state: 'recorded', detail: 'as it should be', recordedMs: 900, receipt: 'got', msg: 'order recorded' },
  ],
  [
    'orderProcessed',
    attempt({ kind: 'rest', state: 'review', detail: 'vat.unmapped', recordedMs: null, order }),
    { level: 'warn', ...processed, outcome: 'rest', state: 'review', detail: 'vat.unmapped', recordedMs: null, msg: 'order needs review' },
  ],
  [
    'orderProcessed',
    attempt({ kind: 'again', ms: 500, why: '503', order }),
    { level: 'info', ...processed, outcome: 'again', why: '503', againMs: 500, msg: 'order will be looked at again' },
  ],
  [
    'orderProcessed',
    attempt({ kind: 'paused', why: '503', order }),
    { level: 'debug', ...processed, outcome: 'paused', why: '503', msg: 'order waits for its destination' },
  ],
  [
    'orderProcessed',
    attempt({ kind: 'fetch', host: 'store.example', order }),
    { level: 'debug', ...processed, outcome: 'fetch', host: 'store.example', msg: 'order waits for a call of its store' },
  ],
  [
    'orderProcessed',
    attempt({ kind: 'missing' }),
    { level: 'warn', event: 'order.processed', order: 7, ms: 12, outcome: 'missing', msg: 'a job names an order that is not in the ledger' },
  ],
  [
    'recordingStopped',
    (log) => events.recordingStopped(log, { why: 'older', place: { place: '1/2/3', here: '1/2/4' }, lacks: ['beat@1'] }),
    {
      ...{ level: 'error', event: 'recording.stopped', why: 'older', before: '1/2/3', now: '1/2/4', lacks: ['beat@1'] },
      msg: 'the database was restored, copied or promoted: nothing is recorded until `orderbridge resume` says how far it had got',
    },
  ],
  [
    'databaseMoved',
    (log) => events.databaseMoved(log, { place: '1/2/3', here: '1/2/4' }),
    {
      ...{ level: 'warn', event: 'database.promoted', before: '1/2/3', now: '1/2/4' },
      msg: 'a replica of the database was promoted, and lacks nothing that is known',
    },
  ],
  [
    'programTooOld',
    (log) => events.programTooOld(log, { schema: 'bridge' }),
    {
      ...{ level: 'error', event: 'database.newer', schema: 'bridge' },
      msg: 'the database was upgraded for newer programs than this one: start the newer program',
    },
  ],
  [
    'databaseUnwatched',
    (log) => events.databaseUnwatched(log, err),
    { level: 'warn', event: 'database.unwatched', ...wasBroken, msg: 'it can’t be seen whether the database is still the one that it was' },
  ],
  [
    'databaseUntested',
    (log) => events.databaseUntested(log, { version: '19.1', newest: 18 }),
    {
      ...{ level: 'warn', event: 'database.untested', version: '19.1' },
      msg: 'orderbridge was never run with PostgreSQL 19.1: the newest one that was is 18',
    },
  ],
  ['destinationPaused', (log) => events.destinationPaused(log, pause), { level: 'warn', ...paused, failures: 2, msg: 'a compliance destination is paused' }],
  [
    'destinationPaused',
    (log) => events.destinationPaused(log, { ...pause, code: 'compliance.misconfigured' }),
    { level: 'error', ...paused, code: 'compliance.misconfigured', failures: 2, msg: 'a compliance destination is paused' },
  ],
  [
    'destinationNotNoted',
    (log) => events.destinationNotNoted(log, err),
    {
      ...{ level: 'warn', event: 'destination.not-noted', ...wasBroken },
      msg: 'what an answer says of its destination could not be kept; the next answer says it again',
    },
  ],
  [
    'storePaused',
    (log) => events.storePaused(log, { ...storePause, since: 'then', leftMs: 1 }),
    { level: 'warn', event: 'store.paused', ...loggedPause, msg: 'the API of a store is paused' },
  ],
  [
    'storeReadAnew',
    (log) => events.storeReadAnew(log, { connectionId: 'c1', kind: 'changes', times: 1, why: 'it answered 410' }),
    {
      ...{ level: 'info', event: 'store.read-anew', connection: 'c1', kind: 'changes', times: 1, error: 'it answered 410' },
      msg: 'a store did not take the place where a page of its list ended: the list is read anew from its beginning',
    },
  ],
  [
    'storeReadAnew',
    (log) => events.storeReadAnew(log, { connectionId: 'c1', kind: 'changes', times: 2, why: 'it answered 410' }),
    {
      ...{ level: 'warn', event: 'store.read-anew', connection: 'c1', kind: 'changes', times: 2, error: 'it answered 410' },
      msg: 'a store did not take the place where a page of its list ended: the list is read anew from its beginning',
    },
  ],
  ...subscriptionEvents,
  ...grantEvents,
  [
    'unknownOrderNotLearned',
    (log) => events.unknownOrderNotLearned(log, { destinationId: 'd1', err }),
    {
      ...{ level: 'debug', event: 'unknown-order.not-learned', destinationId: 'd1', ...wasBroken },
      msg: 'how a compliance destination answers for an unknown order could not be learned',
    },
  ],
  [
    'documentNumbersNotRead',
    (log) => events.documentNumbersNotRead(log, { destinationId: 'd1', err }),
    {
      ...{ level: 'warn', event: 'document-numbers.not-read', destinationId: 'd1', ...wasBroken },
      msg: 'a module in a store got states without all document numbers',
    },
  ],
  ...readingEvents,
  [
    'swept',
    (log) => events.swept(log, { inbox: 1, recovered: 0, failed: 2 }),
    { level: 'info', event: 'swept', inbox: 1, recovered: 0, failed: 2, msg: 'put back what was left behind' },
  ],
  [
    'rowUnreadable',
    (log) => events.rowUnreadable(log, err, false),
    { level: 'error', event: 'row.unreadable', ...wasBroken, msg: 'a delivery can’t be read; it stays in the inbox, behind the others' },
  ],
  [
    'rowUnreadable',
    (log) => events.rowUnreadable(log, err, true),
    { level: 'error', event: 'row.unreadable', ...wasBroken, msg: 'a delivery can’t be read; it needs review' },
  ],
  [
    'probeFailed',
    (log) => events.probeFailed(log, { orderId: 7, err }),
    { level: 'error', event: 'probe.failed', order: 7, ...wasBroken, msg: 'an order could not probe its paused destination; the next one does' },
  ],
  [
    'deliveryUnrecordable',
    (log) => events.deliveryUnrecordable(log, { delivery: 'd7', connection: 'c1', detail: 'a TypeError' }),
    {
      ...{ level: 'error', event: 'delivery.unrecordable', delivery: 'd7', connection: 'c1', detail: 'a TypeError' },
      msg: 'a delivery can’t be recorded while others are; it needs review',
    },
  ],
  [
    'stopCutOff',
    (log) => events.stopCutOff(log, { part: 'queue mails', ms: 2_000 }),
    { level: 'warn', event: 'stop.cut-off', part: 'queue mails', ms: 2_000, msg: 'a part did not stop in its time, and is cut off' },
  ],
  [
    'variableMisspelt',
    (log) => events.variableMisspelt(log, { variable: 'PUBIC_URL', meant: 'PUBLIC_URL', words: 'PUBIC_URL is set, and nothing reads it' }),
    { level: 'warn', event: 'environment.misspelt', variable: 'PUBIC_URL', meant: 'PUBLIC_URL', msg: 'PUBIC_URL is set, and nothing reads it' },
  ],
  [
    'jobFailed',
    (log) => events.jobFailed(log, { queue: 'deliveries', job: '5', attempt: 2, err }),
    { level: 'error', event: 'job.failed', queue: 'deliveries', job: '5', attempt: 2, ...wasBroken, msg: 'a job failed; it is retried' },
  ],
  [
    'ground',
    (log) => events.ground(log, embedded),
    { level: 'info', dataDir: 'data', msg: 'DATABASE_URL is unset: the ledger is in an embedded PostgreSQL in DATA_DIR' },
  ],
  ['requestFailed', (log) => events.requestFailed(log, err, request), { level: 'error', ...wasBroken, ...request, msg: 'a request failed' }],
  [
    'adminRefused',
    (log) => events.adminRefused(log, { why: 'password', ...request, leftOut: 3 }),
    { level: 'warn', event: 'admin.refused', why: 'password', ...request, leftOut: 3, msg: 'a request to the dashboard was refused' },
  ],
  ['entryRefused', (log) => events.entryRefused(log, notLetIn), { level: 'warn', event: 'console.refused', ...notLetIn, msg: 'somebody was not let in' }],
  [
    'entryMailFailed',
    (log) => events.entryMailFailed(log, { why, err }),
    { level: 'error', event: 'console.mail-failed', why, ...wasBroken, msg: 'the mail with a link to sign in was not handed over' },
  ],
  [
    'adminOff',
    events.adminOff,
    { level: 'warn', event: 'admin.off', msg: 'the dashboard is off: ADMIN_TOKEN is too short, and could be guessed; `openssl rand -hex 16` makes one' },
  ],
  [
    'readinessChanged',
    (log) => events.readinessChanged(log, { ready: false, down: ['queue'], err }),
    { level: 'warn', event: 'readiness', ready: false, down: ['queue'], ...wasBroken, msg: 'something that is needed is down' },
  ],
  [
    'readinessChanged',
    (log) => events.readinessChanged(log, { ready: true, down: [] }),
    { level: 'info', event: 'readiness', ready: true, down: [], msg: 'everything that is needed is up again' },
  ],
  ['connectionBroke', (log) => events.connectionBroke(log, err), { level: 'warn', ...wasBroken, msg: 'an idle database connection broke' }],
  ['queueFailing', (log) => events.queueFailing(log, err), { level: 'warn', ...wasBroken, msg: 'the queue fails' }],
  [
    'inboxInsteadOfQueue',
    (log) => events.inboxInsteadOfQueue(log, err),
    { level: 'warn', ...wasBroken, msg: 'the queue does not take deliveries; the inbox table does' },
  ],
  [
    'sealedUnopened',
    (log) => events.sealedUnopened(log, { table: 'bridge.customers', column: 'data', id: '12' }),
    {
      ...{ level: 'error', event: 'sealed.unopened', table: 'bridge.customers', column: 'data', row: '12' },
      msg: 'a sealed row does not open; all else goes on',
    },
  ],
  [
    'keysNotRead',
    (log) => events.keysNotRead(log, err),
    { level: 'error', event: 'keys.not-read', ...wasBroken, msg: 'the data keys could not be read; those that are known are used' },
  ],
  [
    'databaseReadOnly',
    (log) => events.databaseReadOnly(log),
    {
      ...{ level: 'warn', event: 'database.read-only' },
      msg: 'the database takes no writes, as a standby: it is only read, and other processes do not see that this one runs',
    },
  ],
  [
    'listenerLost',
    (log) => events.listenerLost(log, err),
    { level: 'debug', ...wasBroken, msg: 'the listening connection is lost; connections are looked up again' },
  ],
  ...outstandingEvents,
  ...outboxJobEvents,
  ...attemptEvents,
];
