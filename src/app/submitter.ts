import { AsyncResource } from 'node:async_hooks';
import { destinationNotNoted, destinationPaused, unknownOrderNotLearned } from '../bridge/bridge-events.ts';
import type { Connection } from '../bridge/connections/connection.ts';
import type { AttemptDeps, AttemptOptions, BegunSend, ComplianceGateway } from '../bridge/delivery/attempt-ports.ts';
import { probeAt } from '../bridge/delivery/maintenance-worker.ts';
import { createPauses, type Pauses } from '../bridge/delivery/pauses.ts';
import { type Claimed, firstStep, type Processed, type ProcessInput, processClaimed, processOrder } from '../bridge/delivery/process-order.ts';
import { createUnknownOrderAnswers } from '../bridge/delivery/unknown-order-answers.ts';
import { createClaimStore } from '../bridge/ledger/orders/claim-store.ts';
import type { Claim } from '../bridge/order/decisions/claim.ts';
import { storefronts } from '../bridge/storefronts/registry.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import { openComplianceClient } from './compliance-api.ts';
import type { Core } from './core.ts';
import { createGateway, openEndpoints, unknownOrderLedger } from './gateway.ts';
import { noteStoreApi } from './note-warnings.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Queues } from './queues.ts';
import { openStoreCalls, openStoreKeys } from './store-access.ts';
import { tracedCalls } from './traced.ts';

export type Submitter = AsyncDisposable & {
  attempt(input: ProcessInput, signal?: AbortSignal): Promise<Processed>;
  /** An attempt at an order that is claimed. */
  processClaimed(attempt: Claimed & AttemptOptions, signal: AbortSignal): Promise<Processed>;
  /** The first step of an attempt at a claimed order, if that may be sent now; null: the attempt decides, and reports what is wrong with the order. */
  firstStep(claim: Claim): Promise<BegunSend | null>;
  /** Some destination is paused. */
  somePause(): Promise<boolean>;
  connection(id: string): Promise<Connection>;
};

/** The rows of a page are locked while its first steps are decided. */
const PLAN_MS = 1_000;

export type SubmitterOptions = {
  core: Core;
  queues: Queues;
  metrics: Metrics;
  embeddedUrl(): Promise<string>;
  /** What stands between the worker and the services; nothing if absent. The demo loses a reply there. */
  between?: (gateway: ComplianceGateway) => ComplianceGateway;
};

/** The submitter, wired: ledger, pauses, compliance client, storefronts. */
export function createSubmitter({ core, queues, metrics, embeddedUrl, between = (gateway) => gateway }: SubmitterOptions): Submitter {
  const { config, log, cache, destinations, pool, traces } = core;
  const client = openComplianceClient(config, traces === null ? undefined : tracedCalls(traces));
  const endpoints = openEndpoints(core, embeddedUrl);
  const unknownOrderAnswers = createUnknownOrderAnswers({
    ledger: unknownOrderLedger(destinations),
    // Part of no order's trace.
    deleteOrder: AsyncResource.bind(async (id: string, complianceId: string, signal: AbortSignal) =>
      client.deleteOrder(await endpoints(id), complianceId, signal),
    ),
    onFailed: (destinationId, err) => unknownOrderNotLearned(log, { destinationId, err }),
    now: Date.now,
  });
  const connection = (id: string, options?: { fresh: true }) => known(options === undefined ? cache.get(id) : cache.fresh(id), id);
  const deps: AttemptDeps = {
    ledger: createClaimStore(pool, { leaseMs: config.leaseSeconds * 1000 }),
    connection,
    compliance: between(createGateway({ ...config, client, endpoints, unknownOrderAnswers, now: Date.now })),
    pauses: openPauses(core, queues),
    storefronts,
    stores: openStoreCalls(core),
    ...openStoreKeys(core),
    noteStoreApi: (id, refusal) => noteStoreApi(core, id, refusal),
    now: Date.now,
    random: Math.random,
    onVatDifference: () => metrics.vatDiffers.inc(),
    onStep: ({ kind, outcome, ms }) => {
      metrics.steps.inc({ kind, outcome });
      metrics.stepSeconds.observe({ kind }, ms / 1000);
    },
  };
  return {
    attempt: (input, signal) => processOrder(deps, input, signal),
    processClaimed: (attempt, signal) => processClaimed(deps, attempt, signal),
    firstStep: (claim) => withTimeout(PLAN_MS, firstStep(deps, claim)).catch(() => null),
    somePause: () => deps.pauses.some(),
    connection,
    async [Symbol.asyncDispose]() {
      await unknownOrderAnswers[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

function openPauses({ destinations, log }: Core, { maintenance, notify }: Queues): Pauses {
  return createPauses({
    ledger: destinations,
    now: Date.now,
    random: Math.random,
    probeIn: (scope, ms) => probeAt(maintenance, scope, ms),
    resumed: () => notify([{ id: 0, dueAt: 0 }]),
    onPause: (pause) => destinationPaused(log, pause),
    onFailed: (err) => destinationNotNoted(log, err),
  });
}

async function known(found: Promise<Connection | null>, id: string): Promise<Connection> {
  const connection = await found;
  if (connection === null) throw new Error(`connection ${id} is not in the ledger`);
  return connection;
}
