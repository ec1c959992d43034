import { concerns } from '../../../bridge/delivery/pauses.ts';
import { MOST_PENDING, type PendingOf } from '../../../bridge/ledger/orders/pending-orders.ts';
import { inboxAge } from '../../../bridge/ledger/review/review-groups.ts';
import { counted } from '../../../contract/plural.ts';
import { errorWords } from '../../../platform/error-words.ts';
import { redisSettings } from '../../../platform/queue/redis-settings.ts';
import { type Check, type Codes, destination, failedBy, orders, wait, webhooks } from '../check.ts';
import type { FailedCheck } from '../health-status.ts';
import type { Round, WatchedQueue } from '../round.ts';

export const codes = {
  'queue.down': {
    level: 'failing',
    what: 'queue',
    en: 'The queue does not answer: webhooks wait in the database, and only what was recorded before is submitted.',
    bg: 'Опашката не отговаря: известията чакат в базата данни и се подава само записаното преди това.',
  },
  'queue.paused': {
    level: 'failing',
    what: 'queue',
    en: 'Somebody paused a queue: nothing is taken from it.',
    bg: 'Някой е спрял опашка: нищо не се взема от нея.',
    bgOf: ({ subject }) => `Някой е спрял опашката ${subject ?? ''}: нищо не се взема от нея.`,
    action: () => destination({ verb: null }),
  },
  'queue.unsafe': {
    level: 'attention',
    what: 'queue',
    en: 'Redis can lose webhooks that were accepted, or no replica confirms them.',
    bg: 'Приети известия може да се загубят в Redis или няма реплика, която да ги потвърждава.',
    isWrong: true,
  },
  'backlog.old': {
    level: 'attention',
    what: 'backlog',
    en: 'Work has been waiting for longer than it should.',
    bg: 'Работа чака по-дълго, отколкото трябва.',
    isWrong: true,
    bgOf: lateInBulgarian,
  },
} as const satisfies Codes;

const failed = failedBy(codes);

function lateInBulgarian({ subject, count }: FailedCheck): string {
  if (subject === 'inbox') return `${webhooks(count)} ${wait(count)} в базата данни: опашката не отговаря или не работи работен процес.`;
  if (subject === 'deliveries') return 'Известия чакат на опашката: не работи работен процес.';
  return `${orders(count)} ${wait(count)} по-дълго, отколкото трябва: не работи работен процес.`;
}

/** Whether the queue answers, keeps what it was given, and is worked on. */
export const queueCheck: Check = {
  name: 'queue',
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
      return [queueDown(round, thrown)];
    }
  },
  async remarks({ queues: { system } }) {
    if (system.redis === null) return [{ what: 'queue', words: 'BullMQ runs on PostgreSQL, because REDIS_URL is unset; for production set it' }];
    const { version, remarks } = await redisSettings(system.redis);
    const words = remarks.length > 0 ? remarks.join('; ') : 'appendonly yes, appendfsync always, noeviction';
    return [{ what: 'queue', words: `Redis ${version}: ${words}`, isNote: remarks.length > 0 }];
  },
};

/** Orders and webhooks that are due, that no pause explains, and that nobody works on. */
export const backlogCheck: Check = {
  name: 'backlog',
  codes: ['backlog.old'],
  read: async (round) => [...(await oldOrders(round)), ...(await oldInbox(round))],
};

/** What takes longer than this waits for something that nobody mends. */
const LATE_MS = 15 * 60_000;

async function oldOrders(round: Round): Promise<FailedCheck[]> {
  const [all, pending, pauses] = await Promise.all([round.all(), round.pending(), round.pauses()]);
  const late = all.flatMap((connection) => {
    const of = pending.get(connection.id);
    const callTypes = new Set(pauses.filter((pause) => concerns(pause, connection)).map(({ callType }) => callType));
    return of === undefined ? [] : lateOf(of, callTypes, round.now);
  });
  if (late.length === 0) return [];
  const count = late.reduce((sum, { orders }) => sum + orders, 0);
  const since = late.map(({ due }) => due).toSorted()[0] ?? null;
  const isMore = late.some(({ orders }) => orders >= MOST_PENDING);
  const words = `${isMore ? 'more than ' : ''}${counted.en(count, 'order is', 'orders are')} pending, the oldest since ${since ?? ''}, and no pause says why: is a worker running? The log of the workers says more`;
  return [failed('backlog.old', { subject: 'orders', count, since, words, verb: 'orders --state queued' })];
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
  return [failed('backlog.old', { subject: 'inbox', count, since: oldest, words, verb: 'queues' })];
}

const PING_MS = 1_500;

export function queueDown({ queues }: Pick<Round, 'queues'>, thrown: unknown): FailedCheck {
  return failed('queue.down', { words: queueDownWords({ queues }, thrown) });
}

function queueDownWords({ queues: { system } }: Pick<Round, 'queues'>, thrown: unknown): string {
  const refusal = thrown instanceof Error ? /^(OOM|NOPERM|NOREPLICAS) /.exec(thrown.message)?.[1] : undefined;
  if (refusal === 'OOM') return `Redis is full (${errorWords(thrown)}); give it more memory (maxmemory)`;
  if (refusal === 'NOPERM') return `Redis refuses a command (${errorWords(thrown)}); give the user of REDIS_URL the rights of ops/redis.acl`;
  if (refusal === 'NOREPLICAS') return `Redis takes no writes while its replica is gone (${errorWords(thrown)}); set min-replicas-to-write 0`;
  return `no answer (${errorWords(thrown)}); check ${system.redis === null ? 'DATABASE_URL, where the queue is' : 'REDIS_URL, and that Redis runs'}`;
}

const KEPT = 'each webhook is kept in the database, too, until it is recorded; start a replica, and allow WAIT to the user of REDIS_URL';

async function unsafeRedis({ queues: { system } }: Round): Promise<FailedCheck[]> {
  if (system.redis === null) return [];
  const { version, problems } = await redisSettings(system.redis);
  await system.confirmed(() => system.ping(PING_MS)).catch((thrown: unknown) => problems.push(`${errorWords(thrown)}: ${KEPT}`));
  return problems.length === 0 ? [] : [failed('queue.unsafe', { words: `Redis ${version}: ${problems.join('; ')}` })];
}

async function pausedQueue(queue: WatchedQueue): Promise<FailedCheck[]> {
  if (!(await queue.isPaused())) return [];
  return [failed('queue.paused', { subject: queue.name, words: `${queue.name} is paused: nothing is taken from it`, verb: `queues --resume ${queue.name}` })];
}

/** Without a worker, accepted webhooks wait here, and no order is known that could be pending. */
async function stuckDeliveries({ queues: { deliveries }, now }: Round): Promise<FailedCheck[]> {
  const [oldest] = await deliveries.getJobs(['waiting'], 0, 0, true);
  if (oldest === undefined || now - oldest.timestamp < LATE_MS) return [];
  const since = new Date(oldest.timestamp).toISOString();
  const { waiting = 0 } = await deliveries.getJobCounts('waiting');
  const words = `webhooks have been waiting on the queue since ${since}: is a worker running?`;
  return [failed('backlog.old', { subject: 'deliveries', count: waiting, since, words, verb: 'queues' })];
}
