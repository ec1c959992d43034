import { expect, test } from 'vitest';
import type { SettingsInput } from '../../../../src/bridge/connections/connection-settings.ts';
import { createClaimStore } from '../../../../src/bridge/ledger/orders/claim-store.ts';
import { reevaluate } from '../../../../src/bridge/ledger/orders/pending-orders.ts';
import type { Claim } from '../../../../src/bridge/order/decisions/claim.ts';
import type { ReceiptStep } from '../../../../src/bridge/order/decisions/step.ts';
import { type Pool, reserveConnection } from '../../../../src/platform/postgres/postgres.ts';
import type { Bridge, Connected } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

/** Two orders without facts, which no worker processes; the second one was known first. */
async function twoOrders({ pool }: Bridge, { connection }: Connected): Promise<void> {
  const facts = { snapshot: null, snapshotSeenAt: null, paidSeenAt: null, paidAt: null, deletedAt: null, restoredAt: null, refunds: {}, transactions: {} };
  await pool.query(
    `with made as (insert into orders (shop_id, platform, store, order_id, connection_id, revision, state)
       select c.shop_id, c.platform, 'corner', n::text, c.id, 1, 'queued' from connections c, generate_series(2, 1, -1) n where c.id = $1 returning id)
     insert into order_facts select id, $2::jsonb from made`,
    [connection.id, facts],
  );
}

const waiting = (pool: Pool) => pool.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
const lock = `select from orders where order_id = $1 for update`;

test.each(['begin', 'write'] as const)(
  'a recorder that has some orders of a page of attempts (%s) and locks the others waits for nobody who waits for it',
  async (what) => {
    await using it = await world({ role: 'receiver' });
    const { pool } = it.bridge;
    const connected = await it.bridge.connect();
    await twoOrders(it.bridge, connected);
    const ledger = createClaimStore(pool, { leaseMs: 30_000 });
    const claimed = async (id: string): Promise<Claim> => {
      const claim = await ledger.claim((await it.bridge.order(connected, id))?.id ?? 0);
      if ('kind' in claim) throw new Error(`the order ${id} was not claimed: ${claim.kind}`);
      return claim;
    };
    const [first, second] = [await claimed('1'), await claimed('2')];
    using recorder = await reserveConnection(pool);
    await recorder.client.query('begin');
    await recorder.client.query(lock, ['1']);

    const destinationId = connected.connection.destinationId;
    const step: ReceiptStep = { kind: 'receipt', seq: 1, destinationId, complianceId: 'R-1', uncertain: false };
    // The attempt of the second order ends first.
    const firstAttempts = Promise.allSettled(
      [second, first].map((claim) => (what === 'begin' ? ledger.begin({ claim, step }) : ledger.write({ claim, write: { state: 'ignored' } }))),
    );
    await until(async () => (await waiting(pool)).rowCount === 1, { what: 'the attempts to wait for the recorder' });
    await recorder.client.query(lock, ['2']);
    await recorder.client.query('commit');

    const done = { status: 'fulfilled', value: what === 'begin' ? { isKnown: true } : { owned: true } };
    expect(await firstAttempts).toMatchObject([done, done]);
  },
);

test('a recorder waits for nobody who waits for it while many orders are decided anew', async () => {
  await using it = await world({ role: 'receiver' });
  const { pool } = it.bridge;
  const connected = await it.bridge.connect();
  await twoOrders(it.bridge, connected);
  await pool.query(`update orders set state = 'review', review_code = 'payment.unmapped'`);
  using recorder = await reserveConnection(pool);
  await recorder.client.query('begin');
  await recorder.client.query(lock, ['1']);

  const released = Promise.allSettled([reevaluate(pool, { connectionId: connected.connection.id, codes: ['payment.unmapped'] })]);
  await until(async () => (await waiting(pool)).rowCount === 1, { what: 'the release to wait for the recorder' });
  await recorder.client.query(lock, ['2']);
  await recorder.client.query('commit');

  expect(await released).toMatchObject([{ status: 'fulfilled', value: [{}, {}] }]);
});

test('a recorder waits for no change of settings that waits for it', async () => {
  await using it = await world({ role: 'receiver' });
  const { pool } = it.bridge;
  const { connection } = await it.bridge.connect();
  await twoOrders(it.bridge, { connection, secret: '' });
  await pool.query(`update orders set compliance_id = 'R-' || order_id, delivered_at = '2026-11-05T09:00:00.000Z'`);
  using recorder = await reserveConnection(pool);
  await recorder.client.query('begin');
  await recorder.client.query(lock, ['1']);

  const edit = { by: 'cli:a@b', edit: ({ settings }: { settings: SettingsInput }): SettingsInput => ({ ...settings, monthBy: 'delivery' }) } as const;
  const changed = Promise.allSettled([it.bridge.app.core.connections.changeSettings(connection.id, edit)]);
  await until(async () => (await waiting(pool)).rowCount === 1, { what: 'the change to wait for the recorder' });
  await recorder.client.query('select from connections where id = $1 for key share', [connection.id]);
  await recorder.client.query(`insert into jobs (kind, key) select 'delivered', id::text from orders where order_id = '1'`);
  await recorder.client.query('commit');

  expect(await changed).toMatchObject([{ status: 'fulfilled' }]);
  expect((await pool.query(`select from jobs where key <> ''`)).rowCount).toBe(2);
});
