import type { Wake } from '../../bridge/delivery/wake.ts';
import { releaseInLedger } from '../../bridge/ledger/release-order.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { Refusal } from '../refusal.ts';
import { wakeSoon } from '../wake-soon.ts';
import { orderToDo } from './named-order.ts';

type Deps = { pool: Pool; wake: Wake };

/** How many parked orders are decided again; `unwoken`: why the queue took none. */
export type Released = { released: number; unwoken: string | null };

type Said = { by: Actor; why?: string };

/** Decides again about one parked order, after its cause was put right, or about one that a person settled, as if nothing had been said. */
export async function releaseOrder({ pool, wake }: Deps, named: string, said: Said): Promise<Released> {
  const order = await orderToDo({ pool }, named);
  const { id, state, parked } = order;
  if (parked?.code === 'order.other') {
    throw new Refusal('conflict', `the order ${named} came under the id of another one: say whether it is a sale of its own`, {
      advice: `\`orderbridge release id:${id} --other\` if it is, \`orderbridge release id:${id} --same\` if it is the same sale`,
    });
  }
  if (state === 'unconfirmed') {
    throw new Refusal('conflict', `the order ${named} is unconfirmed: say what became of it with \`orderbridge resolve id:${id}\``);
  }
  const released = await releaseInLedger(pool, { ...order, ...said });
  if (released.length === 0) throw new Refusal('conflict', `the order ${named} is ${state}, not parked: there is nothing to release`);
  return { released: released.length, unwoken: await wakeSoon(wake, released) };
}
