import { inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import { readRows } from '../../platform/postgres/read-rows.ts';
import { authorOf, type Said } from '../../platform/trail/trail.ts';
import type { Pause } from '../delivery/pauses.ts';
import { writeBridgeActs } from './bridge-acts.ts';
import { pauseRows, toPause } from './destination-store.ts';

/** `shopId`: of that shop alone; undefined: all pauses of the destination. */
export type EndedPauses = { destinationId: string; shopId: string | undefined; said: Said };

/** Ends pauses of a destination because a person says so, and writes each to the trail. */
export function endPauses(pool: Pool, { destinationId, shopId, said }: EndedPauses): Promise<Pause[]> {
  return inTransaction(pool, async (tx) => {
    const rows = await readRows(tx, pauseRows, {
      text: 'delete from pauses where destination_id = $1 and ($2::uuid is null or shop_id = $2) returning *',
      values: [destinationId, shopId ?? null],
    });
    const ended = rows.map(toPause);
    await writeBridgeActs(
      tx,
      ended.map(({ destinationId: subject, shopId: shop, callType, code, since, until, failures }) => ({
        ...authorOf(said),
        ...{ act: 'destination.resumed' as const, subject, before: { shop, callType, code, since, until, failures }, after: null },
      })),
    );
    return ended;
  });
}
