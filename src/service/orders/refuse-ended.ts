import { z } from 'zod';
import type { ReceivedOrder } from '../../contract/decode-order.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { HttpProblem } from '../http/http-problem.ts';
import type { Caller } from '../keys/api-keys.ts';

const shops = rowsOf('compliance.shops', z.object({ isRefused: z.boolean() }));

// What was recorded before is answered, replaced and put back as ever: a refusal then would lose the sale.
const REFUSED = `
  select s.refuse_ended_currencies
    and not exists (select from compliance.idempotency_keys k where k.api_key_id = s.api_key_id and k.key = $4)
    and not exists (select from compliance.orders o where o.shop_id = s.id and o.internal_id = $3)
    and not exists (select from compliance.deleted_orders d
      where d.shop_id = s.id and d.internal_key = compliance.internal_key(s.id, $3) and d.replaced_by is null) as "isRefused"
  from compliance.shops s where s.id = $1 and s.api_key_id = $2`;

type Request = { caller: Caller; received: ReceivedOrder; idempotencyKey: string | null };

/** Throws a `HttpProblem` if the shop refuses orders in a currency that had ended, such as this one, and this is the first that is heard of it. */
export async function refuseEnded(db: Queryable, { caller, received: { record, shopId }, idempotencyKey }: Request): Promise<void> {
  const shop = await readRow(db, shops, { text: REFUSED, values: [shopId, caller.keyId, record.internalId, idempotencyKey] });
  if (shop?.isRefused !== true) return;
  const detail = `${record.currency} had ended when the order was made, and the shop refuses such orders (refuseEndedCurrencies): send it in the currency that was paid`;
  throw new HttpProblem('currency-ended', detail);
}
