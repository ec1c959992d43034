import type { Wake } from '../../bridge/delivery/wake.ts';
import { resolveOrder as resolveInLedger } from '../../bridge/ledger/resolve-order.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { Refusal } from '../refusal.ts';
import { wakeSoon } from '../wake-soon.ts';
import { orderToDo } from './named-order.ts';

/** `recorded`: the id under which it was found at the compliance service; null: it is not there. */
type Found = { named: string; recorded: string | null; by: Actor; why?: string };

/** A person says whether the record of a create or delete of unknown outcome exists; the order is decided again from there. `unwoken`: why the queue did not take it. */
export async function resolveOrder({ pool, wake }: { pool: Pool; wake: Wake }, { named, ...said }: Found): Promise<{ unwoken: string | null }> {
  const view = await orderToDo({ pool }, named);
  const resolved = await resolveInLedger(pool, view.id, said);
  if (resolved !== 'resolved') throw new Refusal('conflict', `the order ${named} is ${view.state}, not unconfirmed: there is nothing to resolve`);
  const { snapshot } = view.facts;
  const summary = { number: view.number, total: snapshot?.total ?? null, currency: snapshot?.currency ?? null, lines: [] };
  return { unwoken: await wakeSoon(wake, [{ id: view.id, connectionId: view.connectionId, dueAt: 0, summary }]) };
}
