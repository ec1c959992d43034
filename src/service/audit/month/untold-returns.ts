import { z } from 'zod';
import { exactMoney, formatMoney, sum, type TiedCurrency } from '../../../contract/money.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { accountingCurrencyOf } from '../../law/accounting-currency.ts';
import { monthReturns } from '../file/read-returns.ts';
import type { UntoldReturns } from '../summary/month-summary.ts';
import { listedOrders } from './left-out.ts';
import type { MonthKey } from './month-key.ts';
import { isSettled } from './month-state.ts';

/** SQL: has the row of `compliance.returns` r an amount, or none yet? */
export const IS_RETURN = `coalesce(r.amount, r.base - coalesce((select o.accounting_total from compliance.orders o where o.sale_id = r.sale_id), 0)) is distinct from 0`;

const months = rowsOf('compliance.returns', z.object({ month: z.string() }));

const UNTOLD = `
  select to_char(r.month, 'YYYY-MM') as month from compliance.returns r join compliance.audit_months a on a.shop_id = r.shop_id and a.month = r.month
  where r.shop_id = $1 and r.month < to_date($2, 'YYYY-MM') and a.state <> 'filed' and a.attempt ->> 'kind' = 'empty' and not ${isSettled('a')} and ${IS_RETURN}
  group by r.month order by r.month`;

type Wanted = MonthKey & {
  /** Of all files; null: by their month. */
  currency: TiedCurrency | null;
  now: Date;
};

/** The returns of the months before this one that have no order for a file, and that nobody has settled. Absent: there are none. */
export async function untoldReturns(db: Queryable, { shopId, month, currency, now }: Wanted): Promise<{ untold?: UntoldReturns[] }> {
  const found = await readRows(db, months, { text: UNTOLD, values: [shopId, month] });
  const untold: UntoldReturns[] = [];
  for (const one of found) {
    if ((await listedOrders(db, { shopId, month: one.month }, now)) > 0) continue;
    const { returns } = await monthReturns(db, { shopId, month: one.month, currency });
    const total = formatMoney(sum(returns.map(({ amount }) => exactMoney(amount, 2))), 2);
    untold.push({ month: one.month, returns: returns.length, total, currency: currency ?? accountingCurrencyOf(one.month) });
  }
  return untold.length === 0 ? {} : { untold };
}
