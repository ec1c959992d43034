import { z } from 'zod';
import { typesWithoutReceipt } from '../../../contract/enumerations.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { termAt } from '../../term.ts';
import { countMonth } from '../file/read-month.ts';
import type { MonthKey } from './month-key.ts';

const leftOutRow = rowsOf('compliance.shops', z.object({ types: z.array(z.string()) }));

/** The payment types that the file of a month leaves out; see left-out.sql. */
export async function leftOutOf(db: Queryable, { shopId, month }: MonthKey, now: Date): Promise<string[]> {
  const { firstOpen } = termAt(now);
  const text = `select compliance.left_out($1, to_date($2, 'YYYY-MM'), $3, $4) as types`;
  return (await readOne(db, leftOutRow, { text, values: [shopId, month, firstOpen, [...typesWithoutReceipt]] })).types;
}

/** How many orders the file of a month would list now. */
export async function listedOrders(db: Queryable, key: MonthKey, now: Date): Promise<number> {
  return (await countMonth(db, { ...key, leaveOut: await leftOutOf(db, key, now) })).orders;
}

const KEEP = `
  insert into compliance.audit_months (shop_id, month, state, left_out)
    select $1, m.month, 'open', compliance.left_out($1, m.month, $2, $3) from (
      select o.month from compliance.orders o where o.shop_id = $1 and o.month < $2 union select s.month from compliance.filed_sales s where s.shop_id = $1 and s.month < $2
    ) m
  on conflict (shop_id, month) do update set left_out = excluded.left_out where audit_months.left_out is null`;

/** Keeps what months past their term leave out, before the shop's setting is changed: it counted when their term ended. */
export async function keepLeftOut(tx: Queryable, shopId: string, now: Date): Promise<void> {
  await tx.query(KEEP, [shopId, termAt(now).firstOpen, [...typesWithoutReceipt]]);
}
