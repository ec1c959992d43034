import type { Storefronts } from '../bridge/storefronts/contract.ts';
import { notAsked } from '../operations/health/read-health.ts';
import type { Together } from '../platform/together.ts';
import type { BeforeFile } from '../service/audit/month/serve-month.ts';
import { startAlerter } from './alerter.ts';
import { beforeFile } from './before-file.ts';
import { startBridgeJobs } from './bridge-jobs.ts';
import type { HealthReader } from './health-reader.ts';
import type { Parts } from './http-routes.ts';
import type { KnownHealth } from './incidents.ts';
import { startReporting } from './outstanding-reporter.ts';
import { createSubmitter, type Submitter } from './submitter.ts';
import { startWorkers } from './workers.ts';

const SUBMITTER_SHARE = { mostMs: 2_000, keepMs: 4_000 };

type BridgeParts = { submitter: Submitter; storefronts: Storefronts; url: string };

/** All that a worker does. Returns what is asked of it before a month's file is made. */
export function startBridge(parts: Parts, work: Together, { submitter, storefronts, url }: BridgeParts): BeforeFile {
  const { core, queues, metrics, healthReader } = parts;
  const { takenOver, record } = work.use(startWorkers({ core, queues, metrics, submitter }));
  work.use(startAlerter({ core, readHealth: () => knownHealth(healthReader) }));
  work.use(startBridgeJobs({ core, queues, metrics, takenOver, record, storefronts, embeddedUrl: embeddedUrlOf(parts, url) }));
  return openReporter(parts, work, url);
}

/** All that is asked, and which codes were not. */
async function knownHealth(healthReader: HealthReader): Promise<KnownHealth> {
  const health = await healthReader.now();
  return { health, notAsked: notAsked(health) };
}

/** Paid orders that are not recorded are reported, also before a month's file is made. */
function openReporter(parts: Parts, work: Together, url: string): BeforeFile {
  const { core } = parts;
  return beforeFile({ core, reporter: work.use(startReporting({ core, embeddedUrl: embeddedUrlOf(parts, url) })) });
}

function embeddedUrlOf({ role, compliance }: Parts, url: string): () => Promise<string> {
  return async () => {
    if (role === 'all' && compliance !== null) return url;
    throw new Error('this connection belongs to the embedded compliance service, which only role all can reach');
  };
}

/** What submits orders; it is stopped after all that uses it. */
export function openSubmitter(parts: Parts, resources: AsyncDisposableStack, url: string): Submitter {
  const { core, queues, metrics } = parts;
  const submitter = createSubmitter({ core, queues, metrics, embeddedUrl: embeddedUrlOf(parts, url) });
  resources.defer(() => core.stop.wait('submitter', submitter[Symbol.asyncDispose](), SUBMITTER_SHARE));
  return submitter;
}
