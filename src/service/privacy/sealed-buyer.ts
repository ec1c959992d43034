import { z } from 'zod';
import { type Customer, customer } from '../../contract/record.ts';
import { type Queryable, sealerOf } from '../../platform/postgres/postgres.ts';
import { SealBroken, type SealedPlace } from '../../platform/seal.ts';

const placeOf = (orderId: string): SealedPlace => ({ table: 'compliance.orders', column: 'customer', id: orderId });

/** The buyer of an order as its row has them, in the form in which JSON gives bytes to a column; null: none was sent. */
export function sealedBuyer(db: Queryable, orderId: string, buyer: Customer | null): string | null {
  return buyer === null
    ? null
    : `\\x${sealerOf(db)
        .sealBytes(Buffer.from(JSON.stringify(buyer)), placeOf(orderId))
        .toString('hex')}`;
}

/** `customer` of a row of orders. */
export const buyerColumn = z.instanceof(Buffer).nullable();

/** Null: none was sent, or they are erased. Throws `SealBroken`. */
export function openBuyer(db: Queryable, orderId: string, sealed: Buffer | null): Customer | null {
  return sealed === null ? null : customer.parse(JSON.parse(sealerOf(db).openBytes(sealed, placeOf(orderId)).toString()));
}

/** The same; null also if it does not open: for what must not wait for it. */
export function openBuyerOrNull(db: Queryable, orderId: string, sealed: Buffer | null): Customer | null {
  try {
    return openBuyer(db, orderId, sealed);
  } catch (thrown) {
    if (thrown instanceof SealBroken) return null;
    throw thrown;
  }
}
