import type { RecordReader } from '../../bridge/client/port.ts';
import { Failure } from '../../bridge/order/failure.ts';
import type { TaxRecord } from '../../contract/record.ts';
import type { ComplianceAccess } from '../compliance-access.ts';
import type { ReconcileDeps } from '../reconciliation/reconcile-deps.ts';
import { Refusal } from '../refusal.ts';
import { codeMeans } from './code-means.ts';

/** What it takes to read a record of a destination. */
export type RecordAccess = { compliance: Pick<ComplianceAccess, 'endpointOf'>; destinations: Pick<ReconcileDeps['destinations'], 'find'> } & {
  records: Pick<RecordReader, 'readRecord' | 'listRecords'>;
};

/** A record at a service. unreadable: it does not show its records, or not to this key. */
export type RecordThere = { is: 'there'; record: TaxRecord; shopId: string } | { is: 'gone' } | { is: 'unreadable' };

/** Reads one record. Refuses if the service can't be asked at the moment. */
export async function recordAtService({ compliance, destinations, records }: RecordAccess, destinationId: string, id: string): Promise<RecordThere> {
  const destination = await destinations.find(destinationId);
  if (destination === null) throw new Error(`destination ${destinationId} is not in the ledger`);
  const endpoint = await compliance.endpointOf(destination);
  try {
    const read = await records.readRecord(endpoint, id);
    if (read === 'not-listed') return { is: 'unreadable' };
    return read === null ? { is: 'gone' } : { is: 'there', record: read.record, shopId: read.shopId };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    // Another service may refuse what it does not know.
    if (thrown.code === 'compliance.misconfigured') return { is: 'unreadable' };
    const said = {
      en: `the compliance service can’t be asked about the record ${id}: ${thrown.message}`,
      bg: `услугата за отчитане не може да бъде попитана за записа ${id}: ${codeMeans(thrown.code, 'bg')}`,
    };
    throw new Refusal('unavailable', said, { advice: { en: 'nothing was changed; try again', bg: 'нищо не беше променено; опитайте отново' } });
  }
}
