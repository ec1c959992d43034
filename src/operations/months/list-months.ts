import type { Pool } from '../../platform/postgres/postgres.ts';
import { type ListedMonth, listMonths } from '../../service/audit/month/read-summary.ts';
import { deadlineOf } from '../../service/law/deadlines.ts';
import { knownShop } from '../service/known-shop.ts';

/** The months of a shop, newest first, with the last day on which the file of each may be filed. */
export async function monthsOf({ pool }: { pool: Pool }, shop: string): Promise<(ListedMonth & { deadline: string })[]> {
  const { id } = await knownShop({ pool }, shop);
  return (await listMonths(pool, id)).map((one) => ({ ...one, deadline: deadlineOf(one.month) }));
}
