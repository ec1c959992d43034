import { z } from 'zod';
import { type Customer, customer } from '../../contract/record.ts';
import { type Queryable, sealerOf } from '../../platform/postgres/postgres.ts';
import { type RowShape, rowsOf } from '../../platform/postgres/read-rows.ts';
import { SealBroken, type SealedPlace, type Sealer, unlessBroken } from '../../platform/seal.ts';
import type { CustomerFact } from '../order/facts/facts.ts';
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

type Row = { id: number; customer: Buffer | null; erased: boolean };
export type WithBuyer<Of extends Row> = Omit<Of, 'customer' | 'erased'> & { customer: CustomerFact };

/**
 * Rows of orders with `customers.data` as `customer`, opened. A buyer who does not open is `unopened`, and keeps nothing of the order from being read. `waits`: a
 * row that may open later can't be read until then.
 */
export function withBuyers<Of extends Row>(db: Queryable, { table, schema }: RowShape<Of>, { waits = false } = {}): RowShape<WithBuyer<Of>> {
  const sealer = sealerOf(db);
  const factOf = ({ id, customer: sealed, erased }: Of, context: z.RefinementCtx): CustomerFact => {
    if (erased) return { kind: 'erased' };
    if (sealed === null) return { kind: 'none' };
    try {
      const buyer = opened(sealer, id, sealed);
      if (buyer !== undefined) return { kind: 'known', customer: buyer };
    } catch (thrown) {
      if (!(thrown instanceof SealBroken)) throw thrown;
      if (waits && thrown.mayOpen) context.addIssue({ code: 'custom', path: ['customer', 'sealed'] });
    }
    return { kind: 'unopened' };
  };
  return rowsOf(
    table,
    schema.transform((row, context) => {
      const { customer: _sealed, erased: _said, ...rest } = row;
      return { ...rest, customer: factOf(row, context) };
    }),
  );
}

/** undefined: it never opens, or is not a buyer. Throws `SealBroken` of one that may open later. */
export function openBuyer(sealer: Sealer, id: number, sealed: Buffer): Customer | undefined {
  return unlessBroken(() => opened(sealer, id, sealed)) ?? undefined;
}

function opened(sealer: Sealer, id: number, sealed: Buffer): Customer | undefined {
  return customer.safeParse(JSON.parse(sealer.openBytes(sealed, placeOf(id)).toString())).data;
}
