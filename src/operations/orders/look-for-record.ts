import { recordsNamed } from '../../bridge/client/look-up-record.ts';
import type { KeptOrder } from '../../bridge/ledger/kept-order.ts';
import { Failure } from '../../bridge/order/failure.ts';
import type { CreateStep } from '../../bridge/order/step.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { Refusal } from '../refusal.ts';
import { stateName } from '../words/state-words.ts';
import { codeMeans } from './code-means.ts';
import { orderToDo } from './named-order.ts';
import { type RecordAccess, recordAtService } from './record-at-service.ts';

/** What the service has of an unconfirmed order. unlisted: it does not list its records. */
export type Looked = { is: 'found'; id: string } | { is: 'several'; ids: string[] } | { is: 'none' } | { is: 'unlisted' };

/** Looks for the record of an unconfirmed order where the service lists its records; a person says what follows. Refuses if the service can't be asked. */
export async function lookForRecord(deps: RecordAccess & { pool: Pool }, named: string): Promise<Looked> {
  const order = await orderToDo(deps, named);
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

function found(ids: string[] | null): Looked {
  if (ids === null) return { is: 'unlisted' };
  const [first, ...others] = ids;
  if (first === undefined) return { is: 'none' };
  return others.length === 0 ? { is: 'found', id: first } : { is: 'several', ids };
}

/** The ids of the records that were made under the order's id; null: the service does not list them. */
export async function recordsOf(
  { compliance, destinations, records }: RecordAccess,
  { shopId }: KeptOrder,
  { destinationId, record }: CreateStep,
): Promise<string[] | null> {
  const destination = await destinations.find(destinationId);
  if (destination === null) throw new Error(`destination ${destinationId} is not in the ledger`);
  try {
    const found = await recordsNamed(records, await compliance.endpointOf(destination), { shopId, internalId: record.internalId });
    return found?.map(({ id }) => id) ?? null;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    if (thrown.code === 'compliance.misconfigured') return null;
    throw new Refusal(
      'unavailable',
      { en: `the compliance service can’t be asked: ${thrown.message}`, bg: `услугата за отчитане не може да бъде попитана: ${codeMeans(thrown.code, 'bg')}` },
      { advice: { en: 'nothing was changed; try again', bg: 'нищо не беше променено; опитайте отново' } },
    );
  }
}
