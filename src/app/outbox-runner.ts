import { outboxJobDone, outboxJobNotDone, outboxJobsFailed } from '../bridge/bridge-events.ts';
import { type OutboxJob, runOutboxJobs, type Told } from '../bridge/delivery/run-outbox-jobs.ts';
import { createOutboxJobStore } from '../bridge/ledger/outbox-job-store.ts';
import type { Reply } from '../bridge/order/decisions/answer.ts';
import type { ComplianceConfig } from '../config/config.ts';
import { type Extensions, embeddedDialect, embeddedExtensions, NO_EXTENSIONS } from '../contract/dialect.ts';
import { repeat } from '../platform/repeat.ts';
import { openComplianceClient } from './compliance-access.ts';
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
