import type { Queryable } from '../../platform/postgres/postgres.ts';

const PAGE = 500;

// That a month can't be made is told once, as long as it is not over: its row says so.
const IS_OPEN = `m.kind = 'audit-month' and exists (
  select from compliance.audit_months a where a.shop_id = m.shop_id and a.month = to_date(m.ref ->> 'month', 'YYYY-MM') and a.state not in ('filed', 'nothing'))`;

const DROP = `with old as (
    select m.id from compliance.mails m where m.next_at is null and coalesce(m.sent_at, m.failed_at) < $2::timestamptz - $1 * interval '1 day' and not (${IS_OPEN})
    order by coalesce(m.sent_at, m.failed_at) limit ${PAGE} for update skip locked),
  dropped as (delete from compliance.mails m using old where m.id = old.id returning m.kind, m.dedup_key, case when m.sent_at is null then 'failed' else 'sent' end as state),
  kept as (update compliance.receipts r set mail_state = d.state from dropped d where d.kind = 'receipt' and r.mail_key = d.dedup_key)
  select count(*) from dropped`;

/** Drops mails that were sent or given up longer ago, a page at a time; receipts keep whether theirs was sent. */
export async function dropOldMails(db: Queryable, { days, now }: { days: number; now: Date }): Promise<void> {
  await db.query(DROP, [days, now]);
}
