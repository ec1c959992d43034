import { z } from 'zod';
import { dayText, sumText } from '../../contract/local-text.ts';
import type { Lang } from '../../contract/messages.ts';
import { exactMoney, formatMoney } from '../../contract/money.ts';
import type { Message } from '../../platform/mail/mail-message.ts';
import type { MailBuilder } from '../../platform/mail/outbox.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Sealer } from '../../platform/seal.ts';
import { html } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';
import { queueMail } from '../mail/shop-mails.ts';
import { placeOfBuyer } from '../orders/orders.ts';
import { storedSeller } from './read-receipts.ts';

const PAGE = 200;

const withdrawn = rowsOf(
  'compliance.withdrawn_receipts',
  z.object({ orderId: z.string(), shopId: z.string(), replaced: z.boolean(), due: z.boolean(), after: z.string() }),
);

/**
 * Queues the storno notices of documents whose order was deleted and not replaced in time, and forgets the address of each buyer as soon as it is
 * known that they get none, or that their mail is done. Returns how many were queued. Safe to repeat, and to run in several processes at once.
 */
export async function finishWithdrawn({ pool, now, replacementWaitMs }: { pool: Pool; now: () => Date; replacementWaitMs: number }): Promise<number> {
  const at = now();
  await forgetNoticed(pool);
  const until = new Date(at.getTime() - replacementWaitMs);
  let noticed = 0;
  let after = '';
  for (;;) {
    const page = await inTransaction(pool, (tx) => finishPage(tx, { until, after, at }));
    noticed += page.noticed;
    if (page.last === null) return noticed;
    after = page.last;
  }
}

async function finishPage(tx: Queryable, { until, after, at }: { until: Date; after: string; at: Date }): Promise<{ noticed: number; last: string | null }> {
  const rows = await readRows(tx, withdrawn, { text: SELECT, values: [until, after] });
  const due = rows.filter(({ replaced, due: isDue }) => !replaced && isDue);
  for (const { orderId, shopId } of due) {
    await queueMail(tx, { kind: 'receipt-storno', ref: { orderId }, shopId, dedupKey: noticeKeyOf(orderId), now: at });
    await tx.query('update compliance.withdrawn_receipts set notice_at = $2 where order_id = $1', [orderId, at]);
  }
  const replaced = rows.filter((row) => row.replaced).map(({ orderId }) => orderId);
  await tx.query('update compliance.withdrawn_receipts set details = null, sealed_email = null where order_id = any($1)', [replaced]);
  return { noticed: due.length, last: rows.length < PAGE ? null : (rows.at(-1)?.after ?? null) };
}

// A shop that is being deleted is left to that: nobody waits for the other.
// An order may have been replaced by one that was deleted, too: the last of them counts. One whose buyer got a document has a notice of its own.
const SELECT = `
  with recursive open as (
    select w.order_id, w.shop_id, w.withdrawn_at from compliance.withdrawn_receipts w join compliance.shops s on s.id = w.shop_id
    where w.details is not null and w.notice_at is null and w.withdrawn_at <= $1 and w.order_id::text > $2
    order by w.order_id::text limit ${PAGE} for update of w skip locked for key share of s skip locked
  ), chain as (
    select w.order_id, d.id, d.replaced_by, d.deleted_at from open w join compliance.deleted_orders d on d.id = w.order_id
    union all
    select c.order_id, d.id, d.replaced_by, d.deleted_at from chain c join compliance.deleted_orders d on d.id = c.replaced_by
  )
  select w.order_id as "orderId", w.shop_id as "shopId", w.order_id::text as after,
    exists (select from chain c join compliance.orders o on o.id = c.replaced_by where c.order_id = w.order_id)
      or exists (select from chain c join compliance.withdrawn_receipts n on n.order_id = c.id
        where c.order_id = w.order_id and c.id <> w.order_id and (n.details is not null or n.notice_at is not null)) as replaced,
    exists (select from chain c where c.order_id = w.order_id and c.replaced_by is null and c.deleted_at <= $1) as due
  from open w order by w.order_id::text`;

/** The deduplication key of a notice's mail in the outbox. */
function noticeKeyOf(orderId: string): string {
  return `receipt-storno/${orderId}`;
}

