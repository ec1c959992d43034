import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { ordersOfIds } from '../../bridge/ledger/kept-order.ts';
import { listExports, type PrivacyExport } from '../../bridge/ledger/privacy-exports.ts';
import type { Customer } from '../../contract/record.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { Refusal } from '../refusal.ts';

/** The buyer of an order; null: none is kept. The look is written into the trail, before anything is shown. */
export async function seeBuyer({ pool }: { pool: Pool }, { id, by }: { id: number; by: Actor }): Promise<Customer | null> {
  const [order] = await ordersOfIds(pool, [id]);
  if (order === undefined) throw new Refusal('missing', { en: `no order has the id id:${id}`, bg: `няма поръчка с идентификатор id:${id}` });
  await writeBridgeActs(pool, [{ who: by, act: 'buyer.seen', connectionId: order.connectionId, orderRef: id }]);
  return order.customer;
}

/** What customers asked to see, with all that is stored about them; each export is a look. */
export async function seeExports({ pool }: { pool: Pool }, { by }: { by: Actor }): Promise<PrivacyExport[]> {
  const all = await listExports(pool);
  await writeBridgeActs(
    pool,
    all.map(({ connectionId, requestId }) => ({ who: by, act: 'buyer.seen' as const, connectionId, subject: requestId })),
  );
  return all;
}
