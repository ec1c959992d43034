import { isUuid } from '../../contract/uuid.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { AuditDeps } from '../../service/audit/month/generate-month.ts';
import { actsOfMonth, isSaid, type MonthActs } from '../../service/audit/month/month-acts.ts';
import { mailsOfVersion, type VersionMail } from '../../service/audit/month/month-outbox.ts';
import type { MonthKey, StoredMonth } from '../../service/audit/month/month-state.ts';
import { type AuditShop, readAuditShop } from '../../service/audit/month/shop-of-month.ts';
import { composePage } from '../../service/audit/summary/compose-page.ts';
import type { MonthSummary } from '../../service/audit/summary/month-summary.ts';
import { summaryFooter, summarySections } from '../../service/audit/summary/render-summary.ts';
import { summaryLimits } from '../../service/audit/summary/summary-page.ts';
import { monthOf, sofiaDay } from '../../service/law/calendar.ts';
import { type MonthView, readMonthView } from '../../service/reading/month-view.ts';
import { actorNames } from '../people/people.ts';

/** `pool`: of the ledger, which has the people; the service's own pool has not. */
type Deps = { pool: Pool; service: { audit: AuditDeps; months: Pick<MonthActs, 'isBeingMade'> } };

/** An act on the month. `name`: of the person, null: it was no person of the console. */
export type MonthActEntry = { at: string; who: Actor; name: string | null; act: string; version: number | null };

/** What a person sees of a month before they change it; `last`: the newest version, `by`: who did the last thing. */
export type MonthSeen = Pick<StoredMonth, 'state' | 'filedVersion' | 'filedOn' | 'incomingNumber' | 'rejectedWords'> & {
  note: string | null;
  last: number | null;
  by: string | null;
};

export type MonthReport = MonthView & {
  seen: MonthSeen;
  isBeingMade: boolean;
  /** A person said that the sums of the last version agree with bookkeeping. */
  isChecked: boolean;
  isAccepted: boolean;
  /** Of the last version. */
  mails: VersionMail[];
  recipients: string[];
  /** The newest first. */
  acts: MonthActEntry[];
};

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

/** The shop of a month, if this person may see it: `allowed` null: all. Null: there is no such shop or month for them. */
export async function shopOfMonth(audit: AuditDeps, { shopId, month }: MonthKey, allowed: readonly string[] | null): Promise<AuditShop | null> {
  const isPossible = isUuid(shopId) && MONTH.test(month) && month <= monthOf(sofiaDay(audit.now().toISOString()));
  if (!isPossible || (allowed !== null && !allowed.includes(shopId.toLowerCase()))) return null;
  return readAuditShop(audit.pool, shopId);
}

/** All that is known of a month; null: its shop was deleted meanwhile. */
export async function monthReport({ pool, service: { audit, months } }: Deps, key: MonthKey): Promise<MonthReport | null> {
  const shop = await readAuditShop(audit.pool, key.shopId);
  const view = await readMonthView(audit, key);
  if (shop === null || view === null) return null;
  const { stored, versions } = view;
  const last = versions[0] ?? null;
  const acts = await actsOfMonth(audit.pool, key);
  const names = await actorNames(
    pool,
    acts.map(({ who }) => who),
  );
  const { customerEmail, auditRecipientEmails } = shop.details;
  const { filedVersion } = stored;
  return {
    ...view,
    seen: seenOf(stored, last?.version ?? null, nameOf(acts, names)),
    isBeingMade: await months.isBeingMade(key),
    isChecked: last !== null && isSaid(acts, { act: 'month.checked', version: last.version }),
    isAccepted: stored.state === 'filed' && isSaid(acts, { act: 'month.accepted', version: filedVersion, until: 'month.rejected' }),
    mails: last === null ? [] : await mailsOfVersion(audit.pool, last.id),
    recipients: [...new Set([customerEmail, ...auditRecipientEmails])],
    acts: acts.map(({ at, who, act, after }) => ({ at, who, name: names.get(who) ?? null, act, version: versionOf(after) })),
  };
}

/** The summary below its head, as it goes with the file: in Bulgarian. */
export function summaryMarkup(summary: MonthSummary): { sections: ReturnType<typeof summarySections>; footer: ReturnType<typeof summaryFooter> } {
  const { sections, footer } = composePage(summary, { occasion: 'summary', limits: summaryLimits, way: { kind: 'page' } });
  return { sections: summarySections(sections), footer: summaryFooter(footer) };
}

function nameOf(acts: readonly { act: string; who: Actor }[], names: ReadonlyMap<Actor, string>): string | null {
  const last = acts.find(({ act }) => act !== 'month.mailed' && act !== 'link.renewed');
  return last === undefined ? null : (names.get(last.who) ?? last.who);
}

function seenOf(
  { state, filedVersion, filedOn, filedAt, incomingNumber, rejectedWords, nothing }: StoredMonth,
  last: number | null,
  by: string | null,
): MonthSeen {
  const day = filedOn ?? (filedAt === null ? null : sofiaDay(filedAt));
  return { state, filedVersion, filedOn: day, incomingNumber, rejectedWords, note: nothing?.note ?? null, last, by };
}

function versionOf(after: unknown): number | null {
  return typeof after === 'object' && after !== null && 'version' in after && typeof after.version === 'number' ? after.version : null;
}
