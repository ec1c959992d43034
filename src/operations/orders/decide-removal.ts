import type { Notify } from '../../bridge/delivery/notify.ts';
import { decideRemoval as decideInLedger } from '../../bridge/ledger/settle-order.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { orderToDo } from './named-order.ts';
import { changedMeanwhile } from './settle-order.ts';
import { askedCode } from './word-refused.ts';

/** kept: the sale stays recorded, or is recorded, as far as no refund is known. removed: its record is deleted, as if all of it were refunded. */
export type RemovalInput = { named: string; how: 'kept' | 'removed'; by: Actor; why: string };

/** A person decides whether a cancelled order is still a sale, or that an in review order's record must go. Undone by anything new. */
export async function decideRemoval({ pool, notify }: { pool: Pool; notify: Notify }, { named, how, by, why }: RemovalInput): Promise<void> {
  const order = await orderToDo({ pool }, named);
  const { id, revision, complianceId } = order;
  const code = askedCode(order, named, how);
  const settled = { how, revision, complianceId, code, who: by, why, at: new Date().toISOString() };
  if (!(await decideInLedger(pool, { ...order, settled }))) throw changedMeanwhile(named);
  notify([{ id, dueAt: 0 }]);
}
