import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openQueues } from '../../src/app/queues.ts';
import { readPageDeps } from '../../src/app/store-reader.ts';
import { handOverOutdated, outdatedOf, readPage } from '../../src/bridge/reconciliation/read-page.ts';
import { isUuid } from '../../src/contract/uuid.ts';
import type { Pool } from '../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../src/platform/postgres/read-rows.ts';
import { longTest } from '../support/long-test.ts';
import { madeAt } from '../support/made-at.ts';
import { startComplianceServer } from '../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { Bridge, orderOf } from '../support/worlds/bridge.ts';
import { callerOf, orderDto, shopDto } from '../support/worlds/compliance-caller.ts';
import { ListedShop } from '../support/worlds/listed-shop.ts';
import { until } from '../support/worlds/settled.ts';
import { sharingKey } from '../support/worlds/sharing-key.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const ids = rowsOf('ids', z.object({ id: z.uuid() }));
const idsOf = async (pool: Pool, table: string) => (await readRows(pool, ids, { text: `select id from ${table}` })).map(({ id }) => id);

/** Each was made in that time, and is an id wherever one is asked for. */
function expectMadeSince(ids: readonly string[], since: number): void {
  for (const id of ids) {
    expect(isUuid(id)).toBe(true);
    expect(madeAt(id)).toBeGreaterThanOrEqual(since);
    expect(madeAt(id)).toBeLessThanOrEqual(Date.now());
  }
}

longTest('the ids of webhooks, and of news that were read from a store, begin with their time', async () => {
  await using bridge = await Bridge.start({ databaseUrl: await postgres.createDatabase('bridge'), role: 'all' });
  const since = Date.now();
  const store = await bridge.connect();
  const shop = new ListedShop();
  shop.save(orderOf('4'));
  await using queues = openQueues(bridge.app.core);

  for (const order of ['1', '2', '3']) expect(await bridge.send(store, 'order.paid', { order: orderOf(order) })).toBe(200);
  const [deps, opened] = [readPageDeps({ core: bridge.app.core, queues }), shop.opened(store.connection)];
  await handOverOutdated(deps, opened, outdatedOf(await readPage(deps, opened, { since: '2026-10-01T00:00:00.000Z', after: null, size: 100 })));
  await until(async () => (await idsOf(bridge.pool, 'deliveries')).length === 4, { what: 'all of them to be kept' });

  expectMadeSince(await idsOf(bridge.pool, 'deliveries'), since);
});

test.each([
  { automaticReceipts: true, how: 'with the record' },
  { automaticReceipts: false, how: 'when asked for' },
])('the ids of a record, its receipt and its mail begin with their time, if the receipt is made $how', async ({ automaticReceipts }) => {
  await using server = await startComplianceServer({ databaseUrl: await postgres.createDatabase('service'), now: () => new Date() });
  const key = await sharingKey(server, { multiShop: true });
  const call = callerOf(server.baseUrl, key);
  const shop = await call('POST', '/shop', { body: shopDto() });
  await callerOf(server.baseUrl, key, '/service/v1')('PATCH', `/shops/${shop.body['id']}`, { body: { automaticReceipts } });
  const since = Date.now();

  const order = await call('POST', '/order', { body: orderDto(String(shop.body['id'])) });
  expect(order.body).toMatchObject({ id: expect.any(String) });
  if (!automaticReceipts) expect((await call('POST', `/order/${order.body['id']}/receipt`, {})).status).toBe(200);

  for (const table of ['orders', 'receipts', 'mails']) {
    const made = await idsOf(server.pool, `compliance.${table}`);
    expect(made, table).toHaveLength(1);
    expectMadeSince(made, since);
  }
});
