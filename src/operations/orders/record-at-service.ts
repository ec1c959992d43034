import type { Endpoint, RecordReader } from '../../bridge/client/port.ts';
import type { DestinationStore } from '../../bridge/ledger/connections/destination-store.ts';
import { type KeptOrder, orderOfRecord } from '../../bridge/ledger/orders/read-orders.ts';
import { Failure } from '../../bridge/order/facts/failure.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import type { TaxRecord } from '../../contract/record.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { ComplianceAccess } from '../compliance-access.ts';
import { Refusal } from '../refusal.ts';
import { codeMeans } from '../words.ts';

/** What it takes to read a record of a destination. */
export type RecordAccess = { compliance: Pick<ComplianceAccess, 'endpointOf'>; destinations: Pick<DestinationStore, 'find' | 'unknownOrderAnswerOf'> } & {
  records: Pick<RecordReader, 'readRecord' | 'listRecords'>;
};

/** A record at a service. unreadable: it does not show its records, or not to this key. */
export type RecordThere = { is: 'there'; record: TaxRecord; shopId: string } | { is: 'gone' } | { is: 'unreadable' };

type Question<Answer> = { destinationId: string; asked: LocalizedText; ask: (endpoint: Endpoint) => Promise<Answer> };

/** What a service answers about its records. Refuses if it can't be asked at the moment. */
export async function askService<Answer>(
  { compliance, destinations }: RecordAccess,
  { destinationId, asked, ask }: Question<Answer>,
): Promise<Answer | 'not-listed'> {
  const destination = await destinations.find(destinationId);
  if (destination === null) throw new Error(`destination ${destinationId} is not in the ledger`);
  const endpoint = await compliance.endpointOf(destination);
  try {
    return await ask(endpoint);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    // Another service may refuse what it does not know.
    if (thrown.code === 'compliance.misconfigured') return 'not-listed';
    throw new Refusal('unavailable', {
      en: `the compliance service can’t be ${asked.en}: ${thrown.message}`,
      bg: `услугата за отчитане не може да бъде ${asked.bg}: ${codeMeans(thrown.code, 'bg')}`,
      advice: { en: 'nothing was changed; try again', bg: 'нищо не беше променено; опитайте отново' },
    });
  }
}

/** Reads one record. Refuses if the service can't be asked at the moment. */
export async function recordAtService(access: RecordAccess, destinationId: string, id: string): Promise<RecordThere> {
  const asked = { en: `queried about the record ${id}`, bg: `попитана за записа ${id}` };
  const read = await askService(access, { destinationId, asked, ask: (endpoint) => access.records.readRecord(endpoint, id) });
  if (read === 'not-listed') return { is: 'unreadable' };
  return read === null ? { is: 'gone' } : { is: 'there', record: read.record, shopId: read.shopId };
}

type Deps = RecordAccess & { pool: Pool };
type Named = { recorded: string; destinationId: string };

/** The record that a person names as an order's. Refuses one that is not there, and that of another order or shop: a later refund would delete it. */
export async function fittingRecord(deps: Deps, order: KeptOrder, { recorded, destinationId }: Named): Promise<Exclude<RecordThere, { is: 'gone' }>> {
  await refuseTaken(deps, order, recorded);
  const there = await recordAtService(deps, destinationId, recorded);
  if (there.is === 'gone') {
    throw noSuchRecord(recorded, { en: 'the compliance service has no record with this id', bg: 'услугата за отчитане няма запис с този идентификатор' });
  }
  if (there.is === 'there' && there.shopId !== order.shopId) {
    throw noSuchRecord(recorded, { en: `it is a record of another shop (${there.shopId})`, bg: `това е запис на друг обект (${there.shopId})` });
  }
  return there;
}

async function refuseTaken({ pool }: Deps, { id, shopId }: KeptOrder, recorded: string): Promise<void> {
  const other = await orderOfRecord(pool, shopId, recorded);
  if (other !== null && other.id !== id) throw ofOther(recorded, `${other.number ?? other.orderId} (id:${other.id})`);
}

export function ofOther(recorded: string, order: string): Refusal {
  return noSuchRecord(recorded, { en: `it is the record of the order ${order}`, bg: `това е записът на поръчка ${order}` });
}

export function noSuchRecord(recorded: string, why: LocalizedText): Refusal {
  const said = { en: `${recorded} can’t be this order's record: ${why.en}`, bg: `${recorded} не може да е записът на тази поръчка: ${why.bg}` };
  return new Refusal('conflict', { ...said, advice: { en: 'nothing was changed', bg: 'нищо не беше променено' } });
}
