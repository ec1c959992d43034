import { expect, test } from 'vitest';
import { z } from 'zod';
import { factColumns } from '../../../../src/bridge/ledger/fact-columns.ts';
import { keptOrders } from '../../../../src/bridge/ledger/kept-order.ts';
import { LEDGER_SCHEMA, migrateLedger } from '../../../../src/bridge/ledger/migrate-ledger.ts';
import { type Facts, noFacts } from '../../../../src/bridge/order/facts.ts';
import { createPool, type Pool } from '../../../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { at, refund, snapshot, transaction } from '../../../support/samples/order-facts.ts';
import { makeOldSchema } from '../../../support/servers/old-database.ts';
import { startPostgres } from '../../../support/servers/postgres.ts';

const { customer: _apart, ...none } = noFacts;
type Stored = Omit<Facts, 'customer'>;

const long = 'Ж'.repeat(20_000);
const ALL: readonly Stored[] = [
  none,
  { ...none, paidAt: at('11:00') },
  { ...none, snapshot: snapshot() },
  { ...none, snapshot: snapshot({ paidAt: null }), paidAt: at('11:00'), refunds: { r1: refund() }, transactions: { t1: transaction() } },
  { ...none, snapshot: snapshot({ paidAt: null, total: '1e9', currency: 'BGN', deliveredAt: at('12:00') }) },
  { ...none, snapshot: snapshot({ total: '-3.00', status: long }), identities: ['a', 'b'] },
];
const record = {
  ...{ internalId: '1', internalNumber: '#1', internalCreatedAt: '2026-11-20T11:55:00+02:00', currency: 'EUR', precision: 2, transactionId: 'pi_1' },
  lineItems: [{ name: 'Mug', quantity: 1, price: '24.00', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' }],
  ...{ paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Stripe' },
};
const other = { ...record, internalNumber: '#2' };

/** Orders of every kind of facts, as version 8 kept them: the 2nd and 3rd wait for a person, in the middle of a create; of the 3rd the journal has another record. */
async function fill(pool: Pool): Promise<void> {
  await pool.query(`insert into destinations (id, key_digest, credentials) values (gen_random_uuid(), 'k', 'c')`);
  await pool.query(`insert into connections (id, platform, name, shop_id, destination_id, secrets, settings, record_from)
    select 'c_1', 'standard', 'corner', gen_random_uuid(), id, 's', '{}', now() from destinations`);
  for (const [n, facts] of ALL.entries()) {
    await pool.query(
      `insert into orders (shop_id, platform, store, order_id, connection_id, number, facts, revision, state, open_step)
       select shop_id, 'standard', 'corner', $1::int, 'c_1', $2::jsonb #>> '{snapshot,number}', $2, 1, case when $1 in (2, 3) then 'unconfirmed' else 'queued' end,
         case when $1 in (2, 3) then jsonb_build_object('kind', 'create', 'seq', 1, 'uncertain', true, 'record', $3::jsonb, 'idempotencyKey', 'key', 'destinationId', destination_id) end
       from connections`,
      [n + 1, JSON.stringify(facts), JSON.stringify(record)],
    );
  }
  await pool.query(
    `insert into steps (order_ref, seq, kind, revision, destination_id, record)
     select o.id, 1, 'create', 1, c.destination_id, case o.order_id when '2' then $1::jsonb else $2::jsonb end from orders o, connections c where o.order_id in ('2', '3')`,
    [JSON.stringify(record), JSON.stringify(other)],
  );
}

const columns = z.object({
  ...{ number: z.string().nullable(), sold_at: z.string().nullable(), total: z.string().nullable() },
  ...{ currency: z.string().nullable(), delivered_at: z.string().nullable() },
});
const stepRows = rowsOf('orders', z.object({ inStep: z.boolean() }));
const askedRows = rowsOf(
  'asked_orders',
  z.object({ order_ref: z.int(), total: z.string().nullable(), currency: z.string().nullable(), month: z.string().nullable() }),
);
const asked = (pool: Pool) => readRows(pool, askedRows, { text: 'select order_ref, total::text, currency, month from asked_orders order by 1' });

test('an upgrade carries over all facts, what lists read of them, and steps under way', async () => {
  await using postgres = await startPostgres();
  const pool = createPool({ url: postgres.url, schema: LEDGER_SCHEMA, max: 2, onError: () => undefined });
  await using _ = { [Symbol.asyncDispose]: () => pool.end() };
  await makeOldSchema(pool, LEDGER_SCHEMA, 8);
  await fill(pool);
  const askedBefore = await asked(pool);

  await migrateLedger(pool);

  const { orders, unreadable } = await keptOrders(pool, {});
  expect(unreadable).toEqual([]);
  expect(orders.toReversed().map(({ facts }) => facts)).toEqual(ALL);
  const repeated = await readRows(pool, rowsOf('orders', columns), {
    text: 'select number, sold_at, total::text, currency, delivered_at from orders order by id',
  });
  expect(repeated).toEqual(ALL.map((facts) => columns.parse(factColumns(facts))));
  expect(orders.flatMap(({ openStep }) => (openStep === null ? [] : [openStep]))).toMatchObject([{ record }, { record }]);
  const open = await readRows(pool, stepRows, { text: `select open_step ? 'record' as "inStep" from orders where open_step is not null order by id` });
  expect(open.map(({ inStep }) => inStep)).toEqual([false, true]);
  expect(askedBefore).toHaveLength(2);
  await pool.query('update orders set state = state');
  expect(await asked(pool)).toEqual(askedBefore);
});
