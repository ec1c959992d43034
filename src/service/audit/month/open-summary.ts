import { cutOf } from '../file/snapshot.ts';
import { readCountedMonth, summaryOf } from './counted-month.ts';
import type { AuditDeps } from './generate-month.ts';
import type { MonthKey } from './month-key.ts';
import type { AuditShop } from './shop-of-month.ts';
import type { VersionSummary } from './version-summary.ts';

/** The summary, as of now, of a month without a file. */
export async function openSummary({ pool, currency, now }: AuditDeps, shop: AuditShop, { month }: MonthKey): Promise<VersionSummary> {
  await using cut = await cutOf(pool, shop.id);
  return summaryOf(await readCountedMonth(cut.client, shop, { month, currency, now: now() }), null);
}
