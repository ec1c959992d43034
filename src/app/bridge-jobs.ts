import { jobsFailed, outboxJobDone, outboxJobNotDone } from '../bridge/bridge-events.ts';
import { OUTBOX_KINDS, type OutboxJobDeps, type OutboxKind, outboxRuns, type Told } from '../bridge/delivery/outbox-jobs.ts';
import { type BridgeJobKind, JOB_KINDS, type Pace } from '../bridge/job-kinds.ts';
import { toldOrders } from '../bridge/ledger/outbox-job-store.ts';
import type { ComplianceConfig, Config } from '../config/config.ts';
import { type Extensions, embeddedDialect, embeddedExtensions, NO_EXTENSIONS } from '../contract/dialect.ts';
import type { Backoff } from '../platform/backoff.ts';
import type { JobKind, KindSpec, Run } from '../platform/jobs/job-kind.ts';
import { unblockJobs } from '../platform/jobs/job-store.ts';
import { startJobs } from '../platform/jobs/run-jobs.ts';
import { openComplianceClient } from './compliance-api.ts';
import type { Core } from './core.ts';
import { createEndpoints } from './gateway.ts';

type Options = { core: Core; embeddedUrl(): Promise<string> };

const STOP_SHARE = { mostMs: 5_000, keepMs: 4_500 };
const EXTENSION = { 'forget-buyer': 'forgetsBuyers', delivered: 'delivered' } as const satisfies Record<OutboxKind, keyof Extensions>;

/** Runs the bridge's background jobs that are due. */
export function startBridgeJobs(options: Options): AsyncDisposable {
  const { log, config, pool, stop } = options.core;
  const client = openComplianceClient(config);
  const onFailed = (kind: string | null, err: unknown) => jobsFailed(log, { kind, err });
  // What could not be told may be told since this start.
  const unblocked = unblockJobs(pool, kindsOf(configured(config.compliance))).catch((err: unknown) => onFailed(null, err));
  const runs: Record<BridgeJobKind, Run> = outboxRuns(outboxJobDeps(options, client));
  const jobs = startJobs({ pool, kinds: jobKinds(config, runs), everyMs: config.sweepSeconds * 1000, random: Math.random, onFailed });
  return {
    async [Symbol.asyncDispose]() {
      await stop.wait('background jobs', Promise.all([unblocked, jobs[Symbol.asyncDispose]()]), STOP_SHARE);
      await client[Symbol.asyncDispose]();
    },
  };
}

function jobKinds(config: Config, runs: Record<BridgeJobKind, Run>): JobKind[] {
  const pace = { sweepMs: config.sweepSeconds * 1000, reconcileMs: config.reconcileSeconds * 1000 };
  const kinds: [string, KindSpec & { every?: (pace: Pace) => number }][] = Object.entries(JOB_KINDS);
  return kinds.map(([kind, { every, ...spec }]) => ({
    ...{ ...spec, kind, everyMs: every?.(pace) ?? null },
    ...{ backoff: scaled(config, spec.backoff), run: runs[kind as BridgeJobKind] },
  }));
}

function scaled({ retryScale }: Config, { firstMs, mostMs }: Backoff): Backoff {
  return { firstMs: firstMs * retryScale, mostMs: mostMs * retryScale };
}

function outboxJobDeps({ core, embeddedUrl }: Options, client: ReturnType<typeof openComplianceClient>): OutboxJobDeps {
  const { config, log, pool } = core;
  const dialect = config.compliance.kind === 'remote' ? config.compliance.dialect : embeddedDialect;
  const endpoints = createEndpoints({ find: (id) => core.destinations.find(id), dialect, embeddedUrl });
  const extensions = extensionsOf(core);
  return {
    orders: (kind, ids) => toldOrders(pool, kind, ids),
    isWanted: async ({ connectionId }) => (await core.cache.get(connectionId))?.settings.monthBy === 'delivery',
    supports: async (destinationId, kind) => (await extensions(destinationId))[EXTENSION[kind]] === 'supported',
    async tell(kind, { destinationId, complianceId, deliveredAt }, signal) {
      const endpoint = await endpoints(destinationId);
      if (kind === 'forget-buyer') return client.forgetBuyer(endpoint, complianceId, signal);
      return client.putDelivered(endpoint, { complianceId, body: JSON.stringify({ at: deliveredAt }) }, signal);
    },
    isGone: async ({ destinationId, complianceId }: Told, signal) => (await client.readRecord(await endpoints(destinationId), complianceId, signal)) === null,
    onDone: (kind, orderId) => outboxJobDone(log, { orderId, kind }),
    onNotDone: (kind, orderId, why) => outboxJobNotDone(log, { orderId, kind, why }),
    backoff: scaled(config, JOB_KINDS['forget-buyer'].backoff),
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

function configured(compliance: ComplianceConfig): Extensions {
  return extensionsAt(compliance, compliance.kind === 'remote' ? compliance.baseUrl : null);
}

function kindsOf(extensions: Extensions): OutboxKind[] {
  return OUTBOX_KINDS.filter((kind) => extensions[EXTENSION[kind]] === 'supported');
}

/** What the service at this address offers, null being our own: ours all, another one what the environment says of the one that it names. */
export function extensionsAt(compliance: ComplianceConfig, baseUrl: string | null): Extensions {
  if (baseUrl === null) return embeddedExtensions;
  return compliance.kind === 'remote' ? (compliance.extensions ?? NO_EXTENSIONS) : NO_EXTENSIONS;
}
