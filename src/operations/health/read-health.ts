import { mailChannelName } from '../../bridge/alerts/channel.ts';
import { brokenChannels } from '../../bridge/ledger/alerts/alert-outbox.ts';
import { inspectDatabase } from '../../bridge/ledger/migrate-ledger.ts';
import { MOST_PENDING, type PendingOf } from '../../bridge/ledger/orders/pending-orders.ts';
import { type UndoneOutboxJobs, undoneOutboxJobs } from '../../bridge/ledger/outbox-job-store.ts';
import { inboxAge } from '../../bridge/ledger/review/review-groups.ts';
import type { Config } from '../../config/config.ts';
import { counted, form } from '../../contract/plural.ts';
import { errorWords } from '../../platform/error-words.ts';
import { redisSettings } from '../../platform/queue/redis-settings.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { type CheckCode, checkCodes } from './check-codes.ts';
import { type FailedCheck, failedCheck, type HealthStatus } from './health-status.ts';
import { concernedBy, pauseReader, shopReader } from './read-destinations.ts';
import { dashboardReader, databaseReader, diskReader, outsideCodes, restartsReader, serverReader } from './read-machine.ts';
import { companyReader, monthReader, rateReader, serviceReader, waitingCompanyReader } from './read-service.ts';
import { appReader, secretReader, storeReader, trialReader, unreadOrderReader } from './read-stores.ts';
import { hostReader, refusalReader, silenceReader, subscriptionReader, unreadWebhookReader, waitingReader } from './read-webhooks.ts';
import { type HealthDeps, type Reader, type Round, startRound, type WatchedQueue } from './round.ts';

const ANSWER_MS = 5_000;

/** Whether the queue answers, keeps what it was given, and is worked on. */
const queueReader: Reader = {
  codes: ['queue.down', 'queue.unsafe', 'queue.paused', 'backlog.old'],
  async read(round) {
    const { queues } = round;
    try {
      const [unsafe, paused, stuck] = await Promise.all([
        unsafeRedis(round),
        Promise.all(queues.every.map(pausedQueue)),
        stuckDeliveries(round),
        queues.system.ping(PING_MS),
      ]);
      return [...paused.flat(), ...unsafe, ...stuck];
    } catch (thrown) {
      return [failedCheck('queue.down', { words: queueDownWords(round, thrown) })];
    }
  },
};

/** What needs no database of ours. */
const besideDatabase = {
  queue: queueReader,
  disk: diskReader,
  restarts: restartsReader,
  dashboard: dashboardReader,
  outside: { codes: outsideCodes, read: ({ outside }: Round) => outside() },
} satisfies Record<string, Reader>;

/** Orders and webhooks that are due, that no pause explains, and that nobody works on. */
const backlogReader: Reader = {
  codes: ['backlog.old'],
  read: async (round) => [...(await oldOrders(round)), ...(await oldInbox(round))],
};

/** Channels of alerts that take none: the others tell it. */
const alertReader: Reader = {
  codes: ['alerts.broken'],
  async read({ pool, config }) {
    const broken = await brokenChannels(pool);
    return broken
      .filter(({ channel }) => mayBeUsed(config, channel))
      .map(({ channel, failed, since }) => {
        const words = `${channel}: ${counted.en(failed, 'alert', 'alerts')} could not be sent, and none has been since; \`orderbridge alerts test\` says why`;
        return failedCheck('alerts.broken', { subject: channel, count: failed, since, words, verb: 'alerts test' });
      });
  },
};

/** Buyers that were erased here and that a compliance service still has, and deliveries that it was not told of. */
const outboxJobReader: Reader = {
  codes: ['privacy.not-forgotten', 'deliveries.not-reported'],
  read: async ({ pool }) => (await undoneOutboxJobs(pool)).map((undone) => (undone.kind === 'forget-buyer' ? notForgotten(undone) : notTold(undone))),
};

const inDatabase = {
  database: databaseReader,
  server: serverReader,
  'compliance services': pauseReader,
  'compliance shops': shopReader,
  secrets: secretReader,
  apps: appReader,
  'store APIs': storeReader,
  trials: trialReader,
  'unread orders': unreadOrderReader,
  subscriptions: subscriptionReader,
  'refused webhooks': refusalReader,
  'silent stores': silenceReader,
  'orders that wait for a person': waitingReader,
  'webhooks in review': unreadWebhookReader,
  'quarantined hosts': hostReader,
  backlog: backlogReader,
  months: monthReader,
  'erased buyers and deliveries': outboxJobReader,
  'mails and paid orders': serviceReader,
  'exchange rates': rateReader,
  companies: companyReader,
  'companies of merchants': waitingCompanyReader,
  alerts: alertReader,
} satisfies Record<string, Reader>;

