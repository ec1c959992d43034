import { recordsNamed } from '../../bridge/client/look-up-record.ts';
import type { Endpoint } from '../../bridge/client/port.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import { type KeptOrder, orderOfRecord } from '../../bridge/ledger/orders/read-orders.ts';
import { confirmOrder as confirmInLedger } from '../../bridge/ledger/review/resolutions.ts';
import type { CreateStep, DeleteStep, OpenStep } from '../../bridge/order/decisions/step.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { Refusal } from '../refusal.ts';
import { stateName } from '../words.ts';
import { namedOrder } from './named-order.ts';
import { askService, fittingRecord, noSuchRecord, ofOther, type RecordAccess, recordAtService } from './record-at-service.ts';
import { changedMeanwhile } from './resolve-order.ts';

type Deps = RecordAccess & { pool: Pool; notify: Notify };

/** `recorded`: the id under which it was found at the compliance service; null: it is not there. */
type Found = { named: string; recorded: string | null; by: Actor; why?: string };

/**
 * A person says whether the record of a create or delete of unknown outcome exists; the order is decided again from there. It is looked up, where the
 * service shows its records: by a wrong word a sale is declared twice, or a record that nobody knows of stays.
 */
export async function confirmOrder(deps: Deps, { named, ...said }: Found): Promise<void> {
  const { pool, notify } = deps;
  const order = await namedOrder({ pool }, named);
  const { openStep, state } = order;
  if (state === 'unconfirmed' && openStep?.kind === 'create') await refuseWrong(deps, order, { named, step: openStep, recorded: said.recorded });
  if (state === 'unconfirmed' && openStep?.kind === 'delete') await refuseWrongOfDelete(deps, { named, step: openStep, recorded: said.recorded });
  const confirmed = await confirmInLedger(pool, order.id, { ...said, seq: openStep?.seq ?? null });
  if (confirmed !== 'confirmed') {
    if (state === 'unconfirmed') throw changedMeanwhile(named);
    throw new Refusal('conflict', {
      en: `the order ${named} is ${state}, not unconfirmed: there is nothing to confirm`,
      bg: `за поръчка ${named} (${stateName(state, 'bg')}) никой не пита дали е записана`,
    });
  }
  notify([{ id: order.id, dueAt: 0 }]);
}

type Answer<Step extends OpenStep> = { named: string; step: Step; recorded: string | null };

async function refuseWrong(deps: Deps, order: KeptOrder, { named, step, recorded }: Answer<CreateStep>): Promise<void> {
  if (recorded === null) return refuseCurrent(deps, order, { named, step });
  const there = await fittingRecord(deps, order, { recorded, destinationId: step.destinationId });
  if (there.is === 'there' && there.record.internalId !== step.record.internalId) throw ofOther(recorded, there.record.internalId);
}

/** What is named is deleted next; what is still there, and said to be gone, would never be. */
async function refuseWrongOfDelete(deps: Deps, { named, step: { complianceId, destinationId }, recorded }: Answer<DeleteStep>): Promise<void> {
  if (recorded === null && (await recordAtService(deps, destinationId, complianceId)).is === 'there') throw isThere(named, complianceId);
  if (recorded !== null && recorded !== complianceId) throw noSuchRecord(recorded, { en: `that is ${complianceId}`, bg: `той е ${complianceId}` });
}

function isThere(named: string, id: string): Refusal {
  const said = { en: `the compliance service has a record of the order ${named}: ${id}`, bg: `услугата за отчитане има запис на поръчка ${named}: ${id}` };
  return new Refusal('conflict', { ...said, advice: `say so with \`orderbridge confirm ${named} --recorded ${id}\`` });
}

/** What the service lists under the order's id, and no other order has, is this order's. */
async function refuseCurrent(deps: Deps, order: KeptOrder, { named, step }: Omit<Answer<CreateStep>, 'recorded'>): Promise<void> {
  for (const id of (await recordsOf(deps, order, step)) ?? []) {
    if ((await orderOfRecord(deps.pool, order.shopId, id)) !== null) continue;
    throw isThere(named, id);
  }
}

/** What the service has of an unconfirmed order. unlisted: it does not list its records. */
export type RecordLookup = { is: 'found'; id: string } | { is: 'several'; ids: string[] } | { is: 'none' } | { is: 'unlisted' };

/** Looks for the record of an unconfirmed order where the service lists its records; a person says what follows. Refuses if the service can't be asked. */
export async function lookForRecord(deps: RecordAccess & { pool: Pool }, named: string): Promise<RecordLookup> {
  const order = await namedOrder(deps, named);
  const { openStep, state } = order;
  if (state !== 'unconfirmed' || openStep === null)
    throw new Refusal('conflict', {
      en: `the order ${named} is ${state}, not unconfirmed: there is nothing to look for`,
      bg: `за поръчка ${named} (${stateName(state, 'bg')}) няма какво да се търси: известно е записана ли е`,
    });
  if (openStep.kind === 'create') return found(await recordsOf(deps, order, openStep));
  const there = await recordAtService(deps, openStep.destinationId, openStep.complianceId);
  if (there.is === 'unreadable') return { is: 'unlisted' };
  return there.is === 'there' ? { is: 'found', id: openStep.complianceId } : { is: 'none' };
}

function found(ids: string[] | null): RecordLookup {
  if (ids === null) return { is: 'unlisted' };
  const [first, ...others] = ids;
  if (first === undefined) return { is: 'none' };
  return others.length === 0 ? { is: 'found', id: first } : { is: 'several', ids };
}

/** The ids of the records that were made under the order's id; null: the service does not list them. */
async function recordsOf(access: RecordAccess, { shopId }: KeptOrder, { destinationId, record: { internalId } }: CreateStep): Promise<string[] | null> {
  const ask = (endpoint: Endpoint) => recordsNamed(access.records, endpoint, { shopId, internalId });
  const found = await askService(access, { destinationId, asked: { en: 'asked', bg: 'попитана' }, ask });
  return found === null || found === 'not-listed' ? null : found.map(({ id }) => id);
}
