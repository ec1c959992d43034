import type { LookUpResult } from '../order/decisions/answer.ts';
import type { OpenStep } from '../order/decisions/step.ts';
import { Failure } from '../order/facts/failure.ts';
import { sameContent } from '../order/money/same-content.ts';
import type { Endpoint, Listed, ListedRecord, RecordQuery, RecordReader } from './port.ts';

type Reader = Pick<RecordReader, 'listRecords' | 'readRecord' | 'knowsShop'>;
type Named = { shopId: string; internalId: string };

/** The records that were made under an order's id; null: the service does not list its records. Throws as `RecordReader` does. */
export async function recordsNamed(records: Pick<Reader, 'listRecords'>, endpoint: Endpoint, { shopId, internalId }: Named): Promise<ListedRecord[] | null> {
  const found: ListedRecord[] = [];
  for (let query: RecordQuery | null = { shopId, month: null, after: null, internalId }; query !== null; ) {
    const page: Listed<ListedRecord> = await records.listRecords(endpoint, query);
    if (page === 'not-listed') return null;
    found.push(...page.items.filter((one) => one.internalId === internalId));
    query = page.next === null ? null : { ...query, after: page.next };
  }
  return found;
}

/** What the service shows of the record of a create or delete of unknown outcome. Never throws for errors of service or network. */
export async function lookUpRecord(records: Reader, endpoint: Endpoint, { step, shopId }: { step: OpenStep; shopId: string }): Promise<LookUpResult> {
  try {
    return await (step.kind === 'create'
      ? created(records, endpoint, { step, shopId })
      : deleted(records, endpoint, { complianceId: step.complianceId, shopId }));
  } catch (thrown) {
    if (thrown instanceof Failure) return { is: 'hidden' };
    throw thrown;
  }
}

type Created = { step: Extract<OpenStep, { kind: 'create' }>; shopId: string };

async function created(records: Reader, endpoint: Endpoint, { step: { record }, shopId }: Created): Promise<LookUpResult> {
  const found = await recordsNamed(records, endpoint, { shopId, internalId: record.internalId });
  const [first, ...others] = found ?? [];
  if (found === null || others.length > 0) return { is: 'hidden' };
  if (first === undefined) return { is: 'not-there' };
  return sameContent(first.record, record) ? { is: 'there', complianceId: first.id } : { is: 'hidden' };
}

async function deleted(records: Reader, endpoint: Endpoint, { complianceId, shopId }: { complianceId: string; shopId: string }): Promise<LookUpResult> {
  const read = await records.readRecord(endpoint, complianceId);
  if (read === 'not-listed') return { is: 'hidden' };
  if (read !== null) return { is: 'there', complianceId };
  // A service that shows no records says the same of each of them; ours shows the shop.
  return (await records.knowsShop(endpoint, shopId)) === true ? { is: 'not-there' } : { is: 'hidden' };
}
