import { z } from 'zod';
import { type Authorship, authorOf } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { writeServiceActs } from '../../audit-log/service-acts.ts';
import { queueMail } from '../../mail/shop-mails.ts';
import { type MonthKey, readMonthState, subjectOf } from './month-state.ts';
import { readVersion } from './read-versions.ts';

/** One version is mailed again at most once in so many minutes. */
const PAUSE_MINUTES = 15;

/** no-file: there is no version. filed: nobody needs it any more. just-mailed: wait until then. */
export type Mailed = { ok: true; version: number } | { ok: false; why: 'no-file' | 'filed' } | { ok: false; why: 'just-mailed'; until: string };

const mail = z.object({ state: z.enum(['waiting', 'sent', 'failed']), at: z.string(), createdAt: z.string() });
const mails = rowsOf('compliance.mails', mail);

/** A mail of a version, to one recipient. `at`: when it became so; `createdAt`: when it was asked for. */
export type VersionMail = z.output<typeof mail>;

/** The mails of a version that are still kept, the newest first. */
export function mailsOfVersion(db: Queryable, fileId: string): Promise<VersionMail[]> {
  // After the id come more characters, none of them a letter as late as this one: so the unique index finds them.
  return readRows(db, mails, {
    text: `select case when sent_at is not null then 'sent' when failed_at is not null then 'failed' else 'waiting' end as state,
       ${isoText('coalesce(sent_at, failed_at, created_at)')} as at, ${isoText('created_at')} as "createdAt"
     from compliance.mails where dedup_key >= $1 and dedup_key < $1 || 'z' and ref ->> 'fileId' = $2 order by created_at desc, id`,
    values: [`${VERSION_MAIL}/${fileId}`, fileId],
  });
}

/** Mails the last version of a month's file to the shop and its recipients, with a link that lasts; again, if it was mailed before. */
export async function mailVersion(pool: Pool, { said, now, ...key }: MonthKey & { said: Authorship; now: Date }): Promise<Mailed> {
  return inTransaction(pool, async (tx) => {
    await tx.query('select from compliance.shops where id = $1 for update', [key.shopId]);
    const { state } = await readMonthState(tx, key);
    if (state === 'filed') return { ok: false, why: 'filed' };
    const file = await readVersion(tx, key);
    if (file === null) return { ok: false, why: 'no-file' };
    const [last] = await mailsOfVersion(tx, file.id);
    const until = last === undefined ? null : new Date(Date.parse(last.createdAt) + PAUSE_MINUTES * 60_000);
    if (until !== null && until > now) return { ok: false, why: 'just-mailed', until: until.toISOString() };
    const dedupKey = `${VERSION_MAIL}/${file.id}${last === undefined ? '' : `/${now.toISOString()}`}`;
    await queueMail(tx, { kind: VERSION_MAIL, ref: { fileId: file.id }, shopId: key.shopId, dedupKey, now });
    await writeServiceActs(tx, [{ ...authorOf(said), act: 'month.mailed', subject: subjectOf(key), after: { tells: 'generated', version: file.version } }]);
    return { ok: true, version: file.version };
  });
}

/** The mail with a version of a month's file. */
export const VERSION_MAIL = 'audit-file';
/** The mail that says why a month has no file. */
export const MONTH_MAIL = 'audit-month';
export const REMINDER_MAIL = 'audit-reminder';

/** The one mail to an accountant of several shops. month: all files of it were made, as far as they can be. reminder: some are not marked as filed. */
export const ACCOUNTANT_MAILS = { month: 'accountant-month', reminder: 'accountant-reminder' } as const;

/** SQL: by which an accountant is known in a month, from their mark. */
export function recipientOf(month: string, mark: string): string {
  return `left(encode(sha256(convert_to(to_char(${month}, 'YYYY-MM'), 'UTF8') || ${mark}), 'hex'), 32)`;
}

export const accountantRef = z.object({ recipient: z.string(), month: z.string() });
export const versionRef = z.object({ fileId: z.string() });
export const monthRef = z.object({ shopId: z.string(), month: z.string(), tells: z.enum(['blocked', 'empty']) });
export const reminderRef = z.object({ shopId: z.string(), month: z.string() });
export type MonthMailRef = z.output<typeof monthRef>;

const IS_OVER = (shop: string, month: string) =>
  `exists (select from compliance.audit_months a where a.shop_id = ${shop} and a.month = to_date(${month}, 'YYYY-MM') and a.state in ('filed', 'nothing'))`;

/**
 * Rows of mails about months that failed and still matter: the month is not settled, and no later version was made. With `id`, `shop_id`, `month` (text),
 * and whether another address of the shop has the same mail (`reached`). One to an accountant is a row for each of their shops.
 */
export const FAILED_MONTH_MAILS = `
  select m.id, m.shop_id, key.month, exists (select from compliance.mails o where o.shop_id = m.shop_id and o.kind = m.kind and o.ref = m.ref and o.sent_at is not null) as reached
  from compliance.mails m
  left join compliance.audit_files f on m.kind = 'audit-file' and f.id = (m.ref ->> 'fileId')::uuid
  cross join lateral (select coalesce(to_char(f.month, 'YYYY-MM'), m.ref ->> 'month') as month) key
  where m.failed_at is not null and m.kind in ('audit-file', 'audit-month', 'audit-reminder') and key.month is not null
    and not ${IS_OVER('m.shop_id', 'key.month')}
    and not exists (select from compliance.audit_files later where later.shop_id = f.shop_id and later.month = f.month and later.version > f.version)
  union all select m.id, r.shop_id, m.ref ->> 'month', true from compliance.mails m
    join compliance.accountants r on m.ref ->> 'recipient' = ${recipientOf("to_date(m.ref ->> 'month', 'YYYY-MM')", 'r.mark')}
  where m.failed_at is not null and m.kind in ('accountant-month', 'accountant-reminder') and not ${IS_OVER('r.shop_id', "m.ref ->> 'month'")}`;

const failedRows = rowsOf('compliance.mails', z.object({ month: z.string(), shop: z.string(), mails: z.int(), reached: z.boolean() }));

/** Mails about a month that did not reach an address of a shop. `reached`: another address of it has them. */
export type FailedMonthMails = z.output<typeof failedRows.schema>;

/** By month and name of the shop. */
export function failedMonthMails(db: Queryable): Promise<FailedMonthMails[]> {
  return readRows(db, failedRows, {
    text: `select failed.month, coalesce(s.details ->> 'name', s.id::text) as shop, count(*)::int as mails, bool_and(failed.reached) as reached
      from (${FAILED_MONTH_MAILS}) failed join compliance.shops s on s.id = failed.shop_id group by failed.month, s.id, s.details order by 1, 2`,
  });
}
