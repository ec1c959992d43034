import type { Log } from '../platform/log.ts';
import type { Pause } from './delivery/pauses.ts';
import type { Processed } from './delivery/process-order.ts';
import type { StorePause } from './delivery/store-calls.ts';
import type { WebhookAnswer } from './intake/webhook-router.ts';
import type { KeptGrants } from './reconciliation/keep-grants.ts';
import type { AnewEvent, SyncRunEvent } from './reconciliation/reading-deps.ts';
import type { WatchResult } from './reconciliation/watch-subscriptions.ts';

/**
 * Every line that the bridge writes to the log: name, level, fields and words, which operators' programs read. They are listed in
 * docs/reference/metrics-and-events.md, with the comments of these functions. Never secrets, never personal data.
 */

/** `opsPort` null: metrics and dashboard are on `port`. */
type Started = { role: string; host: string; port: number; opsPort: number | null; database: string; queue: string; compliance: string };

export function started(log: Log, { role, host, port, opsPort, database, queue, compliance }: Started): void {
  log.info({ event: 'started', role, host, port, opsPort, database, queue, compliance }, 'orderbridge is ready');
}

/** `delaySeconds`: how long requests are still taken, so that balancers see it first. */
export function stopping(log: Log, { signal, delaySeconds }: { signal: unknown; delaySeconds: number }): void {
  log.info({ event: 'stopping', signal, delaySeconds }, 'stopping: what runs is finished');
}

export function stopped(log: Log): void {
  log.info({ event: 'stopped' }, 'stopped');
}

export function stopCutOff(log: Log, { part, ms }: { part: string; ms: number }): void {
  log.warn({ event: 'stop.cut-off', part, ms }, 'a part did not stop in its time, and is cut off');
}

/** What a process runs on, logged before it starts. */
export type Ground = { database: 'embedded' | 'external'; dataDir: string; queue: 'redis' | 'postgres'; complianceUrl: string | null };

export function ground(log: Log, { database, dataDir, queue, complianceUrl }: Ground): void {
  if (database === 'embedded') log.info({ dataDir }, 'DATABASE_URL is unset: the ledger is in an embedded PostgreSQL in DATA_DIR');
  else log.info('the ledger is in the PostgreSQL of DATABASE_URL');
  if (queue === 'postgres') log.info('REDIS_URL is unset: BullMQ runs on PostgreSQL, in the database of the ledger; set REDIS_URL for production');
  else log.info('BullMQ runs on the Redis of REDIS_URL');
  if (complianceUrl === null) log.info('COMPLIANCE_API_URL is unset: the embedded compliance service is used');
  else log.info({ baseUrl: complianceUrl }, 'records go to the compliance service of COMPLIANCE_API_URL');
}

/** `variable` is set, and nothing reads it; `meant`: the one that may be meant, or null. */
export function variableMisspelt(log: Log, { variable, meant, words }: { variable: string; meant: string | null; words: string }): void {
  log.warn({ event: 'environment.misspelt', variable, meant }, words);
}

/** `code`: why it was refused. `requestId`: of `X-Request-Id`, or new; it is in the answer, too. */
export function webhookAnswered(log: Log, { platform, connectionId, orderId, code, what, ms, requestId, client, err }: WebhookAnswer): void {
  const event = { event: 'webhook', platform, connection: connectionId, orderId, code, what, ms, requestId, client, ...(err === undefined ? {} : { err }) };
  if (code === null) log.info(event, 'webhook accepted');
  else log.warn(event, 'webhook refused');
}

/** At most one a minute; `leftOut`: how many before this one were not written. */
export function tracesNotSent(log: Log, { words, leftOut }: { words: string; leftOut: number }): void {
  log.warn({ event: 'traces.not-sent', why: words, leftOut }, 'spans could not be sent to the collector of OTEL_EXPORTER_OTLP_ENDPOINT, and are lost');
}

