import type { Notify } from '../../bridge/delivery/notify.ts';
import type { KeptOrder } from '../../bridge/ledger/kept-order.ts';
import { orderOfRecord } from '../../bridge/ledger/order-of-record.ts';
import { resolveOrder as resolveInLedger } from '../../bridge/ledger/resolve-order.ts';
import type { OpenStep } from '../../bridge/order/step.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { Refusal } from '../refusal.ts';
import { stateName } from '../words/state-words.ts';
import { fittingRecord, ofOther } from './fitting-record.ts';
import { recordsOf } from './look-for-record.ts';
import { orderToDo } from './named-order.ts';
import type { RecordAccess } from './record-at-service.ts';

type Deps = RecordAccess & { pool: Pool; notify: Notify };

/** `recorded`: the id under which it was found at the compliance service; null: it is not there. */
type Found = { named: string; recorded: string | null; by: Actor; why?: string };

/**
 * A person says whether the record of a create or delete of unknown outcome exists; the order is decided again from there. Of a create it is looked up,
 * where the service shows its records: by a wrong word a sale is declared twice, or a record that nobody knows of stays.
 */
export async function resolveOrder(deps: Deps, { named, ...said }: Found): Promise<void> {
  const { pool, notify } = deps;
  const order = await orderToDo({ pool }, named);
  const { openStep, state } = order;
  if (state === 'unconfirmed' && openStep?.kind === 'create') await refuseWrong(deps, order, { named, step: openStep, recorded: said.recorded });
  const resolved = await resolveInLedger(pool, order.id, said);
  if (resolved !== 'resolved') {
    throw new Refusal('conflict', {
      en: `the order ${named} is ${state}, not unconfirmed: there is nothing to resolve`,
      bg: `за поръчка ${named} (${stateName(state, 'bg')}) никой не пита дали е записана`,
    });
  }
  notify([{ id: order.id, dueAt: 0 }]);
}

type Created = Extract<OpenStep, { kind: 'create' }>;
type Word = { named: string; step: Created; recorded: string | null };

async function refuseWrong(deps: Deps, order: KeptOrder, { named, step, recorded }: Word): Promise<void> {
  if (recorded === null) return refuseStanding(deps, order, { named, step });
  const there = await fittingRecord(deps, order, { recorded, destinationId: step.destinationId });
  if (there.is === 'there' && there.record.internalId !== step.record.internalId) throw ofOther(recorded, there.record.internalId);
}

/** What the service lists under the order's id, and no other order has, is this order's. */
async function refuseStanding(deps: Deps, order: KeptOrder, { named, step }: Omit<Word, 'recorded'>): Promise<void> {
  for (const id of (await recordsOf(deps, order, step)) ?? []) {
    if ((await orderOfRecord(deps.pool, order.shopId, id)) !== null) continue;
    const said = { en: `the compliance service has a record of the order ${named}: ${id}`, bg: `услугата за отчитане има запис на поръчка ${named}: ${id}` };
    const command = `\`orderbridge resolve ${named} --recorded ${id}\``;
    throw new Refusal('conflict', said, { advice: { en: `say so with ${command}`, bg: `кажете го с ${command}` } });
  }
}
