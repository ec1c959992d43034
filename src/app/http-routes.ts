import type { RequestListener } from 'node:http';
import type { Queue } from 'bullmq';
import { requestFailed } from '../bridge/bridge-events.ts';
import type { ThrottledCounts } from '../bridge/intake/throttled-counts.ts';
import { backlog } from '../bridge/ledger/behind-store.ts';
import { countHeldHosts } from '../bridge/ledger/held-deliveries.ts';
import { inboxSize } from '../bridge/ledger/inbox-store.ts';
import { countParked, countStates } from '../bridge/ledger/kept-order.ts';
import { storePauses } from '../bridge/ledger/store-calls.ts';
import type { Role } from '../config/config.ts';
import { createHttpApp } from '../platform/http/http-app.ts';
import { ping } from '../platform/postgres/postgres.ts';
import { within } from '../platform/within.ts';
import type { ComplianceService } from '../service/compliance-service.ts';
import type { ComplianceQueues } from './compliance-work.ts';
import type { Core } from './core.ts';
import { addBridgeGauges, addComplianceGauges, type Metrics } from './ops/metrics.ts';
import { opsRouter } from './ops/ops-router.ts';
import type { Queues } from './queues.ts';
import { createReceiver } from './receiver.ts';

/** The parts of a role; `compliance` is null where our compliance service is not served. */
export type Parts = {
  core: Core;
  metrics: Metrics;
  queues: Queues;
  throttled: ThrottledCounts;
  compliance: { service: ComplianceService; queues: ComplianceQueues } | null;
  role: Role;
  isStopping(): boolean;
};

const PING_MS = 1_500;

/** The HTTP interface of a role. */
export function httpApp(parts: Parts): RequestListener {
  const { core, metrics, queues, throttled, compliance, role, isStopping } = parts;
  const receives = role === 'all' || role === 'receiver';
  const refresh = gauges(parts);
  const boards = [...bridgeQueues(role, queues), ...(compliance === null ? [] : [compliance.queues.jobs, compliance.queues.mails])];
  const adminToken = core.config.adminToken?.reveal() ?? null;
  return createHttpApp({
    routes: [
      ...(receives ? [{ path: '/', router: createReceiver({ core, queues, metrics, throttled }) }] : []),
      ...(compliance === null ? [] : serviceRoutes(compliance.service, core)),
      { path: '/', router: opsRouter({ registry: metrics.registry, refresh, checks: checks(parts), adminToken, queues: boards, isStopping }) },
    ],
    isStopping,
    trustProxy: core.config.trustProxy,
    onError: (err) => requestFailed(core.log, err),
  });
}

function gauges({ core, metrics, queues, compliance }: Parts): () => Promise<void> {
  const bridge = addBridgeGauges(metrics.registry, () => within(PING_MS, readGauges(core, queues, compliance?.queues ?? null)));
  if (compliance === null) return bridge;
  const service = addComplianceGauges(metrics.registry, () => within(PING_MS, compliance.service.attention()));
  return async () => void (await Promise.all([bridge(), service()]));
}

function serviceRoutes(service: ComplianceService, { config }: Core) {
  return [
    { path: '/public-api/v1', router: service.router },
    { path: '/service/v1', router: service.readingRouter },
    { path: '/', router: service.openApiRouter },
    ...(config.complianceRehearsal === true ? [{ path: '/rehearsal', router: service.rehearsalRouter }] : []),
  ];
}

function bridgeQueues(role: Role, { deliveries, submissions, maintenance }: Queues) {
  return role === 'compliance' ? [] : [deliveries, submissions, maintenance];
}

// The compliance service answers without the queue: files and mails wait for it, orders do not.
function checks({ core: { pool }, role, queues }: Parts): Record<string, () => Promise<void>> {
  const database = async () => {
    await within(PING_MS, ping(pool));
  };
  return role === 'compliance' ? { database } : { database, queue: () => queues.system.ping(PING_MS) };
}

async function readGauges({ pool, destinations }: Core, { deliveries, submissions }: Queues, own: ComplianceQueues | null) {
  const counted: Pick<Queue, 'name' | 'getJobCounts'>[] = [deliveries, submissions, ...(own === null ? [] : [own.jobs, own.mails])];
  const [states, parked, hosts, pauses, stores, { behind, oldestSeconds }, inbox] = await Promise.all([
    countStates(pool),
    countParked(pool),
    countHeldHosts(pool),
    destinations.pauses(),
    storePauses(pool),
    backlog(pool),
    inboxSize(pool),
  ]);
  const jobs = Object.fromEntries(
    await Promise.all(counted.map(async (queue) => [queue.name, await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed')] as const)),
  );
  return {
    states,
    parked: hosts === 0 ? parked : { ...parked, 'store.other': hosts },
    paused: pauses.length,
    storesPaused: stores.length,
    behind,
    oldestSeconds,
    inbox,
    jobs,
  };
}
