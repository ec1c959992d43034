import type { ServiceKind } from '../operations/job-kinds.ts';
import { DONE, each, type JobEnd, type Run, whole } from '../platform/jobs/job-kind.ts';
import { writeMissing } from '../platform/jobs/job-store.ts';
import { createMailer, type Mailer } from '../platform/mail/create-mailer.ts';
import { dropOldFiles } from '../platform/mail/drop-old-files.ts';
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
const MAILS_AT_ONCE = 500;
const SENDERS = 4;

/** The background work of our compliance service: files on the shops' days, reminders, exchange rates, mails. Any number of processes may run it. */
export function startComplianceWork(parts: Parts): AsyncDisposable {
  const { core, service } = parts;
  const { config, log, stop } = core;
  const { bnbRatesUrl } = config;
  const transport = mailTransport(config);
  const { now } = service.audit;
  const mailer = createMailer({ pool: service.audit.pool, outbox: shopMails, transport, builders: service.mails, report: mailReport(log), now });
  const runs: Record<Exclude<ServiceKind, 'rates'>, Run> & { rates?: Run } = {
    audit: whole(() => audit(parts)),
    month: each(({ key }) => month(parts, key)),
    mails: whole((signal) => sendMails(parts, mailer, signal)),
    ...(bnbRatesUrl === null ? {} : { rates: each(() => fetchRates(parts, bnbRatesUrl)) }),
  };
  const jobs = runKinds(core, runs);
  return { [Symbol.asyncDispose]: () => stop.wait('work of the compliance service', jobs[Symbol.asyncDispose](), FINISH_SHARE) };
}

async function audit({ service, core }: Parts): Promise<void> {
  const {
    work: own,
    audit: { now },
  } = service;
  const due = await own.dueMonths();
  if (due.length > 0) await writeMissing(core.pool, { kind: 'month', keys: due.map(({ shopId, month: of }) => `${shopId} ${of}`) });
  // The first fetch is at the time of the day, too.
  if (core.config.bnbRatesUrl !== null) await writeMissing(core.pool, { kind: 'rates', keys: [''], waitMs: untilRatesMs() });
  const reminders = await own.remind();
  const stornos = await own.noticeStornos();
  const purged = await own.purge();
  auditTicked(core.log, { reminders, stornos, purged });
  const { keepDays } = core.config;
  await own.dropOld(keepDays);
  await dropOldFiles(mailFiles(core.config), { days: keepDays.outbox, now: now() });
}

/** A month that has to wait stays due: the next look finds it. */
async function month({ service, core, beforeFile }: Parts, key: string): Promise<JobEnd> {
  const [shopId = '', of = ''] = key.split(' ');
  const began = performance.now();
  const served = await service.work.serveMonth({ shopId, month: of }, beforeFile);
  monthServed(core.log, { shopId, month: of, served, ms: Math.round(performance.now() - began) });
  return DONE;
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

async function sendMails({ core: { log } }: Parts, mailer: Mailer, signal: AbortSignal): Promise<void> {
  const due = await mailer.due(MAILS_AT_ONCE);
  const line = async () => {
    for (let id = due.shift(); id !== undefined && !signal.aborted; id = due.shift()) mailTried(log, id, await mailer.send(id));
  };
  await Promise.all(Array.from({ length: SENDERS }, line));
}
