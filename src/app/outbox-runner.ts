import { join } from 'node:path';
import { merchantMailed, merchantMailFault, merchantMailTried, merchantsNotMailed } from '../bridge/alerts/alert-events.ts';
import { outboxJobDone, outboxJobNotDone, outboxJobsFailed } from '../bridge/bridge-events.ts';
import { type OutboxJob, runOutboxJobs, type Told } from '../bridge/delivery/run-outbox-jobs.ts';
import { mailMerchants, merchantMails as outbox, pruneMerchants } from '../bridge/ledger/alerts/merchant-incidents.ts';
import { createOutboxJobStore } from '../bridge/ledger/outbox-job-store.ts';
import type { Reply } from '../bridge/order/decisions/answer.ts';
import type { ComplianceConfig } from '../config/config.ts';
import { type Extensions, embeddedDialect, embeddedExtensions, NO_EXTENSIONS } from '../contract/dialect.ts';
import { merchantMails } from '../operations/onboarding/merchant-mail.ts';
import { createMailer } from '../platform/mail/create-mailer.ts';
import { openMailTransport } from '../platform/mail/mail-transport.ts';
import { rateLimit } from '../platform/rate-limit.ts';
import { repeat } from '../platform/repeat.ts';
import { wholeMs } from '../platform/with-timeout.ts';
import { openComplianceClient } from './compliance-api.ts';
import type { Core } from './core.ts';
import { createEndpoints } from './gateway.ts';

type Options = { core: Core; embeddedUrl(): Promise<string> };

const STOP_SHARE = { mostMs: 5_000, keepMs: 4_500 };
const EXTENSION = { 'forget-buyer': 'forgetsBuyers', delivered: 'delivered' } as const satisfies Record<OutboxJob['kind'], keyof Extensions>;

/** Tells compliance services whose buyers are to be forgotten, and what was delivered, as often as is swept. No record waits for it. */
export function startOutboxJobs(options: Options): AsyncDisposable {
  const { core } = options;
  const { log, config, stop } = core;
  const stopping = new AbortController();
  const ledger = createOutboxJobStore(core.pool);
  const { signal } = stopping;
  const means = { ...options, signal, client: openComplianceClient(config), extensions: extensionsOf(core) };
  const deps = { ledger, ...outboxJobDeps(means) };
  let work = () => ledger.supported(kindsOf(configured(config.compliance)));
  const runs = repeat(() => work().catch((err: unknown) => outboxJobsFailed(log, err)), config.sweepSeconds * 1000);
  runs.now();
  work = () => runOutboxJobs(deps, signal);
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await stop.wait('outbox jobs', runs.end(), STOP_SHARE);
      await means.client[Symbol.asyncDispose]();
    },
  };
}

type Means = Options & {
  signal: AbortSignal;
  client: ReturnType<typeof openComplianceClient>;
  extensions: (destinationId: string) => Promise<Extensions>;
};

function outboxJobDeps({ core, embeddedUrl, client, extensions, signal }: Means) {
  const { config, log } = core;
  const dialect = config.compliance.kind === 'remote' ? config.compliance.dialect : embeddedDialect;
  const endpoints = createEndpoints({ find: (id) => core.destinations.find(id), dialect, embeddedUrl });
  return {
    isWanted: async ({ connectionId }: OutboxJob) => (await core.cache.get(connectionId))?.settings.monthBy === 'delivery',
    supports: async (destinationId: string, kind: OutboxJob['kind']) => (await extensions(destinationId))[EXTENSION[kind]] === 'supported',
    async tell(kind: OutboxJob['kind'], { destinationId, complianceId, deliveredAt }: Told): Promise<Reply> {
      const endpoint = await endpoints(destinationId);
      if (kind === 'forget-buyer') return client.forgetBuyer(endpoint, complianceId, signal);
      return client.putDelivered(endpoint, { complianceId, body: JSON.stringify({ at: deliveredAt }) }, signal);
    },
    isGone: async ({ destinationId, complianceId }: Told) => (await client.readRecord(await endpoints(destinationId), complianceId, signal)) === null,
    onDone: ({ orderId, kind }: OutboxJob) => outboxJobDone(log, { orderId, kind }),
    onNotDone: ({ orderId, kind }: OutboxJob, why: string) => outboxJobNotDone(log, { orderId, kind, why }),
    random: Math.random,
  };
}

function extensionsOf({ destinations, config }: Core): (destinationId: string) => Promise<Extensions> {
  return async (destinationId) => {
    const destination = await destinations.find(destinationId);
    return destination === null ? NO_EXTENSIONS : extensionsAt(config.compliance, destination.baseUrl);
  };
}

function configured(compliance: ComplianceConfig): Extensions {
  return extensionsAt(compliance, compliance.kind === 'remote' ? compliance.baseUrl : null);
}

function kindsOf(extensions: Extensions): OutboxJob['kind'][] {
  return (['forget-buyer', 'delivered'] as const).filter((kind) => extensions[EXTENSION[kind]] === 'supported');
}

/** What the service at this address offers, null being our own: ours all, another one what the environment says of the one that it names. */
export function extensionsAt(compliance: ComplianceConfig, baseUrl: string | null): Extensions {
  if (baseUrl === null) return embeddedExtensions;
  return compliance.kind === 'remote' ? (compliance.extensions ?? NO_EXTENSIONS) : NO_EXTENSIONS;
}

/** However seldom it sweeps. */
const LONGEST_PAUSE_MS = 60_000;
const SWEEPS_PER_ROUND = 12;
const MAILS_STOP_SHARE = { mostMs: 3_000, keepMs: 3_000 };

/** Mails merchants what only they can put right. Any number of processes may do so. */
export function startMerchantMails(core: Core): AsyncDisposable {
  const { config, log, stop } = core;
  const { publicUrl, sweepSeconds } = config;
  const round = merchantMailer({ core, publicUrl, now: () => new Date() });
  const onFailed = rateLimit((err: unknown) => merchantsNotMailed(log, err), { most: 1, now: () => performance.now() });
  const rounds = repeat(() => round().catch(onFailed), Math.min(wholeMs(sweepSeconds * 1000) * SWEEPS_PER_ROUND, LONGEST_PAUSE_MS));
  return { [Symbol.asyncDispose]: () => stop.wait('mails to merchants', rounds.end(), MAILS_STOP_SHARE) };
}

type MailsOptions = { core: Pick<Core, 'config' | 'log' | 'pool' | 'connections'>; publicUrl: string | null; now: () => Date };

const MAILS_AT_ONCE = 100;

/** Looks for what merchants must do, and sends the mails that are due: none without PUBLIC_URL, since they are of no use without their link. Then it tidies up. */
export function merchantMailer({ core: { config, log, pool, connections }, publicUrl, now }: MailsOptions): () => Promise<void> {
  const { mail, dataDir, trustedHttpHosts, keepDays } = config;
  const prune = () => pruneMerchants(pool, { days: keepDays.outbox, now: now() });
  if (publicUrl === null) return prune;
  const builders = merchantMails({ pool, connections, publicUrl, replyTo: mail.replyTo ?? null });
  const transport = openMailTransport({ smtpUrl: mail.smtpUrl?.reveal() ?? null, from: mail.from, outboxDir: join(dataDir, 'outbox'), trustedHttpHosts });
  const mailer = createMailer({ pool, outbox, transport, builders, report: merchantMailFault(log), now });
  return async () => {
    for (const told of await mailMerchants(pool, now())) merchantMailed(log, told);
    for (const id of await mailer.due(MAILS_AT_ONCE)) merchantMailTried(log, id, await mailer.send(id));
    await prune();
  };
}
