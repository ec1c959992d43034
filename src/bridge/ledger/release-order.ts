import { inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import type { DueNotice } from '../delivery/notify.ts';
import { replan } from './behind-store.ts';
import { writeBridgeActs } from './bridge-acts.ts';
import type { KeptOrder } from './kept-order.ts';

type Released = Pick<KeptOrder, 'id' | 'connectionId' | 'state' | 'review' | 'settled'> & { by: Actor; why?: string };

/** Has one order decided anew that needs review, or of which a person's word is taken back. Returns the orders to notify of: nothing if it is neither by now. */
export async function releaseInLedger(pool: Pool, { id, connectionId, state, review, settled, by, why }: Released): Promise<DueNotice[]> {
  return inTransaction(pool, async (tx) => {
    const released = await replan(tx, state === 'review' ? { ids: [id] } : { saidOf: id });
    const before = { state, code: review?.code ?? null, settled: settled?.how ?? null };
    const named = { connectionId, orderRef: id, ...(why === undefined ? {} : { why }) };
    await writeBridgeActs(
      tx,
      released.map(() => ({ who: by, act: 'order.released', ...named, before, after: { state: 'queued' } })),
    );
    return released;
  });
}
