import { expect, test } from 'vitest';
import type { AttemptLedger } from '../../../../src/bridge/delivery/attempt-ports.ts';
import { BRIDGE_AUDIT_LOG, writeBridgeActs } from '../../../../src/bridge/ledger/bridge-acts.ts';
import { createClaimStore } from '../../../../src/bridge/ledger/orders/claim-store.ts';
import { reevaluate } from '../../../../src/bridge/ledger/orders/pending-orders.ts';
import type { Claim } from '../../../../src/bridge/order/decisions/claim.ts';
import type { Write } from '../../../../src/bridge/order/decisions/transition.ts';
import { curedByStoreAccess } from '../../../../src/bridge/order/facts/failure.ts';
import { type KeptAct, readActs } from '../../../../src/platform/audit-log/audit-log.ts';
import { type Pool, reserveConnection } from '../../../../src/platform/postgres/postgres.ts';
import { sealedAs } from '../../../support/keys/sealed-pool.ts';
import { type Bridge, type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { later, recorded } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();
const SHELLS = { payment: { method: 'shells' } };

/** What the audit log has of an order, the oldest first. */
async function history(bridge: Bridge, connected: Connected, id: string): Promise<KeptAct[]> {
  const found = await bridge.order(connected, id);
  return found === null ? [] : (await readActs(bridge.pool, BRIDGE_AUDIT_LOG, { orderRef: found.id, limit: 100 })).reverse();
}

test('an ordinary order leaves nothing in the audit log', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await recorded(it, connected, '1');

  expect(await history(it.bridge, connected, '1')).toEqual([]);
});

test('that an order needs review, and that newer facts answered the question, is history', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', SHELLS) });
  await it.bridge.settled(connected, '1', 'review');
  await it.bridge.send(connected, 'order.updated', { order: orderOf('1', { updatedAt: later(5) }) });
  await it.bridge.settled(connected, '1', 'recorded');

  const acts = await history(it.bridge, connected, '1');

  expect(acts).toMatchObject([
    {
      who: 'orderbridge',
      act: 'order.needs-review',
      connectionId: connected.connection.id,
      before: { state: 'queued' },
      after: { state: 'review', code: 'payment.unmapped', detail: expect.stringContaining('shells') },
    },
    { who: 'orderbridge', act: 'order.review-ended', before: { state: 'review', code: 'payment.unmapped' }, after: { state: 'queued' } },
  ]);
});

test('that a store’s API answers again, which releases an order without a person, is history', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', SHELLS) });
  await it.bridge.settled(connected, '1', 'review');
  await it.bridge.pool.query(`update orders set review_code = 'storefront.refused'`);

  expect(await reevaluate(it.bridge.pool, { connectionId: connected.connection.id, codes: curedByStoreAccess })).toHaveLength(1);

  const [, released] = await history(it.bridge, connected, '1');
  expect(released).toMatchObject({
    who: 'orderbridge',
    act: 'order.review-ended',
    before: { state: 'review', code: 'storefront.refused' },
    after: { state: 'queued' },
  });
});

test('of a refusal the audit log has the code and not the words of the service, which may repeat a buyer', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  it.service.next('create', { status: 422, body: { title: 'customer Мария Иванова is not valid' } });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  const { review } = await it.bridge.settled(connected, '1', 'review');

  expect(review?.detail).toContain('Мария');
  expect(await history(it.bridge, connected, '1')).toMatchObject([{ act: 'order.needs-review', after: { state: 'review', code: 'compliance.refused' } }]);
  expect(JSON.stringify(await history(it.bridge, connected, '1'))).not.toContain('Мария');
});

/** Orders without facts, which no worker processes. */
async function twoOrders({ pool }: Bridge, { connection }: Connected): Promise<void> {
  const facts = { snapshot: null, snapshotSeenAt: null, paidSeenAt: null, paidAt: null, deletedAt: null, restoredAt: null, refunds: {}, transactions: {} };
  await pool.query(
    `with made as (insert into orders (shop_id, platform, store, order_id, connection_id, revision, state)
       select c.shop_id, c.platform, 'corner', n::text, c.id, 1, 'queued' from connections c, generate_series(1, 2) n where c.id = $1 returning id)
     insert into order_facts select id, $2::jsonb from made`,
    [connection.id, facts],
  );
}

