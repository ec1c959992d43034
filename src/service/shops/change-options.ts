import { isoText } from '../../platform/postgres/iso-text.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { authorOf, type Said } from '../../platform/trail/trail.ts';
import { notFound } from '../http/http-problem.ts';
import { parseBody } from '../http/parse-body.ts';
import { writeServiceActs } from '../trail/service-acts.ts';
import { type ReadShopDto, readShopDto, readShopRow } from './shop-dto.ts';
import { SHOP_OPTIONS, type ShopOptions, shopOptions, shopOptionsPatch } from './shop-options.ts';

type ChangeRequest = { keyId: string; id: string; body: unknown; now: Date; said: Said };

const before = rowsOf('compliance.shops', shopOptions);
const after = rowsOf('compliance.shops', readShopRow);

/** Changes what a shop asks for beyond the documented interface. Throws a `HttpProblem`: invalid body, or a shop of another caller. */
export function changeOptions(pool: Pool, { keyId, id, body, now, said }: ChangeRequest): Promise<ReadShopDto> {
  const patch = parseBody(shopOptionsPatch, body);
  return inTransaction(pool, async (tx) => {
    const earlier = await readRow(tx, before, {
      text: `select ${SHOP_OPTIONS} from compliance.shops s where s.id = $1 and s.api_key_id = $2 for update`,
      values: [id, keyId],
    });
    if (earlier === null) throw notFound('shop');
    const wanted = shopOptions.parse({ ...earlier, ...patch });
    await writeServiceActs(tx, [{ ...authorOf(said), act: 'shop.options', subject: id, before: earlier, after: wanted }]);
    return store(tx, { id, wanted, now });
  });
}

async function store(tx: Queryable, { id, wanted, now }: { id: string; wanted: ShopOptions; now: Date }): Promise<ReadShopDto> {
  const row = await readRow(tx, after, {
    text: `update compliance.shops s set automatic_receipts = $2, receipt_english = $3, e_shop_type = $4, refuse_ended_currencies = $5, updated_at = $6 where s.id = $1
     returning s.id, s.details, s.test, ${isoText('s.created_at')} as "createdAt", ${isoText('s.updated_at')} as "updatedAt", ${SHOP_OPTIONS}, s.earlier_headers as earlier`,
    values: [id, wanted.automaticReceipts, wanted.receiptEnglish, wanted.eShopType, wanted.refuseEndedCurrencies, now],
  });
  if (row === null) throw notFound('shop');
  return readShopDto(row);
}
