import { z } from 'zod';
import { capitalized, dayText, momentText, monthName } from '../../../contract/local-text.ts';
import { exactMoney, formatMoney, sum } from '../../../contract/money.ts';
import { counted } from '../../../contract/plural.ts';
import type { Message } from '../../../platform/mail/mail-message.ts';
import type { MailBuilder, Reader } from '../../../platform/mail/outbox.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { LATEST_DAY } from '../../law/deadlines.ts';
import { queueMail } from '../../mail/shop-mails.ts';
import type { AuditMail } from '../summary/audit-mail.ts';
import { figureFacts } from '../summary/month-facts.ts';
import { isLate, statusIn, timeLeft } from '../summary/month-status.ts';
import type { MonthSummary } from '../summary/month-summary.ts';
import { pageHtml } from '../summary/render-summary.ts';
import type { Block, Fact, Section, SummaryPage } from '../summary/summary-page.ts';
import { pageText } from '../summary/summary-text.ts';
import { WAY_OUT, wayOutOf } from '../summary/ways-to-act.ts';
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
  with shared as (select address, ${recipientOf('$2::date', 'mark')} as recipient from compliance.accountants a where shop_id = $1
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
    readers as materialized (select r.shop_id, m.month, ${recipientOf('m.month', 'r.mark')} as recipient
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
        where ${recipientOf('$2::date', 'mark')} = $1 order by s.details ->> 'companyName', s.details ->> 'name', s.id`;
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

/** A month of one of their shops. `link`: theirs to its page; null: there is none. */
export type AccountantRow = { summary: MonthSummary; link: string | null };

/** Is it still to be filed, or something to be done before? */
export function isOpenRow({ situation: { kind }, figures }: MonthSummary): boolean {
  return kind === 'open' ? figures.orders > 0 : kind !== 'filed' && kind !== 'nothing' && kind !== 'empty';
}

/** One mail of a month to an accountant of several shops, in Bulgarian: each shop with its state, sums and link. The files are behind the links. */
export function accountantMail(kind: 'month' | 'reminder', rows: readonly [AccountantRow, ...AccountantRow[]]): AuditMail {
  const [{ summary }] = rows;
  const { month, deadline, writtenAt } = summary;
  const sections = sectionsOf(rows);
  const urgent = rows.filter((row) => statusIn(row.summary, 'bg').tone === 'problem').length;
  const shops = counted.bg(rows.length, 'магазин', 'магазина');
  const reminder = kind === 'reminder' ? 'напомняне: ' : '';
  const attention = urgent === 0 ? '' : `, ${counted.bg(urgent, 'иска', 'искат')} внимание`;
  const term = isLate(summary) ? `срокът изтече на ${dayText(deadline)}` : `срок: ${dayText(deadline)}`;
  const page: SummaryPage = {
    kind: 'Одиторски файлове по Наредба Н-18, Приложение № 38',
    title: capitalized(monthName(month, 'bg')),
    shop: { name: shops, facts: [] },
    status: {
      tone: urgent === 0 ? 'action' : 'problem',
      label: capitalized(`${reminder}${shops}${attention}`),
      words: `${timeLeft(summary, 'bg')} Файловете за подаване и формата „подаден“ са на страницата на всеки магазин.`,
    },
    figures: totals(rows, summary.currency),
    sections,
    footer: [
      `Писмото е изготвено автоматично на ${momentText(writtenAt, 'bg')} Вие го получавате вместо отделни писма за всеки магазин.`,
      'Всяка връзка отваря само своята фирма и е само за вас: който я има, може да вижда и отбелязва месеците ѝ.',
      'За всички фирми заедно отворете „Всички месеци“ на някоя от страниците и поискайте код по пощата.',
    ],
  };
  const subject = `${reminder}одиторски файлове за ${monthName(month, 'bg')}: ${shops}${attention} (${term})`;
  return { subject: capitalized(subject), html: pageHtml(page), text: pageText(page) };
}

/** By their state, the most urgent first. */
function sectionsOf(rows: readonly AccountantRow[]): Section[] {
  const judged = rows.map((row) => ({ blocks: blocks(row), status: statusIn(row.summary, 'bg') }));
  return (['problem', 'action', 'quiet', 'good'] as const).flatMap((tone) => {
    const byLabel = Map.groupBy(
      judged.filter(({ status }) => status.tone === tone),
      ({ status }) => status.label,
    );
    return [...byLabel].map(([label, some]) => ({ title: `${label}: ${some.length}`, tone, blocks: some.flatMap((one) => one.blocks) }));
  });
}

function blocks({ summary: { shop, figures, currency }, link }: AccountantRow): Block[] {
  const facts = figureFacts(figures, currency, 'bg').map(({ label, value }) => `${label}: ${value}`);
  const words = [shop.companyName, shop.name, ...facts].join(', ');
  if (link === null) return [{ kind: 'words', words }];
  return [
    { kind: 'link', words, href: link },
    { kind: 'link', words: WAY_OUT.words, href: wayOutOf(link) },
  ];
}

/** All of a month are in one currency. */
function totals(rows: readonly AccountantRow[], currency: string): readonly Fact[] {
  const figures = rows.map(({ summary }) => summary.figures);
  const count = (of: 'orders' | 'returns' | 'withoutRate') => figures.reduce((all, one) => all + (one[of] ?? 0), 0);
  const money = (of: 'total' | 'vat' | 'returned') => formatMoney(sum(figures.map((one) => exactMoney(one[of], 2))), 2);
  const counts = { orders: count('orders'), returns: count('returns'), withoutRate: count('withoutRate') };
  return figureFacts({ ...counts, total: money('total'), vat: money('vat'), returned: money('returned') }, currency, 'bg');
}
