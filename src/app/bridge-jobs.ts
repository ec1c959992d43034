import { bridgeMailFault, bridgeMailTried, merchantMailed } from '../bridge/alerts/alert-events.ts';
import { outboxJobDone, outboxJobNotDone } from '../bridge/bridge-events.ts';
import { type OutboxJobDeps, type OutboxKind, type OutboxPayload, outboxRuns } from '../bridge/delivery/outbox-jobs.ts';
import { type SendEventsDeps, sendEvents } from '../bridge/events/send-events.ts';
import { bridgeMails, mailMerchants, pruneMerchants } from '../bridge/ledger/alerts/merchant-incidents.ts';
import { countHours } from '../bridge/ledger/counts/count-hours.ts';
import { createEventLedger } from '../bridge/ledger/events/event-store.ts';
import { fillSearch } from '../bridge/ledger/orders/order-search.ts';
import { ordersOfJobs } from '../bridge/ledger/outbox-job-store.ts';
import { createPostJson } from '../bridge/post-json.ts';
import type { Storefronts } from '../bridge/storefronts/contract.ts';
import { type ComplianceConfig, consoleUrl } from '../config/config.ts';
import { type Extensions, embeddedExtensions, NO_EXTENSIONS } from '../contract/dialect.ts';
import { bulkActions } from '../operations/bulk-actions.ts';
import { askNetwork } from '../operations/health/checks/network.ts';
import { type BridgeKind, backoffOf } from '../operations/job-kinds.ts';
import { dropAbandoned } from '../operations/onboarding/drop-abandoned.ts';
import { merchantMails } from '../operations/onboarding/merchant-mail.ts';
import { personNotices } from '../operations/people/person-notices.ts';
import { each, eachStep, eachUnlessStopped, type Run, whole } from '../platform/jobs/job-kind.ts';
import { createMailer } from '../platform/mail/create-mailer.ts';
import type { SendResult } from '../platform/mail/outbox.ts';
import { insecureWords } from '../platform/may-carry-secrets.ts';
import { openComplianceClient } from './compliance-api.ts';
import type { Core } from './core.ts';
import { type Endpoints, openEndpoints } from './gateway.ts';
import { grantKeeper } from './grant-keeper.ts';
import { mailTransport } from './mail-transport.ts';
import { outsideOf } from './outside.ts';
import { runKinds } from './run-kinds.ts';
import { noteRun } from './store-notes.ts';
import { syncRuns } from './store-reader.ts';
import { type SweepParts, sweep } from './sweeper.ts';
import { watchDeps, watchdog } from './watchdog.ts';

type Options = SweepParts & { storefronts: Storefronts; embeddedUrl(): Promise<string> };

const STOP_SHARE = { mostMs: 5_000, keepMs: 4_500 };
const EXTENSION = { 'forget-buyer': 'forgetsBuyers', delivered: 'delivered' } as const satisfies Record<OutboxKind, keyof Extensions>;

/** Runs the bridge's background jobs that are due. */
export function startBridgeJobs(options: Options): AsyncDisposable {
  const { config, pool, stop } = options.core;
  const client = openComplianceClient(config);
  const events = eventDeps(options.core);
  const endpoints = openEndpoints(options.core, options.embeddedUrl);
  const runs: Record<BridgeKind, Run> = {
    ...outboxRuns(outboxJobDeps(options, { client, endpoints })),
    notes: noteRun(options.core, options.storefronts, { client, endpoints }),
    ...syncRuns(options),
    sweep: whole((signal) => sweep(options, signal)),
    grants: whole(grantKeeper(options.core, options.storefronts)),
    ...watchdog(options.core, options.storefronts),
    ...bulkActions(options.core, options.queues.notify),
    'network-checks': whole((signal) => askNetwork(pool, outsideOf(options.core, null), signal)),
    counts: countRun(options.core),
    search: whole((signal) => fillSearch(pool, signal)),
    events: eachUnlessStopped(options.core.recording, (job, signal) => sendEvents(events, job, signal)),
    ...mailRuns({ core: options.core, publicUrl: config.publicUrl, now: () => new Date(), dropAbandoned: abandonedDrop(options) }),
  };
  const jobs = runKinds(options.core, runs);
  return {
    async [Symbol.asyncDispose]() {
      await stop.wait('background jobs', jobs[Symbol.asyncDispose](), STOP_SHARE);
      await client[Symbol.asyncDispose]();
    },
  };
}

const EVENT_MS = 15_000;
/** Of one event: a single one that is refused again and again waits longer than its endpoint. */
const LONGEST_EVENT_WAIT = 60;

function eventDeps({ config, pool }: Pick<Core, 'config' | 'pool'>): SendEventsDeps {
  const { firstMs, mostMs } = backoffOf(config, 'events');
  const whyInsecure = (address: string) => insecureWords(address, config.trustedHttpHosts);
  return {
    ledger: createEventLedger(pool),
    post: createPostJson({ whyInsecure, timeoutMs: EVENT_MS, publicOnly: !config.allowPrivateAddresses }),
    backoff: { firstMs, mostMs: mostMs * LONGEST_EVENT_WAIT },
    now: Date.now,
    random: Math.random,
  };
}

