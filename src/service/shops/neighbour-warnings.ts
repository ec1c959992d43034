import { z } from 'zod';
import type { FieldError } from '../../contract/schema-errors.ts';
import type { ShopDetails } from '../../contract/shop-dto.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';
import { nextNumberWords } from '../numbers/number-text.ts';

type Shop = Pick<ShopDetails, 'receiptStartNumber'> & {
  id: string;
  /** Did the caller name a start number? */
  startNamed: boolean;
};

const neighbours = rowsOf('compliance.shops', z.object({ next: z.number().nullable(), twins: z.boolean() }));

/**
 * Warnings about values of a new shop that are accepted but conflict with its owner's other shops, or may be forgotten: a start number that comes too
 * late or was left out, an agency's number that another shop has. Shops of other owners are none of his business.
 */
export async function neighbourWarnings(db: Queryable, { id, receiptStartNumber, startNamed }: Shop): Promise<FieldError[]> {
  const { next, twins } = await readOne(db, neighbours, {
    text: `select (select m.next_number::float8 from compliance.merchants m where m.id = s.merchant) as next,
       exists (select from compliance.shops t where t.id <> s.id and t.api_key_id = s.api_key_id and t.details ->> 'nraNumber' = s.details ->> 'nraNumber') as twins
     from compliance.shops s where s.id = $1`,
    values: [id],
  });
  return [
    ...startWarning({ next, start: startNamed ? receiptStartNumber : null }),
    ...(twins ? [{ path: 'nraNumber', message: 'is the number of another shop here; the agency takes one file per number and month' }] : []),
  ];
}

/** `next` null: no number was given yet. `start` null: none was named. */
function startWarning({ next, start }: { next: number | null; start: number | null }): FieldError[] {
  const path = 'receiptStartNumber';
  if (next === null && start === null)
    return [
      {
        path,
        message: 'was left out: document numbers begin with 0000000001; if another system gave numbers already, name the next one before the first order',
      },
    ];
  if (next === null || start === null || start === next) return [];
  return [{ path, message: `has no effect: the merchant’s document numbers have begun, ${nextNumberWords(next)}` }];
}
