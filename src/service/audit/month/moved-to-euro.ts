import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { accountingCurrencyOf } from '../../law/accounting-currency.ts';
import { type DeclaredAmounts, declaredAmounts } from '../../rates/declared-amounts.ts';
import { storedEntry } from '../file/entry-rates.ts';
import type { StoredVersion } from './read-versions.ts';

const rows = rowsOf('compliance.orders', storedEntry.extend({ id: z.string() }));

// What the version may not list, and what stands of a sale that it does not list.
const MAY_MOVE = `
  select o.id, o.line_items, o.currency, o.precision, o.accounting_currency, o.exchange from compliance.orders o
    where o.shop_id = $1 and o.accounting_currency = 'BGN' and (o.recorded_at > $3::timestamptz or o.sale_id is not null)
      and (o.month = to_date($2, 'YYYY-MM') or o.sale_id in (select s.id from compliance.filed_sales s where s.shop_id = $1 and s.month = to_date($2, 'YYYY-MM')))
  union all
  select e.id, e.line_items, e.currency, e.precision, e.accounting_currency, e.exchange
    from compliance.filed_sales s, jsonb_populate_record(null::compliance.orders, s.entry) e
    where s.shop_id = $1 and s.month = to_date($2, 'YYYY-MM') and s.currency = 'BGN' and s.entry is not null and s.recorded_at > $3::timestamptz`;

type InEuro = Pick<DeclaredAmounts, 'total' | 'vat' | 'byRate'>;

/** The amounts in euro of all that may go from a month in leva to one in euro when a version is marked as filed, by order; null: nothing does. */
export async function movedToEuro(
  tx: Queryable,
  { shopId, month, cutAt }: Pick<StoredVersion, 'shopId' | 'month' | 'cutAt'>,
): Promise<Record<string, InEuro> | null> {
  if (accountingCurrencyOf(month) === 'EUR') return null;
  const found = await readRows(tx, rows, { text: MAY_MOVE, values: [shopId, month, cutAt] });
  return Object.fromEntries(
    found.flatMap(({ id, line_items: lineItems, currency, precision, exchange: rate }) => {
      const declared = declaredAmounts({ lineItems, currency, precision }, { to: 'EUR', rate });
      return declared === null ? [] : [[id, { total: declared.total, vat: declared.vat, byRate: declared.byRate }]];
    }),
  );
}
