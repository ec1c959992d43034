import { z } from 'zod';
import { customer, taxRecord } from '../../contract/record.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { type ReadEach, readEach, readOne, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Claim, Standing } from '../order/decisions/claim.ts';
import { isContentKnown } from '../order/decisions/record-by-word.ts';
import type { CustomerFact, Facts } from '../order/facts/facts.ts';
import {
  openStepOf,
  orderState,
  REVIEW_REVISION,
  receiptState,
  storedCode,
  storedDoubt,
  storedFacts,
  storedMapping,
  storedStep,
  storedWord,
} from './order-columns.ts';

export const claimRow = z.object({
  id: z.int(),
  shop_id: z.string(),
  platform: z.string(),
  store: z.string(),
  order_id: z.string(),
  platform_id: z.string().nullable(),
  connection_id: z.string(),
  fence: z.int(),
  facts: storedFacts,
  customer: customer.nullable(),
  erased_at: z.string().nullable(),
  revision: z.int(),
  recorded_revision: z.int(),
  review_revision: z.int(),
  state: orderState,
  backfilled: z.boolean(),
  mapping: storedMapping.nullable(),
  record: taxRecord.nullable(),
  compliance_id: z.string().nullable(),
  record_destination: z.string().nullable(),
  receipt: receiptState.nullable(),
  previous: taxRecord.nullable(),
  doubted: storedDoubt.nullable(),
  review_code: storedCode.nullable(),
  review_detail: z.string().nullable(),
  settled: storedWord.nullable(),
  open_step: storedStep.nullable(),
  step_seq: z.int(),
  attempts: z.int(),
  dirty_since: z.string().nullable(),
});
export type ClaimedRow = z.output<typeof claimRow>;

const claimedRows = rowsOf('orders', claimRow);
const factsRow = rowsOf('orders', claimRow.pick({ id: true, facts: true, customer: true, erased_at: true }));

const OWN = `id shop_id platform store order_id platform_id connection_id fence revision recorded_revision state backfilled mapping record compliance_id
  record_destination receipt previous doubted review_code review_detail settled step_seq attempts dirty_since`;

/** What a claim reads of an order. */
const COLUMNS = [
  ...OWN.split(/\s+/).map((column) => `o.${column}`),
  ...[`o.${REVIEW_REVISION} as review_revision`, 'f.facts', `${openStepOf('o')} as open_step`, 'c.data as customer', 'c.erased_at'],
].join(', ');

/** Claimed orders, by id and fence. Whoever reads them has taken or locked them in an earlier statement: the rows of all tables are as they were then, or newer. */
export function readClaimed(db: Queryable, taken: readonly { id: number; fence: number }[]): Promise<ReadEach<ClaimedRow>> {
  return readEach(db, claimedRows, {
    name: 'claimed',
    text: `select ${COLUMNS} from json_to_recordset($1::json) as x(id bigint, fence int) join orders o on o.id = x.id and o.fence = x.fence
      join order_facts f on f.order_ref = o.id left join customers c on c.order_ref = o.id`,
    values: [JSON.stringify(taken.map(({ id, fence }) => ({ id, fence })))],
  });
}

/** The facts of an order whose row is locked. */
export async function readFacts(tx: Queryable, id: number): Promise<Facts> {
  const row = await readOne(tx, factsRow, {
    text: 'select f.order_ref as id, f.facts, c.data as customer, c.erased_at from order_facts f left join customers c using (order_ref) where f.order_ref = $1',
    values: [id],
  });
  return { ...row.facts, customer: customerOf(row) };
}

export function toClaim(row: ClaimedRow): Claim {
  return {
    id: row.id,
    key: { shopId: row.shop_id, platform: row.platform, store: row.store, orderId: row.order_id },
    platformId: row.platform_id ?? row.order_id,
    connectionId: row.connection_id,
    fence: row.fence,
    facts: { ...row.facts, customer: customerOf(row) },
    revision: row.revision,
    recordedRevision: row.recorded_revision,
    reviewRevision: row.review_revision,
    state: row.state,
    backfilled: row.backfilled,
    mapping: row.mapping,
    standing: standingOf(row),
    receipt: row.receipt,
    // What nobody could read can't be put back.
    previous: row.previous !== null && isContentKnown(row.previous) ? row.previous : null,
    doubted: row.doubted,
    review: row.review_code === null ? null : { code: row.review_code, detail: row.review_detail ?? '' },
    settled: row.settled,
    // Found open at a claim: its sender died or lost the reply.
    openStep: row.open_step === null ? null : { ...row.open_step, uncertain: true },
    stepSeq: row.step_seq,
    attempts: row.attempts,
    dirtySince: row.dirty_since,
  };
}

function customerOf({ customer, erased_at }: Pick<ClaimedRow, 'customer' | 'erased_at'>): CustomerFact {
  if (erased_at !== null) return { kind: 'erased' };
  return customer === null ? { kind: 'none' } : { kind: 'known', customer };
}

function standingOf({ record, compliance_id, record_destination }: ClaimedRow): Standing | null {
  if (record === null || compliance_id === null || record_destination === null) return null;
  return { record, complianceId: compliance_id, destinationId: record_destination };
}
