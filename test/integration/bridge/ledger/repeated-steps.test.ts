import { expect, test } from 'vitest';
import { z } from 'zod';
import { LEDGER_SCHEMA, migrateLedger } from '../../../../src/bridge/ledger/migrate-ledger.ts';
import { createClaimStore } from '../../../../src/bridge/ledger/orders/claim-store.ts';
import { recordOrders } from '../../../../src/bridge/ledger/orders/record-store.ts';
import type { Claim } from '../../../../src/bridge/order/decisions/claim.ts';
import type { DeleteStep, ReceiptStep } from '../../../../src/bridge/order/decisions/step.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { createSealedPool } from '../../../support/keys/sealed-pool.ts';
import { insertStore, paidOrder } from '../../../support/ledger/recorded-order.ts';
import { startPostgres } from '../../../support/servers/postgres.ts';

const outcomeRow = rowsOf('steps', z.object({ outcome: z.string() }));
const seqRow = rowsOf('orders', z.object({ seq: z.int() }));

/** A claimed order of a ledger without anything else. */
async function claimedOrder() {
  await using setup = new AsyncDisposableStack();
  const postgres = setup.use(await startPostgres());
  const pool = createSealedPool({ url: postgres.url, schema: LEDGER_SCHEMA, max: 4, onError: () => undefined });
  setup.defer(() => pool.end());
  await migrateLedger(pool);
  const store = await insertStore(pool, 'c_1');
  const ledger = createClaimStore(pool, { leaseMs: 30_000 });
  const { orders } = await recordOrders(pool, [paidOrder(store, '1')]);
  const claimed = await ledger.claim(orders[0]?.id ?? 0);
  if ('kind' in claimed) throw new Error('it is claimed');
  const claim: Claim = claimed;
  const owned = setup.move();
  return { pool, store, ledger, claim, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('a step that is repeated after a later one takes no number back: the next step has a row of its own in the journal', async () => {
  await using it = await claimedOrder();
  const { pool, store, ledger, claim } = it;
  const deleted = (seq: number): DeleteStep => ({ kind: 'delete', seq, complianceId: `R-${seq}`, destinationId: store.destinationId, uncertain: false });
  for (const seq of [3, 4, 3]) await ledger.begin({ claim, step: deleted(seq) });

  expect(await readOne(pool, seqRow, { text: 'select step_seq as seq from orders' })).toEqual({ seq: 4 });
});

test.each(['receipt-got', 'receipt-refused'] as const)(
  'a late reply to a receipt does not take from the journal what its repeat came to (%s)',
  async (outcome) => {
    await using it = await claimedOrder();
    const { pool, store, ledger, claim } = it;
    const step: ReceiptStep = { kind: 'receipt', seq: 1, complianceId: 'R-1', destinationId: store.destinationId, uncertain: false };
    const end = { seq: 1, outcome, status: 200, detail: null, complianceId: null };
    await ledger.begin({ claim, step });
    await ledger.write({ claim, write: { state: 'recorded', step: end } });

    await ledger.recordLateReply({ orderId: claim.id, step, end: { ...end, outcome: 'unknown', status: 503 }, recorded: 'unknown' });

    expect(await readOne(pool, outcomeRow, { text: 'select outcome from steps' })).toEqual({ outcome });
  },
);