/** Of each connection, and of unknown addresses together, five refusals a second have a line of their own. */
export function refusalsNotLogged(log: Log, { count }: { count: number }): void {
  log.warn({ event: 'webhook.not-logged', count }, 'webhooks were refused so often that these were only counted');
}

export function trafficNotWritten(log: Log, err: unknown): void {
  // The name that it had when only answers 429 were counted.
  log.debug({ event: 'throttled.not-counted', err }, 'what became of webhooks is written later');
}

export function deliveriesRecorded(log: Log, { deliveries, ms }: { deliveries: number; ms: number }): void {
  log.debug({ event: 'deliveries.recorded', deliveries, ms });
}

// In the words that operators' programs know.
const outcomes = { rest: 'rest', again: 'again', paused: 'paused', fetch: 'fetch', missing: 'missing' } as const satisfies Record<Processed['kind'], string>;

/** One line for each attempt at an order; `warn` if it needs a person. */
export function orderProcessed(log: Log, { orderId, ms, processed }: { orderId: number; ms: number; processed: Processed }): void {
  const { key, connectionId: connection } = processed.order ?? {};
  const event = { event: 'order.processed', order: orderId, ...key, connection, ms, outcome: outcomes[processed.kind] };
  switch (processed.kind) {
    case 'rest': {
      const { state, detail, recordedMs, receipt } = processed;
      const needsPerson = state === 'review' || state === 'unconfirmed' || receipt === 'refused';
      return log[needsPerson ? 'warn' : 'info']({ ...event, state, detail, recordedMs, receipt }, `order ${state === 'review' ? 'needs review' : state}`);
    }
    case 'again':
      return log.info({ ...event, why: processed.why, againMs: processed.ms }, 'order will be looked at again');
    case 'paused':
      return log.debug({ ...event, why: processed.why }, 'order waits for its destination');
    case 'fetch':
      return log.debug({ ...event, host: processed.host }, 'order waits for a call of its store');
    case 'missing':
      return log.warn(event, 'a job names an order that is not in the ledger');
  }
}

export function destinationPaused(log: Log, { destinationId, shopId, callType, code, detail, until, failures }: Pause): void {
  // Only a person can fix that.
  const level = code === 'compliance.misconfigured' ? 'error' : 'warn';
  log[level]({ event: 'destination.paused', destinationId, shopId, callType, code, detail, until, failures }, 'a compliance destination is paused');
}

export function destinationNotNoted(log: Log, err: unknown): void {
  log.warn({ event: 'destination.not-noted', err }, 'what an answer says of its destination could not be kept; the next answer says it again');
}

/** With `connection`, only calls with its key are paused. */
export function storePaused(log: Log, { host, connectionId: connection, code, detail, until, failures }: StorePause): void {
  log.warn({ event: 'store.paused', host, connection, code, detail, until, failures }, 'the API of a store is paused');
}

// One line where webhooks of a store were repaired, and one where it changed what is wrong with them, or they could not be listed.
export function subscriptionsWatched(log: Log, { connectionId: connection, watched }: { connectionId: string; watched: WatchResult }): void {
  if (watched.kind === 'not-listed') {
    const { code, detail } = watched;
    return log.warn({ event: 'subscriptions.not-listed', connection, code, detail }, 'a store did not list its webhooks');
  }
  const { before, problems, repaired, stopped } = watched;
  const named = (of: readonly { topic: string; kind: string }[]) => of.map(({ topic, kind }) => `${topic} ${kind}`);
  if (repaired.length > 0) log.info({ event: 'subscriptions.repaired', connection, topics: repaired }, 'webhooks of a store were made anew');
  const now = named(problems);
  if (now.join() === named(before).join()) return;
  if (now.length > 0) log.warn({ event: 'subscriptions.broken', connection, problems: now, stopped }, 'something is wrong with the webhooks of a store');
  else if (repaired.length === 0) log.info({ event: 'subscriptions.right', connection }, 'the webhooks of a store are right again');
}

