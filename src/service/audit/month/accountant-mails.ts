import { z } from 'zod';
import type { Message } from '../../../platform/mail/mail-message.ts';
import type { MailBuilder, Reader } from '../../../platform/mail/outbox.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { LATEST_DAY } from '../../law/deadlines.ts';
import { queueMail } from '../../mail/shop-mails.ts';
import { type AccountantRow, accountantMail, isOpenRow } from '../summary/accountant-mail.ts';
import { isToRemind } from './due-months.ts';
import type { MonthMailDeps } from './month-mail.ts';
import { ACCOUNTANT_MAILS, accountantRef, recipientOf } from './month-outbox.ts';
import { isSettled, type MonthKey } from './month-state.ts';
import { readMonthSummary } from './read-summary.ts';

const kindOf = z.enum(['month', 'reminder']);
type AccountantKind = z.output<typeof kindOf>;

const addresses = rowsOf('compliance.accountants', z.object({ address: z.string() }));

// Whoever puts the mail in the outbox has its row locked: a shop comes before that, or after it.
const LEAVE = `
  with shared as (select address, ${recipientOf('$2::date', 'address')} as recipient from compliance.accountants a where shop_id = $1
      and exists (select from compliance.accountants o where o.address = a.address and o.shop_id <> $1)),
    left_to as (insert into compliance.accountant_mails as m (kind, recipient, month, since) select $3, recipient, $2::date, $4 from shared order by recipient
      on conflict (kind, recipient, month) do update set kind = excluded.kind where m.queued_at is null returning recipient)
  select address from shared join left_to using (recipient)`;

/** Leaves what a shop's mail tells to the one mail of its accountants of several shops; returns the addresses of those who get that one. */
export async function leaveToAccountants(tx: Queryable, { shopId, month, kind, now }: MonthKey & { kind: AccountantKind; now: Date }): Promise<string[]> {
  const rows = await readRows(tx, addresses, { text: LEAVE, values: [shopId, `${month}-01`, kind, now] });
  return rows.map(({ address }) => address);
}

/** A shop that hangs holds the others up until noon of the last day, and for so long after the first of them. */
const LONGEST_WAIT = "interval '3 hours'";
const UNTIL = `greatest(w.since + ${LONGEST_WAIT},
  ((w.month + interval '1 month')::date + ${LATEST_DAY - 1} + (w.kind = 'reminder')::int + time '12:00') at time zone 'Europe/Sofia')`;
const IS_MISSING = `a.scheduled_at is null and (s.created_at < (w.month + interval '1 month') at time zone 'Europe/Sofia'
    or exists (select from compliance.orders o where o.shop_id = s.id and o.month = w.month))
  and coalesce(a.state, 'open') <> 'filed' and not coalesce(${isSettled('a')}, false)`;

const QUEUE = `
  with waiting as materialized (select * from compliance.accountant_mails where queued_at is null order by kind, recipient, month for update skip locked),
    readers as materialized (select r.shop_id, m.month, ${recipientOf('m.month', 'r.address')} as recipient
      from (select distinct month from waiting) m cross join compliance.accountants r),
    early as (select w.kind, w.recipient, w.month from waiting w join readers r using (recipient, month) join compliance.shops s on s.id = r.shop_id
        left join compliance.audit_months a on a.shop_id = s.id and a.month = w.month
      where $1 < ${UNTIL} and case w.kind when 'month' then ${IS_MISSING} else ${isToRemind('w.month')} end)
  update compliance.accountant_mails m set queued_at = $1 from waiting w
    where (m.kind, m.recipient, m.month) = (w.kind, w.recipient, w.month) and (w.kind, w.recipient, w.month) not in (select * from early)
  returning m.kind, m.recipient, to_char(m.month, 'YYYY-MM') as month`;

const queuedRows = rowsOf('compliance.accountant_mails', z.object({ kind: kindOf, recipient: z.string(), month: z.string() }));

/** Puts those into the outbox that wait for no other shop. In any number of processes: each once. */
export function queueAccountantMails(pool: Pool, now: Date): Promise<void> {
  return inTransaction(pool, async (tx) => {
    for (const { kind, ...ref } of await readRows(tx, queuedRows, { text: QUEUE, values: [now] })) {
      await queueMail(tx, { kind: ACCOUNTANT_MAILS[kind], ref, shopId: null, dedupKey: `${ACCOUNTANT_MAILS[kind]}/${ref.recipient}/${ref.month}`, now });
    }
  });
}

const shopRows = rowsOf('compliance.accountants', z.object({ shopId: z.string(), address: z.string() }));

/** How they are written: as all shops are that name the accountant when the mail goes out. */
export function accountantMails(deps: MonthMailDeps): Record<string, MailBuilder> {
  const builder =
    (kind: AccountantKind): MailBuilder =>
    async (given) => {
      const { recipient, month } = accountantRef.parse(given);
      const text = `select shop_id as "shopId", address from compliance.accountants r join compliance.shops s on s.id = r.shop_id
        where ${recipientOf('$2::date', 'address')} = $1 order by s.details ->> 'companyName', s.details ->> 'name', s.id`;
      const shops = await readRows(deps.pool, shopRows, { text, values: [recipient, `${month}-01`] });
      const [first] = shops;
      const keys = shops.map(({ shopId }) => ({ shopId, month }));
      return first === undefined ? null : { to: [first.address], write: (reader) => message(deps, { kind, keys, reader }) };
    };
  return { [ACCOUNTANT_MAILS.month]: builder('month'), [ACCOUNTANT_MAILS.reminder]: builder('reminder') };
}

type Written = { kind: AccountantKind; keys: readonly MonthKey[]; reader: Reader };

async function message(deps: MonthMailDeps, { kind, keys, reader: { address } }: Written): Promise<Message | null> {
  const rows: AccountantRow[] = [];
  for (const key of keys) {
    const summary = await readMonthSummary(deps, key);
    const isShown = summary !== null && summary.situation.kind !== 'not-ours' && (kind === 'month' || isOpenRow(summary));
    if (isShown) rows.push({ summary, link: (await deps.linkOf?.({ ...key, address })) ?? null });
  }
  const [first, ...others] = rows;
  if (first === undefined) return null;
  return { ...accountantMail(kind, [first, ...others]), to: [address], replyTo: deps.replyTo ?? null, senderName: null, attachments: [], images: [] };
}
