import { z } from 'zod';
import type { TaxRecord } from '../../contract/record.ts';
import type { OrderTotals } from '../../contract/totals.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { CALCULATION, calculation } from '../rates/calculation.ts';
import { recordTotals } from './order-dto.ts';

const recorded = rowsOf('compliance.orders', z.object({ calculation }));

/** The sums of an order that was recorded by an earlier request, by the rules of that time. Nothing is known of one that was deleted since. */
export async function replayedTotals(db: Queryable, id: string, record: TaxRecord): Promise<OrderTotals> {
  const row = await readRow(db, recorded, { text: 'select calculation from compliance.orders where id = $1', values: [id] });
  return recordTotals(record, row === null ? CALCULATION : row.calculation);
}