export function watchFailed(log: Log, { connectionId: connection, err }: { connectionId: string | null; err: unknown }): void {
  log.error({ event: 'subscriptions.failed', connection, err }, 'looking after the webhooks of a store failed; it is retried');
}

export function unknownOrderNotLearned(log: Log, { destinationId, err }: { destinationId: string; err: unknown }): void {
  log.debug({ event: 'unknown-order.not-learned', destinationId, err }, 'how a compliance destination answers for an unknown order could not be learned');
}

export function documentNumbersNotRead(log: Log, { destinationId, err }: { destinationId: string; err: unknown }): void {
  log.warn({ event: 'document-numbers.not-read', destinationId, err }, 'a module in a store got states without all document numbers');
}

export function swept(log: Log, { inbox, recovered, failed }: { inbox: number; recovered: number; failed: number }): void {
  if (inbox + recovered + failed > 0) log.info({ event: 'swept', inbox, recovered, failed }, 'put back what was left behind');
}

/** `err` names table, id and field, never a value. */
export function rowUnreadable(log: Log, err: Error, review: boolean): void {
  const becomes = review ? 'it needs review' : 'it stays in the inbox, behind the others';
  log.error({ event: 'row.unreadable', err }, `a delivery can’t be read; ${becomes}`);
}

export function probeFailed(log: Log, { orderId, err }: { orderId: number; err: unknown }): void {
  log.error({ event: 'probe.failed', order: orderId, err }, 'an order could not probe its paused destination; the next one does');
}

export type FailedJob = { queue: string | undefined; job: string | undefined; attempt?: number | undefined; err: Error };

export function jobFailed(log: Log, { queue, job, attempt, err }: FailedJob): void {
  log.error({ event: 'job.failed', queue, job, attempt, err }, 'a job failed; it is retried');
}

/** `detail`: class and code of the error, never its message. */
export function deliveryUnrecordable(log: Log, { delivery, connection, detail }: { delivery: string; connection: string; detail: string }): void {
  log.error({ event: 'delivery.unrecordable', delivery, connection, detail }, 'a delivery can’t be recorded while others are; it needs review');
}

type AboutRequest = { method: string; client: string | null; requestId: string };

/** `requestId` `background`: many orders were being released or resolved behind an answer. */
export function requestFailed(log: Log, err: unknown, { method, client, requestId }: AboutRequest): void {
  log.error({ err, method, client, requestId }, 'a request failed');
}

type AboutEntry = Omit<AboutRequest, 'method'> & { why: string; person: string | null; leftOut: number };

/**
 * In the console and on merchants’ pages. `why`: `wrong` (address, password or code), `throttled`, `link`, `forbidden` (by the role), `foreign` (a form of
 * another site), or `oidc: CODE`. `person`: the id of who is signed in; who they said they were is not logged. At most 20 lines a minute.
 */
export function entryRefused(log: Log, { why, person, client, requestId, leftOut }: AboutEntry): void {
  log.warn({ event: 'console.refused', why, person, client, requestId, leftOut }, 'somebody was not let in');
}

export function entryMailFailed(log: Log, { why, err }: { why: string; err?: unknown }): void {
  log.error({ event: 'console.mail-failed', why, ...(err === undefined ? {} : { err }) }, 'the mail with a link to sign in was not handed over');
}

/** `why`: `password`, `throttled`, `foreign`, `type` or `method`. At most 20 lines a minute; `leftOut`: how many before this one were not written. */
export function adminRefused(log: Log, { why, method, client, requestId, leftOut }: AboutRequest & { why: string; leftOut: number }): void {
  log.warn({ event: 'admin.refused', why, method, client, requestId, leftOut }, 'a request to the dashboard was refused');
}

export function adminOff(log: Log): void {
  log.warn({ event: 'admin.off' }, 'the dashboard is off: ADMIN_TOKEN is too short, and could be guessed; `openssl rand -hex 16` makes one');
}