const ASK: Write = { state: 'review', review: { code: 'payment.unmapped', detail: 'shells has no type' }, reviewRevision: 1 };
const IGNORE: Write = { state: 'ignored', review: null, recordedRevision: 1 };

async function claimed(bridge: Bridge, connected: Connected, { ledger, id }: { ledger: AttemptLedger; id: string }): Promise<Claim> {
  const claim = await ledger.claim((await bridge.order(connected, id))?.id ?? 0);
  if ('kind' in claim) throw new Error(`the order ${id} was not claimed: ${claim.kind}`);
  return claim;
}

test('an attempt needs as many statements for an order that needs review as for any other', async () => {
  await using it = await world({ role: 'receiver' });
  const { bridge } = it;
  const { pool } = bridge;
  const connected = await bridge.connect();
  await twoOrders(bridge, connected);
  let statements = 0;
  const query: Pool['query'] = (...given) => {
    statements += 1;
    return pool.query(...given);
  };
  const ledger = createClaimStore(sealedAs(pool, { query, connect: () => pool.connect(), end: async () => undefined }), { leaseMs: 60_000 });
  const write = async (id: string, write: Write) => {
    const claim = await claimed(bridge, connected, { ledger, id });
    statements = 0;
    await ledger.write({ claim, write });
    return statements;
  };

  expect([await write('1', IGNORE), await write('2', ASK)]).toEqual([1, 1]);
  expect(await history(bridge, connected, '1')).toEqual([]);
  expect(await history(bridge, connected, '2')).toMatchObject([{ act: 'order.needs-review' }]);
  // The same question once more is nothing new; another one is.
  await write('2', ASK);
  expect(await history(bridge, connected, '2')).toHaveLength(1);
  await write('2', IGNORE);
  expect((await history(bridge, connected, '2')).map(({ act }) => act)).toEqual(['order.needs-review', 'order.review-ended']);
});

test('newer facts that are merged at the same moment tell that the order is out of review, and the attempt does not tell it again', async () => {
  await using it = await world({ role: 'receiver' });
  const { bridge } = it;
  const connected = await bridge.connect();
  await twoOrders(bridge, connected);
  const ledger = createClaimStore(bridge.pool, { leaseMs: 60_000 });
  const claim = await claimed(bridge, connected, { ledger, id: '1' });
  await ledger.write({ claim, write: { ...ASK, keep: true } });
  using merging = await reserveConnection(bridge.pool);

  await merging.client.query('begin');
  await merging.client.query(`update orders set revision = 2, state = 'queued', review_code = null, review_detail = null where id = $1`, [claim.id]);
  const written = ledger.write({ claim, write: IGNORE });
  await until(
    async () => (await bridge.pool.query(`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%sets_standing%'`)).rowCount === 1,
    {
      what: 'the write to wait for the merge',
    },
  );
  await merging.client.query('commit');

  expect(await written).toMatchObject({ owned: true, newer: true });
  expect((await history(bridge, connected, '1')).map(({ act }) => act)).toEqual(['order.needs-review']);
});

test.each(['bridge', 'compliance'])('the audit log of the schema %s is only added to', async (schema) => {
  await using it = await world({ embeddedService: true });
  const { pool } = it.bridge;
  await pool.query(`insert into ${schema}.acts (who, act) values ('cli:a@b', 'shop.create')`);

  for (const statement of [`update ${schema}.acts set why = ''`, `delete from ${schema}.acts`, `truncate ${schema}.acts`]) {
    await expect(pool.query(statement)).rejects.toThrow('acts are only added');
  }
  expect((await readActs(pool, { schema }, { limit: 10 })).length).toBeGreaterThan(0);
});

test('an act is written with what it tells of, or neither is', async () => {
  await using it = await world();
  const { connection } = await it.bridge.connect();
  const { pool, connections } = it.bridge.app.core;
  await writeBridgeActs(pool, []);
  await pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`);
  await pool.query('create trigger refuse before insert on acts for each row execute function refuse()');

  await expect(connections.close(connection.id, { by: 'cli:a@b' })).rejects.toThrow('no');

  expect(await connections.find(connection.id)).toMatchObject({ closedAt: null });
});
