import { z } from 'zod';
import { type Customer, customer } from '../../contract/record.ts';
import { type Queryable, sealerOf } from '../../platform/postgres/postgres.ts';
import { type RowShape, rowsOf } from '../../platform/postgres/read-rows.ts';
import { SealBroken, type SealedPlace, type Sealer } from '../../platform/seal.ts';
import { jsonText } from './json-columns.ts';

const placeOf = (id: number): SealedPlace => ({ table: 'bridge.customers', column: 'data', id: String(id) });

/** The buyer of the order `id`, as `customers` has them; in base64, as statements take JSON. */
export function sealedBuyer(db: Queryable, id: number, buyer: Customer): string {
  return sealerOf(db)
    .sealBytes(Buffer.from(jsonText(buyer)), placeOf(id))
    .toString('base64');
}

/** `customers.data` as a statement returns it. */
export const buyerColumn = z.instanceof(Buffer).nullable();

type Row = { id: number; customer: Buffer | null };
export type WithBuyer<Of extends Row> = Omit<Of, 'customer'> & { customer: Customer | null };

/** Rows of orders with `customers.data` as `customer`, opened. One that does not open can't be read; `isLenient`: it has no buyer. */
export function withBuyers<Of extends Row>(db: Queryable, { table, schema }: RowShape<Of>, { isLenient = false } = {}): RowShape<WithBuyer<Of>> {
  const sealer = sealerOf(db);
  const opened = (row: Of, context: z.RefinementCtx): WithBuyer<Of> => {
    const buyer = row.customer === null ? null : openBuyer(sealer, row.id, row.customer);
    if (buyer === undefined && !isLenient) context.addIssue({ code: 'custom', path: ['customer', 'sealed'] });
    return { ...row, customer: buyer ?? null };
  };
  return rowsOf(table, schema.transform(opened));
}

/** undefined: it does not open, or is not a buyer. */
export function openBuyer(sealer: Sealer, id: number, sealed: Buffer): Customer | undefined {
  try {
    return customer.safeParse(JSON.parse(sealer.openBytes(sealed, placeOf(id)).toString())).data;
  } catch (thrown) {
    if (thrown instanceof SealBroken) return undefined;
    throw thrown;
  }
}
