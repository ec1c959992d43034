import { z } from 'zod';
import { plainAddress } from '../../platform/mail/mail-address.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Place, Sealer } from '../../platform/seal.ts';

const buyers = rowsOf('compliance.orders', z.object({ email: z.string().nullable() }));

/** Where the address of a deleted order's buyer is sealed. */
export function placeOfBuyer(orderId: string): Place {
  return { table: 'compliance.withdrawn_receipts', column: 'sealed_email', id: orderId };
}

/** The address of an order's buyer, sealed for a notice after the order is deleted; null if there is no usable one. */
export async function sealBuyer(db: Queryable, sealing: Pick<Sealer, 'seal'>, orderId: string): Promise<string | null> {
  const row = await readRow(db, buyers, { text: `select o.customer ->> 'email' as email from compliance.orders o where o.id = $1`, values: [orderId] });
  const email = row?.email == null ? null : plainAddress(row.email);
  return email === null ? null : sealing.seal(email, placeOfBuyer(orderId));
}