/** Logged when it changes, at a request of `/readyz`; `down`: the names of what is down, `err` the reason of the first. */
export function readinessChanged(log: Log, { ready, down, err }: { ready: boolean; down: string[]; err?: unknown }): void {
  if (ready) log.info({ event: 'readiness', ready, down }, 'everything that is needed is up again');
  else log.warn({ event: 'readiness', ready, down, err }, 'something that is needed is down');
}

/** `why`: moved, older or copied. `lacks`: names of what the database had once and has no more. */
export function recordingStopped(log: Log, { why, place, lacks }: { why: string; place: { place: string; here: string }; lacks: string[] }): void {
  const fields = { event: 'recording.stopped', why, before: place.place, now: place.here, lacks: lacks.slice(0, 5) };
  log.error(fields, 'the database was restored, copied or promoted: nothing is recorded until `orderbridge resume` says how far it had got');
}

/** It records on: each commit was on a replica before it was answered. */
export function databaseMoved(log: Log, { place, here }: { place: string; here: string }): void {
  log.warn({ event: 'database.promoted', before: place, now: here }, 'a replica of the database was promoted, and lacks nothing that is known');
}

/** A server stops. */
export function programTooOld(log: Log, { schema }: { schema: string }): void {
  log.error({ event: 'database.newer', schema }, 'the database was upgraded for newer programs than this one: start the newer program');
}

/** Logged once, until it can be seen again. */
export function databaseUnwatched(log: Log, err: unknown): void {
  log.warn({ event: 'database.unwatched', err }, 'it can’t be seen whether the database is still the one that it was');
}

/** A version of PostgreSQL that orderbridge was never run with. */
export function databaseUntested(log: Log, { version, newest }: { version: string; newest: number }): void {
  log.warn({ event: 'database.untested', version }, `orderbridge was never run with PostgreSQL ${version}: the newest one that was is ${newest}`);
}

export function connectionBroke(log: Log, err: unknown): void {
  log.warn({ err }, 'an idle database connection broke');
}

export function queueFailing(log: Log, err: unknown): void {
  log.warn({ err }, 'the queue fails');
}

export function inboxInsteadOfQueue(log: Log, err: unknown): void {
  log.warn({ err }, 'the queue does not take deliveries; the inbox table does');
}

export function listenerLost(log: Log, err: unknown): void {
  log.debug({ err }, 'the listening connection is lost; connections are looked up again');
}

/** `orders` 0: all are recorded. */
export function outstandingReported(log: Log, { shopId, orders }: { shopId: string; orders: number }): void {
  log.info({ event: 'outstanding.reported', shop: shopId, orders }, 'paid orders that are not recorded were reported to the compliance service');
}

export function outstandingNotReported(log: Log, { shopId, why }: { shopId: string; why: string }): void {
  log.warn({ event: 'outstanding.not-reported', shop: shopId, why }, 'paid orders that are not recorded could not be reported; it is retried');
}

/** `kind`: `forget-buyer`, or `delivered`. */
export function outboxJobDone(log: Log, { orderId, kind }: { orderId: number; kind: string }): void {
  log.debug({ event: 'outbox-job.done', order: orderId, kind }, 'the compliance service took a message about a record');
}

export function outboxJobNotDone(log: Log, { orderId, kind, why }: { orderId: number; kind: string; why: string }): void {
  log.warn({ event: 'outbox-job.not-done', order: orderId, kind, why }, 'the compliance service did not take a message about a record; it is retried');
}

export function notesSwitchedOff(log: Log, { connectionId: connection, why }: { connectionId: string; why: string }): void {
  log.warn({ event: 'notes.switched-off', connection, why }, 'the key of a store may not write: no notes are written to its orders any more');
}

/**
 * Once for each row. What was sealed there was changed, moved from another row, or sealed with a key that the database does not have, as after a restore.
 * `row`: its id; null: it is a hash.
 */
