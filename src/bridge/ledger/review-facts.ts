import { z } from 'zod';
import { taxRecord } from '../../contract/record.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readEach, rowsOf } from '../../platform/postgres/read-rows.ts';
import { storedFacts } from './stored-facts.ts';
import { storedMapping } from './stored-order.ts';

const row = z.object({
  id: z.int(),
  orderId: z.string(),
  facts: storedFacts,
  mapping: storedMapping.nullable(),
  record: taxRecord.nullable(),
  previous: taxRecord.nullable(),
  backfilled: z.boolean(),
  /** What a person is asked in words; null: nothing. */
  detail: z.string().nullable(),
  /** What was sent last, as it was journaled. */
  sent: taxRecord.nullable(),
});
const rows = rowsOf('orders', row);

/** An order with what is needed to decide about it. */
export type ReviewFacts = z.output<typeof row>;

/** These orders; one that can't be read is left out. */
export async function reviewFacts(pool: Pool, ids: readonly number[]): Promise<ReviewFacts[]> {
  const { readable } = await readEach(pool, rows, {
    text: `select o.id, o.order_id as "orderId", f.facts, o.mapping, o.record, o.previous, o.backfilled, o.review_detail as detail,
         (select s.record from steps s where s.order_ref = o.id and s.kind = 'create' order by s.seq desc limit 1) as sent
       from orders o join order_facts f on f.order_ref = o.id where o.id = any($1)`,
    values: [ids],
  });
  return readable;
}
