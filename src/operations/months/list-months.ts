import type { AuditDeps } from '../../service/audit/month/generate-month.ts';
import { type ListedMonth, listMonths } from '../../service/audit/month/list-months.ts';
import { deadlineOf } from '../../service/law/deadlines.ts';
import { knownShop } from '../service/known-shop.ts';

/** The months of a shop, newest first, with the last day on which the file of each may be filed. */
export async function monthsOf(deps: Pick<AuditDeps, 'pool' | 'now'>, shop: string): Promise<(ListedMonth & { deadline: string })[]> {
  const { id } = await knownShop(deps, shop);
  return (await listMonths(deps, id)).map((one) => ({ ...one, deadline: deadlineOf(one.month) }));
}
