import { join } from 'node:path';
import type { Queue, Worker } from 'bullmq';
import { createMailer, type Mailer } from '../platform/mail/create-mailer.ts';
import { dropOldFiles } from '../platform/mail/drop-old-files.ts';
import { openMailTransport } from '../platform/mail/mail-transport.ts';
import type { QueueSystem } from '../platform/queue/queue-system.ts';
import { wholeMs } from '../platform/with-timeout.ts';
import type { BeforeFile } from '../service/audit/month/serve-month.ts';
import type { ComplianceService } from '../service/compliance-service.ts';
import { shopMails } from '../service/mail/shop-mails.ts';
import { auditTicked, jobFailed, mailReport, mailTried, monthServed, ratesFetched, schedulersNotKept } from '../service/service-events.ts';
import { COMPLIANCE, type ComplianceJob, type ComplianceQueues, MAILS, type MailJob, readComplianceJob, readMailJob } from './compliance-jobs.ts';
import type { Core } from './core.ts';

type Options = { core: Core; system: QueueSystem; service: ComplianceService; queues: ComplianceQueues; beforeFile?: BeforeFile | undefined };
type Parts = Omit<Options, 'queues'> & ComplianceQueues & { mailer: Mailer };

/** How long running jobs may take to finish at a stop. */
const FINISH_SHARE = { mostMs: 20_000, keepMs: 8_500 };
/** Looking for months that are due costs more than looking for mails. */
const ROUNDS_PER_TICK = 6;
/** The bank publishes by 18:00. */
const RATES_CRON = { pattern: '20 18 * * *', tz: 'Europe/Sofia' };
const RATES_AGAIN_MS = 3_600_000;
const MAILS_AT_ONCE = 500;
const SENDERS = 4;
/** In DATA_DIR. */
const OUTBOX = 'outbox';

const TICK: ComplianceJob = { v: 1, what: 'tick' };
const RATES: ComplianceJob = { v: 1, what: 'rates' };
const ROUND: MailJob = { v: 1, what: 'round' };
// Due work is recorded in the database and found again at the next round: a failed job needs no retry.
const ONCE = { attempts: 1, removeOnComplete: true, removeOnFail: { count: 100 } } as const;

/** The scheduled work of our compliance service: files on the shops' days, reminders, exchange rates, mails. Any number of processes may run it. */
export function startComplianceWork({ queues, ...options }: Options): AsyncDisposable {
  const { core, system, service } = options;
  const { mail, dataDir, trustedHttpHosts } = core.config;
  const transport = openMailTransport({ smtpUrl: mail.smtpUrl?.reveal() ?? null, from: mail.from, outboxDir: join(dataDir, OUTBOX), trustedHttpHosts });
  const mailer = createMailer({
    pool: service.audit.pool,
    outbox: shopMails,
    transport,
    builders: service.mails,
    report: mailReport(core.log),
    now: service.audit.now,
  });
  const parts: Parts = { ...options, ...queues, mailer };
  const workers = [
    system.worker<ComplianceJob>(COMPLIANCE, (job) => work(parts, readComplianceJob(job.data)), { concurrency: 1 }),
    system.worker<MailJob>(MAILS, (job) => mailWork(parts, readMailJob(job.data)), { concurrency: SENDERS }),
  ] as Worker[];
  for (const worker of workers) worker.on('failed', (job, err) => jobFailed(core.log, { queue: job?.queueName, job: job?.id, err }));
  const keeper = keepScheduled(parts);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(keeper);
      await Promise.all(workers.map((worker) => system.finish(worker, core.stop.shareMs(FINISH_SHARE))));
    },
  };
}

/** The schedulers live in the queue; if the queue loses everything, they are created again. */
function keepScheduled({ core, jobs, mails }: Parts): NodeJS.Timeout {
  const roundMs = wholeMs(core.config.sweepSeconds * 1000);
  const keep = async (): Promise<void> => {
    try {
      await schedule(jobs, { every: roundMs * ROUNDS_PER_TICK }, TICK);
      await schedule(mails, { every: roundMs }, ROUND);
      if (core.config.bnbRatesUrl !== null) await schedule(jobs, RATES_CRON, RATES);
    } catch (err) {
      schedulersNotKept(core.log, err);
    }
  };
  void keep();
  return setInterval(() => void keep(), roundMs * ROUNDS_PER_TICK).unref();
}

type Repeat = { every: number } | { pattern: string; tz: string };

async function schedule<T extends ComplianceJob | MailJob>(queue: Queue<T>, repeat: Repeat, data: T): Promise<void> {
  const known = await queue.getJobScheduler(data.what);
  const isSame = 'every' in repeat ? known?.every === repeat.every : known?.pattern === repeat.pattern && known.tz === repeat.tz;
  if (!isSame) await (queue as Queue).upsertJobScheduler(data.what, repeat, { name: data.what, data, opts: ONCE });
}

async function work(parts: Parts, job: ComplianceJob): Promise<void> {
  switch (job.what) {
    case 'tick':
      return tick(parts);
    case 'month':
      return serveMonth(parts, job);
    case 'rates':
      return fetchRates(parts);
  }
}

async function tick({ service, jobs, core }: Parts): Promise<void> {
  for (const { shopId, month } of await service.work.dueMonths()) {
    await jobs.add('month', { v: 1, what: 'month', shopId, month }, { ...ONCE, deduplication: { id: `${shopId}-${month}` } });
  }
  const reminders = await service.work.remind();
  const stornos = await service.work.noticeStornos();
  const purged = await service.work.purge();
  auditTicked(core.log, { reminders, stornos, purged });
  await dropOld(service, core.config);
}

async function dropOld({ work: own, audit }: ComplianceService, { dataDir, keepDays }: Core['config']): Promise<void> {
  await own.dropOld(keepDays);
  await dropOldFiles(join(dataDir, OUTBOX), { days: keepDays.outbox, now: audit.now() });
}

async function serveMonth({ service, core, beforeFile }: Parts, { shopId, month }: Extract<ComplianceJob, { what: 'month' }>): Promise<void> {
  const began = performance.now();
  const served = await service.work.serveMonth({ shopId, month }, beforeFile);
  // A month that has to wait stays due: the next tick finds it.
  monthServed(core.log, { shopId, month, served, ms: Math.round(performance.now() - began) });
}

async function fetchRates({ service, core, jobs }: Parts): Promise<void> {
  const { bnbRatesUrl, bnbRatesDayUrl } = core.config;
  if (bnbRatesUrl === null) return;
  const { fetched, days, filledIn, again } = await service.work.refreshRates(bnbRatesUrl, bnbRatesDayUrl);
  ratesFetched(core.log, { fetched, days, filledIn });
  if (again) await jobs.add('rates', RATES, { ...ONCE, delay: RATES_AGAIN_MS, deduplication: { id: 'rates-again', ttl: RATES_AGAIN_MS / 2 } });
}

async function mailWork({ mailer, mails, core }: Parts, job: MailJob): Promise<void> {
  if (job.what === 'round') {
    for (const id of await mailer.due(MAILS_AT_ONCE)) await mails.add('send', { v: 1, what: 'send', id }, { ...ONCE, deduplication: { id } });
    return;
  }
  mailTried(core.log, job.id, await mailer.send(job.id));
}
