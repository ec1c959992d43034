import { setTimeout as sleep } from 'node:timers/promises';
import { outstandingNotReported, outstandingReported } from '../bridge/bridge-events.ts';
import { type Connection, termsOf } from '../bridge/connections/connection.ts';
import { addShop, addShops, noteLooked, reportedShop, unrecordedOrders } from '../bridge/ledger/alerts/outstanding-store.ts';
import type { Reply } from '../bridge/order/decisions/answer.ts';
import {
  type PaidOrder,
  paidOrder,
  type ReportDeps,
  type Reported,
  type ReportedShop,
  reportOutstanding,
} from '../bridge/reconciliation/report-outstanding.ts';
import { storefrontOf, storefronts } from '../bridge/storefronts/registry.ts';
import type { OutstandingDto } from '../contract/outstanding-dto.ts';
import type { ReporterKind } from '../operations/job-kinds.ts';
import { DONE, each, type Run, whole } from '../platform/jobs/job-kind.ts';
import { sofiaDay } from '../service/law/calendar.ts';
import { listingMonth } from '../service/law/deadlines.ts';
import { openComplianceClient } from './compliance-api.ts';
import type { Core } from './core.ts';
import { openEndpoints } from './gateway.ts';
import { runKinds } from './run-kinds.ts';

/** Tells compliance services of paid orders that are not recorded. */
export type OutstandingReporter = AsyncDisposable & {
  /** Tells of one shop now. */
  report(shopId: string): Promise<void>;
};

/** An order that is recorded in the usual way takes seconds. */
const GRACE_MS = 3 * 60_000;
const STOP_SHARE = { mostMs: 5_000, keepMs: 4_500 };
/** While another process has the shop. */
const TAKEN_MS = 500;
const TAKES = 20;

/** Looks at each shop five times as often as stores are read: every three minutes, unless that was changed. */
export function startReporting({ core, embeddedUrl }: { core: Core; embeddedUrl(): Promise<string> }): OutstandingReporter {
  const { pool, config, stop } = core;
  const client = openComplianceClient(config);
  const endpoints = openEndpoints(core, embeddedUrl);
  const put = async ({ shopId, destinationId }: ReportedShop, list: OutstandingDto, signal: AbortSignal) =>
    client.putOutstanding(await endpoints(destinationId), { shopId, body: JSON.stringify(list) }, signal);
  const runs: Record<ReporterKind, Run> = {
    'outstanding-shops': whole(() => addShops(pool)),
    outstanding: each(async ({ key }, signal) => {
      const shop = await reportedShop(pool, key);
      return shop === null ? DONE : { is: 'again', ms: await reportShop(core, shop, (list) => put(shop, list, signal)) };
    }),
  };
  const jobs = runKinds(core, runs);
  return {
    async report(shopId) {
      await addShop(pool, shopId);
      for (let i = 0; i < TAKES; i += 1) {
        const end = await jobs.runNow('outstanding', shopId);
        if (end?.is === 'failed') throw new Error(end.why);
        if (end !== null) return;
        await sleep(TAKEN_MS);
      }
      throw new Error('another process is reporting what is outstanding, and has not ended');
    },
    async [Symbol.asyncDispose]() {
      await stop.wait('reports of what is outstanding', jobs[Symbol.asyncDispose](), STOP_SHARE);
      await client[Symbol.asyncDispose]();
    },
  };
}

/** Returns the ms until it is to be looked at again. */
async function reportShop(core: Core, shop: ReportedShop, put: (list: OutstandingDto) => Promise<Reply>): Promise<number> {
  const everyMs = (core.config.reconcileSeconds * 1000) / 5;
  let waitMs = everyMs;
  const deps: ReportDeps = {
    ledger: {
      paidOrders: (shopId) => paidOrders(core, shopId),
      async looked(_, { nextMs, ...looked }) {
        waitMs = nextMs;
        await noteLooked(core.pool, shop, looked);
      },
    },
    put: (_, list) => put(list),
    monthOf: (createdAt) => listingMonth(createdAt, sofiaDay(new Date().toISOString())),
    everyMs,
    now: Date.now,
  };
  note(core, shop, await reportOutstanding(deps, shop));
  return waitMs;
}

function note({ log }: Core, { shopId, error }: ReportedShop, reported: Reported): void {
  if (reported.kind === 'reported') outstandingReported(log, { shopId, orders: reported.orders });
  // Once; a service that is down has lines of its own.
  if (reported.kind === 'failed' && error === null) outstandingNotReported(log, { shopId, why: reported.why });
}

async function* paidOrders({ pool, cache }: Core, shopId: string): AsyncGenerator<PaidOrder[]> {
  const known = new Map<string, Connection | null>();
  for await (const page of unrecordedOrders(pool, shopId, GRACE_MS)) {
    for (const { connectionId } of page) if (!known.has(connectionId)) known.set(connectionId, await cache.get(connectionId));
    yield page.flatMap(({ connectionId, ...order }) => {
      const connection = known.get(connectionId) ?? null;
      return connection === null ? [] : (paidOrder(order, termsOf(connection, storefrontOf(storefronts, connection.platform))) ?? []);
    });
  }
}
