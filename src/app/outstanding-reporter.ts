import { setTimeout as sleep } from 'node:timers/promises';
import { outstandingFailed, outstandingNotReported, outstandingReported } from '../bridge/bridge-events.ts';
import type { ComplianceClient } from '../bridge/client/port.ts';
import { type Connection, termsOf } from '../bridge/connections/connection.ts';
import { createOutstandingStore, type LeasedShop, type OutstandingStore, unrecordedOrders } from '../bridge/ledger/alerts/outstanding-store.ts';
import { type PaidOrder, paidOrder, type ReportDeps, type Reported, reportOutstanding } from '../bridge/reconciliation/report-outstanding.ts';
import { storefrontOf, storefronts } from '../bridge/storefronts/registry.ts';
import { embeddedDialect } from '../contract/dialect.ts';
import { repeat } from '../platform/repeat.ts';
import { sofiaDay } from '../service/law/calendar.ts';
import { listingMonth } from '../service/law/deadlines.ts';
import { openComplianceClient } from './compliance-api.ts';
import type { Core } from './core.ts';
import { createEndpoints } from './gateway.ts';

/** Tells compliance services of paid orders that are not recorded. */
export type OutstandingReporter = AsyncDisposable & {
  /** Tells of one shop now. */
  report(shopId: string): Promise<void>;
};

type Options = { core: Core; embeddedUrl(): Promise<string> };

/** An order that is recorded in the usual way takes seconds. */
const GRACE_MS = 3 * 60_000;
/** Shops that are counted and told of at once. */
const AT_ONCE = 8;
const STOP_SHARE = { mostMs: 5_000, keepMs: 4_500 };
/** While another process has the shop. */
const TAKEN_MS = 500;
const TAKES = 20;

/** Looks at each shop five times as often as stores are read: every three minutes, unless that was changed. */
export function startReporting({ core, embeddedUrl }: Options): OutstandingReporter {
  const { log, config, stop } = core;
  const everyMs = (config.reconcileSeconds * 1000) / 5;
  const stopping = new AbortController();
  const store = createOutstandingStore(core.pool);
  const client = openComplianceClient(config);
  const report = reporter({ core, store, client, embeddedUrl, everyMs, signal: stopping.signal });
  const rounds = repeat(() => round({ core, store, everyMs, signal: stopping.signal }, report).catch((err: unknown) => outstandingFailed(log, err)), everyMs);
  return {
    async report(shopId) {
      for (let i = 0; i < TAKES && !stopping.signal.aborted; i += 1) {
        const shop = await store.take(shopId);
        if (shop === 'unknown') return;
        if (shop !== 'leased') return report(shop);
        await sleep(TAKEN_MS);
      }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await stop.wait('reports of what is outstanding', rounds.end(), STOP_SHARE);
      await client[Symbol.asyncDispose]();
    },
  };
}

type Round = { core: Core; store: OutstandingStore; everyMs: number; signal: AbortSignal };

async function round({ core: { log }, store, everyMs, signal }: Round, report: (shop: LeasedShop) => Promise<void>): Promise<void> {
  const end = Date.now() + everyMs;
  await store.add();
  while (!signal.aborted && Date.now() < end) {
    const shops = await store.takeDue(AT_ONCE);
    if (shops.length === 0) return;
    // One shop that can't be counted must not keep the others from being told; its lease keeps it from being taken again at once.
    await Promise.all(shops.map((shop) => report(shop).catch((err: unknown) => outstandingFailed(log, err))));
  }
}

type Means = Round & { client: Pick<ComplianceClient, 'putOutstanding'>; embeddedUrl: Options['embeddedUrl'] };

function reporter({ core, store, client, embeddedUrl, everyMs, signal }: Means): (shop: LeasedShop) => Promise<void> {
  const dialect = core.config.compliance.kind === 'remote' ? core.config.compliance.dialect : embeddedDialect;
  const endpoints = createEndpoints({ find: (id) => core.destinations.find(id), dialect, embeddedUrl });
  return async (shop) => {
    const deps: ReportDeps = {
      ledger: { paidOrders: (shopId) => paidOrders(core, shopId), looked: (_, looked) => store.looked(shop, looked) },
      put: async ({ shopId, destinationId }, list) => client.putOutstanding(await endpoints(destinationId), { shopId, body: JSON.stringify(list) }, signal),
      monthOf: (createdAt) => listingMonth(createdAt, sofiaDay(new Date().toISOString())),
      everyMs,
      now: Date.now,
    };
    note(core, shop, await reportOutstanding(deps, shop));
  };
}

function note({ log }: Core, { shopId, error }: LeasedShop, reported: Reported): void {
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
