import type { ServiceKind } from '../operations/job-kinds.ts';
import { DONE, each, eachStep, eachUnlessStopped, type JobEnd, type Run, whole } from '../platform/jobs/job-kind.ts';
import { type Job, writeMissing } from '../platform/jobs/job-store.ts';
import { createMailer } from '../platform/mail/create-mailer.ts';
import { dropOldFiles } from '../platform/mail/drop-old-files.ts';
import type { SendResult } from '../platform/mail/outbox.ts';
import type { BeforeFile } from '../service/audit/month/serve-month.ts';
import type { ComplianceService } from '../service/compliance-service.ts';
import { sofiaTime } from '../service/law/calendar.ts';
import { shopMails } from '../service/mail/shop-mails.ts';
import { auditTicked, mailReport, mailTried, monthServed, ratesFetched } from '../service/service-events.ts';
import type { Core } from './core.ts';
import { mailFiles, mailTransport } from './mail-transport.ts';
import { runKinds } from './run-kinds.ts';

type Parts = { core: Core; service: ComplianceService; beforeFile?: BeforeFile | undefined };

/** How long running jobs may take to finish at a stop. */
const FINISH_SHARE = { mostMs: 20_000, keepMs: 8_500 };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The background work of our compliance service: files on the shops' days, reminders, exchange rates, mails. Any number of processes may run it. */
export function startComplianceWork(parts: Parts): AsyncDisposable {
  const { core, service } = parts;
  const { config, log, stop } = core;
  const { bnbRatesUrl } = config;
  const { pool, now } = service.audit;
  const onTried = (mail: string, result: SendResult) => mailTried(log, mail, result);
  const transport = mailTransport(config);
  const runs: Record<ServiceKind, Run> = {
    audit: whole((signal) => audit(parts, signal)),
    // A file without what a restore took away is not made.
    month: eachUnlessStopped(core.recording, (job) => month(parts, job)),
    mail: each(createMailer({ pool, outbox: shopMails, transport, builders: service.mails, report: mailReport(log), onTried, now })),
    // A job of a configuration that had the address goes.
    rates: each(async () => (bnbRatesUrl === null ? DONE : fetchRates(parts, bnbRatesUrl))),
  };
  const jobs = runKinds(core, runs);
  return { [Symbol.asyncDispose]: () => stop.wait('work of the compliance service', jobs[Symbol.asyncDispose](), FINISH_SHARE) };
}

async function audit({ service, core }: Parts, signal: AbortSignal): Promise<void> {
  const {
    work: own,
    audit: { now },
  } = service;
  const { keepDays, bnbRatesUrl } = core.config;
  const counts = { reminders: 0, stornos: 0, purged: 0 };
  const writeMonths = async () => {
    const due = await own.dueMonths();
    if (due.length > 0) await writeMissing(core.pool, { kind: 'month', keys: due.map(({ shopId, month: of }) => `${shopId} ${of}`) });
  };
  const steps = [
    writeMonths,
    // The first fetch is at the time of the day, too.
    async () => void (bnbRatesUrl !== null && (await writeMissing(core.pool, { kind: 'rates', keys: [''], waitMs: untilRatesMs() }))),
    async () => {
      counts.reminders = await own.remind();
    },
    () => own.askRecipients(),
    () => own.mailAccountants(),
    async () => {
      counts.stornos = await own.noticeStornos();
    },
    async () => {
      counts.purged = await own.purge();
    },
    () => own.dropOld(keepDays),
    () => dropOldFiles(mailFiles(core.config), { days: keepDays.outbox, now: now() }),
  ];
  await eachStep(signal, steps).finally(() => auditTicked(core.log, counts));
}

/** It may have been made, or marked as filed, since it was written. If an attempt was cut off, the mail of its result may be missing: then it goes on. */
async function month({ service, core, beforeFile }: Parts, { key, attempts }: Job): Promise<JobEnd> {
  const [shopId = '', of = ''] = key.split(' ');
  if (attempts === 1 && (await service.work.dueMonths({ shopId, month: of })).length === 0) return DONE;
  const began = performance.now();
  const served = await service.work.serveMonth({ shopId, month: of }, beforeFile);
  monthServed(core.log, { shopId, month: of, served, ms: Math.round(performance.now() - began) });
  return served.kind === 'again' ? { is: 'waits', ms: served.afterMs } : DONE;
}

async function fetchRates({ service, core }: Parts, url: string): Promise<JobEnd> {
  const { fetched, days, filledIn, again } = await service.work.refreshRates(url, core.config.bnbRatesDayUrl);
  ratesFetched(core.log, { fetched, days, filledIn });
  return { is: 'again', ms: again ? HOUR_MS : untilRatesMs() };
}

/** The bank publishes by 18:00 of Sofia. In the night of another time it is an hour off, which a sheet that is not there puts right. */
function untilRatesMs(): number {
  const [hours = 0, minutes = 0] = sofiaTime(new Date().toISOString()).split(':').map(Number);
  const leftMs = (18 * 60 + 20 - hours * 60 - minutes) * 60_000;
  return leftMs > 0 ? leftMs : leftMs + DAY_MS;
}
