import { dueMonths, monthsToRemindOf } from './audit/month/due-months.ts';
import type { AuditDeps } from './audit/month/generate-month.ts';
import type { MonthKey } from './audit/month/month-key.ts';
import { purgeEntries } from './audit/month/purge-entries.ts';
import { remindOf, type Served, serveMonth } from './audit/month/serve-month.ts';
import { type Refreshed, refreshRates } from './rates/refresh-rates.ts';

/** What the service does by itself. Each is safe to repeat and to do in several processes at once; what is to be done stands in the database. */
export type ServiceWork = {
  /** Months whose file is due on their shop's day, missed ones included. */
  dueMonths(): Promise<MonthKey[]>;
  serveMonth(key: MonthKey): Promise<Served>;
  /** Puts the reminders that are due into the mail; how many. */
  remind(): Promise<number>;
  /** Removes what is no longer needed of deleted sales; how many. */
  purge(): Promise<number>;
  /** Fetches the newest exchange rates, and gives orders that wait theirs. */
  refreshRates(url: string): Promise<Refreshed>;
};

export function createServiceWork(deps: AuditDeps): ServiceWork {
  const { pool, now } = deps;
  return {
    dueMonths: () => dueMonths(pool, now()),
    serveMonth: (key) => serveMonth(deps, key),
    async remind() {
      const months = await monthsToRemindOf(pool, now());
      for (const key of months) await remindOf(deps, key);
      return months.length;
    },
    purge: () => purgeEntries(pool, now()),
    refreshRates: (url) => refreshRates(pool, { url, now }),
  };
}
