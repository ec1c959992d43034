import { z } from 'zod';
import { inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import type { DueNotice } from '../delivery/notify.ts';
import type { Frozen } from '../order/settings.ts';
import { writeBridgeActs } from './bridge-acts.ts';
import { LOCK_ORDER } from './lock-orders.ts';
import { REPLANNED, TAKEN } from './replan.ts';

/** A recorded order that is to be decided by another mapping than it was recorded with. `complianceId`, `revision`: as it was seen. */
export type PlannedAnew = { id: number; complianceId: string; revision: number; mapping: Frozen };

type Said = { by: Actor; why: string };

const rows = rowsOf('orders', z.object({ id: z.int(), connectionId: z.string(), complianceId: z.string() }));

/** Has recorded orders decided anew by these mappings, as far as nothing became of them meanwhile: their records are replaced. Returns the orders to notify of. */
export function planAgain(pool: Pool, orders: readonly PlannedAnew[], { by, why }: Said): Promise<DueNotice[]> {
  return inTransaction(pool, async (tx) => {
    const planned = await readRows(tx, rows, {
      text: `with x as (select * from json_to_recordset($1::json) as x (id bigint, "complianceId" text, revision int, mapping jsonb)),
        was as materialized (select o.id, x.mapping from orders o join x on x.id = o.id where o.state = 'recorded' and o.open_step is null
          and o.compliance_id = x."complianceId" and o.revision = x.revision and o.recorded_revision >= o.revision order by ${LOCK_ORDER} for update of o)
        update orders o set mapping = was.mapping, ${REPLANNED}, ${TAKEN}, attempts = 0 from was where o.id = was.id
        returning o.id, o.connection_id as "connectionId", o.compliance_id as "complianceId"`,
      values: [JSON.stringify(orders)],
    });
    const acts = planned.map(({ id, connectionId, complianceId }) => {
      return { who: by, act: 'order.planned-again' as const, connectionId, orderRef: id, before: { state: 'recorded', complianceId }, why };
    });
    await writeBridgeActs(tx, acts);
    return planned.map(({ id }) => ({ id, dueAt: 0 }));
  });
}