/** Whether all is well, and why not. Never rejects: what does not answer within 5 s is a failed check itself, and holds up nothing else. */
export async function readHealth(deps: HealthDeps): Promise<HealthStatus> {
  const round = startRound(deps);
  const beside = ask(besideDatabase, round);
  const down = await databaseDown(round);
  const failedChecks = down === null ? [...(await ask(inDatabase, round)), ...(await beside)] : [down, ...(await beside)];
  return healthOf(failedChecks, round.now);
}

/** The health status that these failed checks make; `now`: ms since 1970. */
function healthOf(failedChecks: readonly FailedCheck[], now: number): HealthStatus {
  const sorted = failedChecks.toSorted((a, b) => rank(a) - rank(b));
  return { health: sorted[0]?.level ?? 'ok', at: new Date(now).toISOString(), failedChecks: sorted };
}

/** A database that could not even be opened, and all that depends on it. */
export function databaseDownHealth(thrown: unknown): HealthStatus {
  return healthOf([downCheck(thrown)], Date.now());
}

/**
 * The codes whose source did not answer, or not all of it: that a failed check of them is absent from this health status does not mean that its trouble is over.
 */
export function notAsked({ failedChecks }: HealthStatus): ReadonlySet<CheckCode> {
  const readers: Readonly<Record<string, Reader>> = { ...besideDatabase, ...inDatabase };
  const silent = failedChecks.flatMap(({ code, subject }) => (code === 'check.failed' ? [readers[subject ?? '']] : []));
  if (failedChecks.some(({ code }) => code === 'database.down')) silent.push(...Object.values(inDatabase));
  if (failedChecks.some(({ code }) => code === 'queue.down')) silent.push(queueReader);
  return new Set(silent.flatMap((reader) => reader?.codes ?? []));
}

const order = Object.keys(checkCodes);

/** Failing before attention, then as in the table of codes. */
function rank({ level, code }: FailedCheck): number {
  return (level === 'failing' ? 0 : order.length) + order.indexOf(code);
}

async function databaseDown({ pool }: Round): Promise<FailedCheck | null> {
  try {
    await withTimeout(ANSWER_MS, inspectDatabase(pool));
    return null;
  } catch (thrown) {
    return downCheck(thrown);
  }
}

function downCheck(thrown: unknown): FailedCheck {
  return failedCheck('database.down', { words: `the database can’t be used (${errorWords(thrown)}); check DATABASE_URL, and that PostgreSQL runs` });
}

async function ask(readers: Readonly<Record<string, Reader>>, round: Round): Promise<FailedCheck[]> {
  return (await Promise.all(Object.entries(readers).map(([name, reader]) => askOne(name, reader, round)))).flat();
}

async function askOne(name: string, reader: Reader, round: Round): Promise<FailedCheck[]> {
  try {
    return await withTimeout(ANSWER_MS, reader.read(round));
  } catch (thrown) {
    if (reader === queueReader) return [failedCheck('queue.down', { words: queueDownWords(round, thrown) })];
    return [failedCheck('check.failed', { subject: name, words: `${name}: this could not be checked (${errorWords(thrown)})`, verb: 'doctor' })];
  }
}

/** What takes longer than this waits for something that nobody mends. */
const LATE_MS = 15 * 60_000;

async function oldOrders(round: Round): Promise<FailedCheck[]> {
  const [all, pending, pauses] = await Promise.all([round.all(), round.pending(), round.pauses()]);
  const late = all.flatMap((connection) => {
    const of = pending.get(connection.id);
    const callTypes = new Set(pauses.filter((pause) => concernedBy(pause, connection)).map(({ callType }) => callType));
    return of === undefined ? [] : lateOf(of, callTypes, round.now);
  });
  if (late.length === 0) return [];
  const count = late.reduce((sum, { orders }) => sum + orders, 0);
  const since = late.map(({ due }) => due).toSorted()[0] ?? null;
  const isMore = late.some(({ orders }) => orders >= MOST_PENDING);
  const words = `${isMore ? 'more than ' : ''}${counted.en(count, 'order is', 'orders are')} pending, the oldest since ${since ?? ''}, and no pause says why: is a worker running? The log of the workers says more`;
  return [failedCheck('backlog.old', { subject: 'orders', count, since, words, verb: 'orders --state queued' })];
}

