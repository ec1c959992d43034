import { z } from 'zod';
import type { FieldError } from '../../contract/schema-errors.ts';
import type { ShopDetails } from '../../contract/shop-dto.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';

type Shop = Pick<ShopDetails, 'companyUic' | 'nraNumber' | 'receiptStartNumber'> & {
  id: string;
  /** Did the caller name a start number? */
  startNamed: boolean;
};

const neighbours = rowsOf('compliance.shops', z.object({ next: z.string().nullable(), twins: z.boolean() }));

/** Warnings about values that are accepted but conflict with other shops: a start number that comes too late, an agency's number that another shop has. */
export async function neighbourWarnings(db: Queryable, { id, companyUic, nraNumber, receiptStartNumber, startNamed }: Shop): Promise<FieldError[]> {
  const { next, twins } = await readOne(db, neighbours, {
    text: `select (select next_number::text from compliance.merchants where id = compliance.merchant_of($2)) as next,
       exists (select from compliance.shops s where s.id <> $1 and s.details ->> 'nraNumber' = $3) as twins`,
    values: [id, companyUic, nraNumber],
  });
  const late = startNamed && next !== null && next !== String(receiptStartNumber);
  return [
    ...(late
      ? [{ path: 'receiptStartNumber', message: `has no effect: the merchant’s document numbers have begun, the next is ${next.padStart(10, '0')}` }]
      : []),
    ...(twins ? [{ path: 'nraNumber', message: 'is the number of another shop here; the agency takes one file per number and month' }] : []),
  ];
}