export function sealedUnopened(log: Log, { table, column, id }: { table: string; column: string; id: string | null }): void {
  log.error({ event: 'sealed.unopened', table, column, row: id }, 'a sealed row does not open; all else goes on');
}

export function keysNotRead(log: Log, err: unknown): void {
  log.error({ event: 'keys.not-read', err }, 'the data keys could not be read; those that are known are used');
}

export function databaseReadOnly(log: Log): void {
  log.warn({ event: 'database.read-only' }, 'the database takes no writes, as a standby: it is only read, and other processes do not see that this one runs');
}

/** `kind` null: it is not known which are due. */
export function jobsFailed(log: Log, { kind, err }: { kind: string | null; err: unknown }): void {
  log.error({ event: 'jobs.failed', kind, err }, 'background jobs could not be read, run or kept; they are retried');
}

export function storeNotRead(log: Log, { shopId, month, err }: { shopId: string; month: string; err: unknown }): void {
  log.error({ event: 'month.not-read', shop: shopId, month, err }, 'the store could not be read for the month; its file is made all the same');
}

/**
 * Orders: `seen` in the store, `unknown` or `stale` here, `handed` to the recorder, `missed` by webhooks, `gone` in the store, `unread`: not read whole.
 * `error`: why it ended early, without what the store sent.
 */
export function storeSynced(log: Log, { connectionId: connection, end, ms }: SyncRunEvent): void {
  const { at: _at, kind, why, error, ...counts } = end;
  const event = { event: 'store.synced', connection, kind, why, ...counts, ms, error };
  if (error !== null) return log.warn(event, 'a store could not be read by its API; what was read is kept');
  if (counts.missed > 0) return log.warn(event, 'webhooks did not tell of paid orders; they were found by reading the store');
  if (counts.unread > 0) return log.warn(event, 'orders of a store could not be read; the daily reading tries them again');
  log[counts.handed > 0 ? 'info' : 'debug'](event, 'a store was read by its API');
}

/** `warn` from the second time at one place. */
export function storeReadAnew(log: Log, { connectionId: connection, kind, times, why: error }: AnewEvent): void {
  const words = 'a store did not take the place where a page of its list ended: the list is read anew from its beginning';
  log[times > 1 ? 'warn' : 'info']({ event: 'store.read-anew', connection, kind, times, error }, words);
}

export function fetchFailed(log: Log, { orderId, err }: { orderId: number; err: unknown }): void {
  log.error({ event: 'fetch.failed', order: orderId, err }, 'an attempt that calls a store failed; its order is processed again');
}

/** `order`: null if not even that could be read. `attempt`: of this process, since the order was processed well. */
export function attemptFailed(log: Log, { orderId, attempt, err }: { orderId: number | null; attempt: number; err: unknown }): void {
  log.error({ event: 'attempt.failed', order: orderId, attempt, err }, 'an attempt at an order failed; it is processed again');
}

export function claimFailed(log: Log, err: unknown): void {
  log.warn({ event: 'claim.failed', err }, 'orders that are due could not be claimed; this is retried');
}

/**
 * `renewed`; `refused` by their stores, whose merchants are mailed; `left`: retried within the hour, because the store was paused or gave no answer.
 */
export function grantsKept(log: Log, { renewed, refused, left }: KeptGrants): void {
  if (renewed + refused + left === 0) return;
  const level = refused > 0 ? 'warn' : 'info';
  log[level]({ event: 'grants.kept', renewed, refused, left }, 'grants of merchants that nothing had renewed for a day');
}

export function grantFailed(log: Log, { connectionId: connection, err }: { connectionId: string | null; err: unknown }): void {
  log.error({ event: 'grant.failed', connection, err }, 'renewing the grant of a merchant failed; it is retried within the hour');
}

/** The app was installed again, and the connection stays. */
export function uninstalledLate(log: Log, connection: string): void {
  log.info({ event: 'uninstalled.late', connection }, 'word came that the app was uninstalled, and the store still lets it in: it was left alone');
}
