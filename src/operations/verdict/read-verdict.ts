import { inspectDatabase } from '../../bridge/ledger/inspect-database.ts';
import { errorWords } from '../../platform/error-words.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { outsideCodes } from './ask-outside.ts';
import { type Look, lookAt, type Reader, type VerdictDeps } from './look.ts';
import { alertReader } from './read-alerts.ts';
import { appReader } from './read-apps.ts';
import { backlogReader } from './read-backlog.ts';
import { databaseReader } from './read-database.ts';
import { dashboardReader, diskReader, restartsReader } from './read-machine.ts';
import { outboxJobReader } from './read-outbox-jobs.ts';
import { pauseReader } from './read-pauses.ts';
import { queueDownWords, queueReader } from './read-queues.ts';
import { secretReader } from './read-secrets.ts';
import { serverReader } from './read-server.ts';
import { companyReader, monthReader, rateReader, serviceReader, waitingCompanyReader } from './read-service.ts';
import { shopReader } from './read-shops.ts';
import { storeReader, trialReader, unreadOrderReader } from './read-stores.ts';
import { hostReader, unreadWebhookReader, waitingReader } from './read-waiting.ts';
import { refusalReader, silenceReader, subscriptionReader } from './read-webhooks.ts';
import { type ReasonCode, reasonCodes } from './reason-codes.ts';
import { reasonOf } from './reason-of.ts';
import type { Reason, Verdict } from './verdict.ts';

const ANSWER_MS = 5_000;

/** What needs no database of ours. */
const besideDatabase = {
  queue: queueReader,
  disk: diskReader,
  restarts: restartsReader,
  dashboard: dashboardReader,
  outside: { codes: outsideCodes, read: ({ outside }: Look) => outside() },
} satisfies Record<string, Reader>;

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
  'held hosts': hostReader,
  backlog: backlogReader,
  months: monthReader,
  'erased buyers and deliveries': outboxJobReader,
  'mails and paid orders': serviceReader,
  'exchange rates': rateReader,
  companies: companyReader,
  'companies of merchants': waitingCompanyReader,
  alerts: alertReader,
} satisfies Record<string, Reader>;

/** Whether all is well, and why not. Never rejects: what does not answer within 5 s is a reason itself, and holds up nothing else. */
export async function readVerdict(deps: VerdictDeps): Promise<Verdict> {
  const look = lookAt(deps);
  const beside = ask(besideDatabase, look);
  const down = await databaseDown(look);
  const reasons = down === null ? [...(await ask(inDatabase, look)), ...(await beside)] : [down, ...(await beside)];
  return verdictOf(reasons, look.now);
}

/** The verdict that these reasons make; `now`: ms since 1970. */
function verdictOf(reasons: readonly Reason[], now: number): Verdict {
  const sorted = reasons.toSorted((a, b) => rank(a) - rank(b));
  return { verdict: sorted[0]?.level ?? 'ok', at: new Date(now).toISOString(), reasons: sorted };
}

/** A database that could not even be opened, and all that depends on it. */
export function databaseDownVerdict(thrown: unknown): Verdict {
  return verdictOf([downReason(thrown)], Date.now());
}

/**
 * The codes whose source did not answer, or not all of it: that a reason of them is absent from this verdict does not mean that its trouble is over.
 */
export function notAsked({ reasons }: Verdict): ReadonlySet<ReasonCode> {
  const readers: Readonly<Record<string, Reader>> = { ...besideDatabase, ...inDatabase };
  const silent = reasons.flatMap(({ code, subject }) => (code === 'check.failed' ? [readers[subject ?? '']] : []));
  if (reasons.some(({ code }) => code === 'database.down')) silent.push(...Object.values(inDatabase));
  if (reasons.some(({ code }) => code === 'queue.down')) silent.push(queueReader);
  return new Set(silent.flatMap((reader) => reader?.codes ?? []));
}

const order = Object.keys(reasonCodes);

/** Failing before attention, then as in the table of codes. */
function rank({ level, code }: Reason): number {
  return (level === 'failing' ? 0 : order.length) + order.indexOf(code);
}

async function databaseDown({ pool }: Look): Promise<Reason | null> {
  try {
    await withTimeout(ANSWER_MS, inspectDatabase(pool));
    return null;
  } catch (thrown) {
    return downReason(thrown);
  }
}

function downReason(thrown: unknown): Reason {
  return reasonOf('database.down', { words: `the database can’t be used (${errorWords(thrown)}); check DATABASE_URL, and that PostgreSQL runs` });
}

async function ask(readers: Readonly<Record<string, Reader>>, look: Look): Promise<Reason[]> {
  return (await Promise.all(Object.entries(readers).map(([name, reader]) => askOne(name, reader, look)))).flat();
}

async function askOne(name: string, reader: Reader, look: Look): Promise<Reason[]> {
  try {
    return await withTimeout(ANSWER_MS, reader.read(look));
  } catch (thrown) {
    if (reader === queueReader) return [reasonOf('queue.down', { words: queueDownWords(look, thrown) })];
    return [reasonOf('check.failed', { subject: name, words: `${name}: this could not be checked (${errorWords(thrown)})`, verb: 'doctor' })];
  }
}
