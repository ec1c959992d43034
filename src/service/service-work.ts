import type { BeforeFile } from './audit/month/before-file.ts';
import { dueMonths, monthsToRemindOf } from './audit/month/due-months.ts';
import type { AuditDeps } from './audit/month/generate-month.ts';
import type { MonthKey } from './audit/month/month-key.ts';
import { purgeEntries } from './audit/month/purge-entries.ts';
import { remindOf, type Served, serveMonth } from './audit/month/serve-month.ts';
import { dropOldMails } from './mail/drop-old-mails.ts';
import { forgetOldBuyers } from './privacy/forget-old-buyers.ts';
import { type Refreshed, refreshRates } from './rates/refresh-rates.ts';
import { settleWithdrawn } from './receipts/settle-withdrawn.ts';

/** The background work of the service. Each is safe to repeat and to run in several processes at once; the database says what is due. */
export type ServiceWork = {
  /** Months whose file is due on their shop's day, missed ones included. */
  dueMonths(): Promise<MonthKey[]>;
  /** `before`: asked for the month before its file is made; absent: nobody here knows the store. */
  serveMonth(key: MonthKey, before?: BeforeFile): Promise<Served>;
  /** Queues the reminders that are due as mails; returns how many. */
  remind(): Promise<number>;
  /** Queues notices to buyers whose document lost its order; returns how many. */
  noticeStornos(): Promise<number>;
  /** Removes rows of deleted sales that are no longer needed; returns how many. */
  purge(): Promise<number>;
  /** Forgets buyers, and drops mails that were sent or given up, after so many days. */
  dropOld(days: { buyers: number; outbox: number }): Promise<void>;
  /** Fetches the newest exchange rates, and those of missed days, and fills them in where orders wait for one. */
  refreshRates(url: string, dayUrl?: string | null): Promise<Refreshed>;
};

export function createServiceWork(deps: AuditDeps): ServiceWork {
  const { pool, now } = deps;
  return {
    dueMonths: () => dueMonths(pool, now()),
    serveMonth: (key, before) => serveMonth(deps, key, before),
    async remind() {
      const months = await monthsToRemindOf(pool, now());
      for (const key of months) await remindOf(deps, key);
      return months.length;
    },
    noticeStornos: () => settleWithdrawn(deps),
    purge: () => purgeEntries(pool, now()),
    async dropOld({ buyers, outbox }) {
      await forgetOldBuyers(pool, { days: buyers, now: now() });
      await dropOldMails(pool, { days: outbox, now: now() });
    },
    refreshRates: (url, dayUrl = null) => refreshRates(pool, { url, dayUrl, now }),
  };
}
