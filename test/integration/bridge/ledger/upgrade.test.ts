import { expect, test } from 'vitest';
import { createClaimStore } from '../../../../src/bridge/ledger/claim-store.ts';
import { createDestinationStore } from '../../../../src/bridge/ledger/destination-store.ts';
import { LEDGER_SCHEMA, migrateLedger } from '../../../../src/bridge/ledger/migrate-ledger.ts';
import { noFacts } from '../../../../src/bridge/order/facts.ts';
import { createPool, type Pool } from '../../../../src/platform/postgres/postgres.ts';
import { sealer } from '../../../../src/platform/seal.ts';
import { snapshot } from '../../../support/samples/order-facts.ts';
import { makeOldSchema } from '../../../support/servers/old-database.ts';
import { openPool } from '../../../support/servers/open-pool.ts';
import { startPostgres } from '../../../support/servers/postgres.ts';
import { Program } from '../../../support/servers/program.ts';
import { ENCRYPTION_KEY } from '../../../support/worlds/bridge.ts';

const { customer: _apart, ...facts } = { ...noFacts, snapshot: snapshot() };
const record = {
  internalId: '1',
  internalNumber: '#1',
  internalCreatedAt: '2026-11-20T11:55:00+02:00',
  lineItems: [{ name: 'Mug', quantity: 1, price: '24.00', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' }],
  paymentType: 'PAYMENT_PROCESSOR',
  paymentProcessorName: 'Stripe',
  currency: 'EUR',
  precision: 2,
  transactionId: 'pi_1',
};

/** One order in the middle of a create, at a destination that is paused, as the first release left them. */
async function leaveBehind(pool: Pool): Promise<void> {
  await pool.query(
    `with d as (insert into destinations (key_digest, credentials) values ('k', 'c') returning id),
      p as (insert into pauses (destination_id, code, detail, until) select id, 'compliance.throttled', '429', now() + interval '1 hour' from d),
      c as (insert into connections (id, platform, name, shop_id, destination_id, secrets, settings, record_from)
        select 'c_1', 'standard', 'corner', gen_random_uuid(), id, 's', '{}', now() from d returning shop_id, destination_id)
    insert into orders (shop_id, platform, store, order_id, connection_id, facts, revision, state, open_step)
    select shop_id, 'standard', 'corner', '1', 'c_1', $1, 1, 'queued', jsonb_build_object('kind', 'create', 'seq', 1, 'uncertain', false, 'record', $2::jsonb,
      'idempotencyKey', 'key', 'destinationId', destination_id) from c`,
    [facts, record],
  );
}

test('a ledger of the first release goes on: pauses are of records, and a step that was under way requests no receipt', async () => {
  await using postgres = await startPostgres();
  const pool = createPool({ url: postgres.url, schema: LEDGER_SCHEMA, max: 2, onError: () => undefined });
  try {
    await makeOldSchema(pool, LEDGER_SCHEMA, 1);
    await leaveBehind(pool);

    await migrateLedger(pool);

    const destinations = createDestinationStore(pool, sealer(Buffer.alloc(32)));
    expect(await destinations.pauses()).toMatchObject([{ lane: 'records', code: 'compliance.throttled' }]);
    const claim = await createClaimStore(pool, { leaseMs: 1_000 }).claim(1);
    expect(claim).toMatchObject({ receipt: null, openStep: { kind: 'create', uncertain: true } });
    expect(claim).not.toHaveProperty('openStep.receipt');
  } finally {
    await pool.end();
  }
});

test('a database that a newer program has upgraded is refused in one sentence, and stays as it is', async () => {
  await using postgres = await startPostgres();
  await using program = await Program.prepare({ DATABASE_URL: postgres.url, ENCRYPTION_KEY });
  await program.ok(['orders']);
  const { pool, end } = openPool(postgres.url);
  await using _ = { [Symbol.asyncDispose]: end };
  await pool.query(`insert into bridge.migrations (version, name) values (99, 'of the future')`);

  const refused = await program.run(['orders']);

  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(
    /^orderbridge: the database was migrated by a newer version of orderbridge: the schema bridge has version 99, .*; start the newer program\n$/,
  );
});