/** A pause of records keeps receipts waiting, too. */
function lateOf({ records, receipts, recordsDue, receiptsDue }: PendingOf, callTypes: ReadonlySet<string>, now: number): { orders: number; due: string }[] {
  if (callTypes.has('records')) return [];
  const parts = [
    { orders: records, due: recordsDue },
    { orders: receipts, due: callTypes.has('receipts') ? null : receiptsDue },
  ];
  return parts.flatMap(({ orders, due }) => (due !== null && now - Date.parse(due) >= LATE_MS ? [{ orders, due }] : []));
}

async function oldInbox({ pool, now }: Round): Promise<FailedCheck[]> {
  const { count, oldest } = await inboxAge(pool);
  if (oldest === null || now - Date.parse(oldest) < LATE_MS) return [];
  const words = `${counted.en(count, 'webhook waits', 'webhooks wait')} in the inbox table since ${oldest}: the queue is down, or no worker runs`;
  return [failedCheck('backlog.old', { subject: 'inbox', count, since: oldest, words, verb: 'queues' })];
}

const PING_MS = 1_500;

function queueDownWords({ queues: { system } }: Pick<Round, 'queues'>, thrown: unknown): string {
  const refusal = thrown instanceof Error ? /^(OOM|NOPERM) /.exec(thrown.message)?.[1] : undefined;
  if (refusal === 'OOM') return `Redis is full (${errorWords(thrown)}); give it more memory (maxmemory)`;
  if (refusal === 'NOPERM') return `Redis refuses a command (${errorWords(thrown)}); give the user of REDIS_URL the rights that docs/operate.md names`;
  return `no answer (${errorWords(thrown)}); check ${system.redis === null ? 'DATABASE_URL, where the queue is' : 'REDIS_URL, and that Redis runs'}`;
}

async function unsafeRedis({ queues: { system } }: Round): Promise<FailedCheck[]> {
  if (system.redis === null) return [];
  const { version, problems } = await redisSettings(system.redis);
  return problems.length === 0 ? [] : [failedCheck('queue.unsafe', { words: `Redis ${version}: ${problems.join('; ')}` })];
}

async function pausedQueue(queue: WatchedQueue): Promise<FailedCheck[]> {
  if (!(await queue.isPaused())) return [];
  return [
    failedCheck('queue.paused', { subject: queue.name, words: `${queue.name} is paused: nothing is taken from it`, verb: `queues --resume ${queue.name}` }),
  ];
}

/** Without a worker, accepted webhooks wait here, and no order is known that could be pending. */
async function stuckDeliveries({ queues: { deliveries }, now }: Round): Promise<FailedCheck[]> {
  const [oldest] = await deliveries.getJobs(['waiting'], 0, 0, true);
  if (oldest === undefined || now - oldest.timestamp < LATE_MS) return [];
  const since = new Date(oldest.timestamp).toISOString();
  const { waiting = 0 } = await deliveries.getJobCounts('waiting');
  const words = `webhooks have been waiting on the queue since ${since}: is a worker running?`;
  return [failedCheck('backlog.old', { subject: 'deliveries', count: waiting, since, words, verb: 'queues' })];
}

function notForgotten({ problem, destinationId: subject, count, since, records, detail }: UndoneOutboxJobs): FailedCheck {
  const whose = `the ${form.en(count, 'buyer of 1 order was', `buyers of ${count} orders were`)} erased here, and the compliance service`;
  const which = `${records.join(', ')}${count > records.length ? ' and others' : ''}`;
  const why =
    problem === 'failed'
      ? failed(detail)
      : `can’t be told by a program (COMPLIANCE_FORGETS_BUYERS): ask its operator to forget the buyers of its orders ${which}`;
  return failedCheck('privacy.not-forgotten', { subject, count, since, words: `${whose} ${why}` });
}

function notTold({ problem, destinationId: subject, count, since, detail }: UndoneOutboxJobs): FailedCheck {
  const which = `${counted.en(count, 'order was', 'orders were')} delivered, and the compliance service`;
  const why = problem === 'failed' ? failed(detail) : 'takes no deliveries (COMPLIANCE_DELIVERED): set `monthBy` to `order`';
  return failedCheck('deliveries.not-reported', { subject, count, since, words: `${which} ${why}` });
}

function failed(detail: string | null): string {
  return `could not be told since (${detail ?? 'no answer'}); it is tried again by itself`;
}

/** One that was taken out of the configuration is not broken. Who has no channel at all, such as a receiver, does not know which there are. */
function mayBeUsed({ alerts }: Pick<Config, 'alerts'>, channel: string): boolean {
  const { mailTo = [], slackUrl = null, webhook = null } = alerts ?? {};
  const used = [...mailTo.map((_, place) => mailChannelName(place)), ...(slackUrl === null ? [] : ['slack']), ...(webhook === null ? [] : ['webhook'])];
  return used.length === 0 || used.includes(channel);
}