function abandonedDrop({ core, storefronts }: Pick<Options, 'core' | 'storefronts'>): (now: Date) => Promise<void> {
  const deps = { pool: core.pool, connections: core.connections, stores: { watch: watchDeps(core, storefronts), storefronts } };
  return (now) => dropAbandoned(deps, now);
}

/** It reads the whole hour again: of a busy ledger it takes at most a hundredth of the time, or, where it would run less often than every ten minutes, a twentieth. */
function countRun({ pool }: Pick<Core, 'pool'>): Run {
  const count = whole((signal) => countHours(pool, signal));
  return async (jobs, signal) => {
    const began = performance.now();
    const ends = await count(jobs, signal);
    const took = performance.now() - began;
    const ms = Math.max(took * 20, Math.min(took * 100, 600_000));
    return ms < 60_000 ? ends : ends.map((end) => (end.is === 'done' ? { is: 'again', ms } : end));
  };
}

type Service = { client: ReturnType<typeof openComplianceClient>; endpoints: Endpoints };

function outboxJobDeps({ core }: Pick<Options, 'core'>, { client, endpoints }: Service): OutboxJobDeps {
  const { config, log, pool } = core;
  const extensions = extensionsOf(core);
  return {
    orders: (...which) => ordersOfJobs(pool, ...which),
    isWanted: async ({ connectionId }) => (await core.cache.get(connectionId))?.settings.monthBy === 'delivery',
    supports: async (destinationId, kind) => (await extensions(destinationId))[EXTENSION[kind]] === 'supported',
    async tell(kind, { destinationId, complianceId, deliveredAt }, signal) {
      const endpoint = await endpoints(destinationId);
      if (kind === 'forget-buyer') return client.forgetBuyer(endpoint, complianceId, signal);
      return client.putDelivered(endpoint, { complianceId, body: JSON.stringify({ at: deliveredAt }) }, signal);
    },
    isGone: async ({ destinationId, complianceId }: OutboxPayload, signal) =>
      (await client.readRecord(await endpoints(destinationId), complianceId, signal)) === null,
    onDone: (kind, orderId) => outboxJobDone(log, { orderId, kind }),
    onNotDone: (kind, orderId, why) => outboxJobNotDone(log, { orderId, kind, why }),
    backoff: backoffOf(config, 'forget-buyer'),
    now: () => performance.now(),
    random: Math.random,
  };
}

function extensionsOf({ destinations, config }: Core): (destinationId: string) => Promise<Extensions> {
  return async (destinationId) => {
    const destination = await destinations.find(destinationId);
    return destination === null ? NO_EXTENSIONS : extensionsAt(config.compliance, destination.baseUrl);
  };
}

/** What the service at this address offers, null being our own: ours all, another one what the environment says of the one that it names. */
export function extensionsAt(compliance: ComplianceConfig, baseUrl: string | null): Extensions {
  if (baseUrl === null) return embeddedExtensions;
  return compliance.kind === 'remote' ? (compliance.extensions ?? NO_EXTENSIONS) : NO_EXTENSIONS;
}

/** `dropAbandoned`: what merchants began uninvited, and left. */
type MailsOptions = {
  core: Pick<Core, 'config' | 'log' | 'pool' | 'connections'>;
  publicUrl: string | null;
  now: () => Date;
  dropAbandoned(now: Date): Promise<void>;
};

/**
 * Looks for what merchants must do, then tidies up; and sends the mails of it, and those to people of the console. Without PUBLIC_URL it does not look, since
 * such mails are of no use without their link.
 */
export function mailRuns({
  core: { config, log, pool, connections },
  publicUrl,
  now,
  dropAbandoned,
}: MailsOptions): Record<'merchant-mails' | 'bridge-mail', Run> {
  const { mail, keepDays } = config;
  const builders = {
    ...personNotices({ pool, url: consoleUrl(config) }),
    ...merchantMails({ pool, connections, publicUrl, replyTo: mail.replyTo ?? null }),
  };
  const onTried = (id: string, result: SendResult) => bridgeMailTried(log, id, result);
  const find = async () => {
    for (const mailed of await mailMerchants(pool, now())) merchantMailed(log, mailed);
  };
  const prune = () => pruneMerchants(pool, { days: keepDays.outbox, now: now() });
  const drop = () => dropAbandoned(now());
  return {
    'merchant-mails': whole((signal) => eachStep(signal, publicUrl === null ? [prune, drop] : [find, prune, drop])),
    'bridge-mail': each(createMailer({ pool, outbox: bridgeMails, transport: mailTransport(config), builders, report: bridgeMailFault(log), onTried, now })),
  };
}