// Sent, failed for good, or removed: nothing more is mailed to them.
async function forgetNoticed(pool: Pool): Promise<void> {
  await pool.query(
    `update compliance.withdrawn_receipts w set details = null, sealed_email = null where w.details is not null and w.notice_at is not null
     and not exists (select from compliance.mails m where m.dedup_key = 'receipt-storno/' || w.order_id and m.sent_at is null and m.failed_at is null)`,
  );
}

const noticeRef = z.object({ orderId: z.guid() });

const details = z.object({
  seller: storedSeller,
  english: z.boolean(),
  orderNumber: z.string(),
  documentDate: z.string(),
  total: z.string(),
  precision: z.int(),
  currency: z.string(),
});

const notices = rowsOf(
  'compliance.withdrawn_receipts',
  z.object({ orderId: z.string(), number: z.string(), withdrawnOn: z.string(), sealed: z.string(), details }),
);

type Notice = z.output<typeof notices.schema>;

/** Builds mails of the kind `receipt-storno`: to a buyer whose document is no longer valid. Null if they were forgotten. */
export function stornoMailBuilder(pool: Pool, sealing: Pick<Sealer, 'open'>): MailBuilder {
  return async (ref) => {
    const notice = await readRow(pool, notices, {
      text: `select order_id as "orderId", lpad(document_number::text, 10, '0') as number, sealed_email as sealed, details,
         (withdrawn_at at time zone 'Europe/Sofia')::date::text as "withdrawnOn"
       from compliance.withdrawn_receipts where order_id = $1 and details is not null and sealed_email is not null`,
      values: [noticeRef.parse(ref).orderId],
    });
    if (notice === null) return null;
    return { to: [sealing.open(notice.sealed, placeOfBuyer(notice.orderId))], write: async ({ address }) => stornoMail(notice, address) };
  };
}

function stornoMail(notice: Notice, email: string): Message {
  const { seller, orderNumber, english } = notice.details;
  const subject = `анулиран документ № ${notice.number} за поръчка ${orderNumber}`;
  const paragraphs = [...paragraphsIn.bg(notice), ...(english ? paragraphsIn.en(notice) : [])];
  const signature = [seller.companyName, `ЕИК: ${seller.companyUic}`, seller.companyAddress, seller.customerEmail, seller.customerPhone];
  return {
    to: [email],
    replyTo: seller.customerEmail,
    senderName: seller.name,
    subject: `${seller.test === true ? 'ТЕСТ / TEST: ' : ''}${seller.name}: ${subject}${english ? ' / your document is cancelled' : ''}`,
    html: htmlOf(subject, [...paragraphs, signature.join(', ')]),
    text: `${[...paragraphs, signature.join('\n')].join('\n\n')}\n`,
    attachments: [],
    images: [],
  };
}

const paragraphsIn: Readonly<Record<Lang, (notice: Notice) => string[]>> = {
  en: ({ number, withdrawnOn, details: { documentDate, orderNumber, seller, ...sum } }) => [
    `Document No. ${number} of ${documentDate} for order ${orderNumber} at ${seller.name}, ${amountOf(sum)}, was cancelled on ${withdrawnOn}: the sale was undone.`,
    'The document is no longer valid. If you have questions about the order or about your money, answer this mail.',
  ],
  bg: ({ number, withdrawnOn, details: { documentDate, orderNumber, seller, ...sum } }) => [
    `Документ за регистриране на продажба № ${number} от ${dayText(documentDate)} за поръчка ${orderNumber} от ${seller.name} на стойност ${amountOf(sum)} е анулиран (сторниран) на ${dayText(withdrawnOn)}: продажбата е отменена.`,
    'Документът вече не е валиден. Ако имате въпроси за поръчката или за връщането на сумата, отговорете на това писмо.',
  ],
};

function amountOf({ total, precision, currency }: Pick<Notice['details'], 'total' | 'precision' | 'currency'>): string {
  return sumText(formatMoney(exactMoney(total, precision), precision), currency, 'bg');
}

const TEXT = 'font-family:Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:15px;line-height:22px;color:#1d2430;margin:0 0 14px';

function htmlOf(title: string, paragraphs: readonly string[]): string {
  const body = html`<div style="max-width:600px;margin:0 auto;padding:28px 24px">${paragraphs.map((words) => html`<p style="${TEXT}">${words}</p>`)}</div>`;
  return htmlDocument({ lang: 'bg', title, meta: [], bodyStyle: 'margin:0;padding:0;background:#ffffff', body }).markup;
}
