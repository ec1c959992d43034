import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connection } from '../../../../src/bridge/connections/connection.ts';
import { putInInbox } from '../../../../src/bridge/ledger/deliveries/inbox-store.ts';
import { knownSummaries } from '../../../../src/bridge/ledger/sync/known-summaries.ts';
import { handOverOutdated, outdatedOf, type PageRead, type ReadableStore, readPage } from '../../../../src/bridge/reconciliation/read-page.ts';
import { api, changedSince, ordersById } from '../../../../src/bridge/storefronts/standard/read-orders.ts';
import { OwnShop } from '../../../support/servers/own-shop.ts';
import { startPostgres, type TestPostgres } from '../../../support/servers/postgres.ts';
import { ScriptedCompliance } from '../../../support/servers/scripted-compliance.ts';
import { fetchJson } from '../../../support/servers/store-api.ts';
import { Bridge, type Connected, orderOf } from '../../../support/worlds/bridge.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;

let postgres: TestPostgres;
let service: ScriptedCompliance;
let bridge: Bridge;
let shop: OwnShop;

beforeAll(async () => {
  [postgres, service, shop] = await Promise.all([startPostgres(), ScriptedCompliance.start({ honoursIdempotency: true }), OwnShop.start(secret)]);
  bridge = await Bridge.start({ databaseUrl: postgres.url, complianceUrl: service.url });
});
afterAll(async () => {
  await bridge[Symbol.asyncDispose]();
  await Promise.all([postgres, service, shop].map((one) => one[Symbol.asyncDispose]()));
});

function readable(connection: Connection): ReadableStore {
  const access = { url: shop.url };
  const means = () => ({ fetchJson, now: Date.now(), secret });
  return {
    connection,
    storeName: null,
    changedSince: (query) => changedSince(access, query, means()),
    ordersById: (sought) => ordersById(access, sought, means()),
  };
}

/** Reads all that changed, a page of two orders after the other. */
async function walk({ connection }: Connected): Promise<PageRead[]> {
  const live = (await bridge.app.core.connections.find(connection.id)) ?? connection;
  const deps = {
    knownSummaries: (of: Connection, ids: readonly string[]) => knownSummaries(bridge.pool, of, ids),
    handOver: async (deliveries: Parameters<typeof putInInbox>[1][]) => {
      for (const delivery of deliveries) await putInInbox(bridge.pool, delivery);
    },
    noteUnread: async () => undefined,
    now: Date.now,
  };
  const pages: PageRead[] = [];
  for (let after: string | null = null; pages.length === 0 || after !== null; after = pages.at(-1)?.next ?? null) {
    const page = await readPage(deps, readable(live), { since: '2026-01-01T00:00:00.000Z', after, size: 2 });
    await handOverOutdated(deps, readable(live), outdatedOf(page));
    pages.push(page);
  }
  return pages;
}

const found = (pages: readonly PageRead[]) => pages.flatMap(({ summaries }) => summaries.map(({ summary, is }) => [summary.orderId, is]));

test('orders of an own shop whose webhooks never came are recorded, what changes is followed, and what is known is left alone', async () => {
  const connected = await bridge.connect({ secret, access: { url: shop.url } });
  const ids = ['9001', '9002', '9003'];
  for (const id of ids) shop.save({ ...orderOf(id), updatedAt: '2026-11-01T10:00:00.000Z' });

  expect(found(await walk(connected))).toEqual(ids.map((id) => [id, 'unknown']));
  for (const id of ids) await bridge.settled(connected, id, 'recorded');
  expect(found(await walk(connected))).toEqual(ids.map((id) => [id, 'known']));

  const refunds = [{ id: 'r1', at: '2026-11-02T10:00:00Z', amount: '48.00' }];
  shop.save({ ...orderOf('9002'), updatedAt: '2026-11-02T10:00:00.000Z', refunds });
  expect(found(await walk(connected))).toEqual([
    ['9001', 'known'],
    ['9003', 'known'],
    ['9002', 'stale'],
  ]);
  await bridge.settled(connected, '9002', 'removed');
});

test('an order that the shop deleted without a word is a question for a person, as if a webhook had said it', async () => {
  const connected = await bridge.connect({ secret });
  shop.save({ ...orderOf('9101'), updatedAt: '2026-11-03T10:00:00.000Z' });
  await walk(connected);
  await bridge.settled(connected, '9101', 'recorded');

  shop.remove('9101', '2026-11-03T11:00:00.000Z');
  await walk(connected);

  expect((await bridge.settled(connected, '9101', 'review')).review).toMatchObject({ code: 'removal.unproven' });
  expect(api.lagMs).toBeGreaterThan(0);
});
