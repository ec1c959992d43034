import { z } from 'zod';
import { exactMoney, formatMoney } from '../../contract/money.ts';
import type { Message } from '../../platform/mail/mail-message.ts';
import type { MailBuilder } from '../../platform/mail/outbox.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Sealer } from '../../platform/seal.ts';
import { html } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';
import { dayText } from '../bulgarian/day-text.ts';
import { moneyText } from '../bulgarian/money-text.ts';
import { placeOfBuyer } from '../orders/seal-buyer.ts';
import { storedSeller } from './stored-receipt.ts';

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

/** Builds mails of the kind `receipt-storno`: to a buyer whose document is no longer valid. Null if he was forgotten. */
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
  const paragraphs = english ? [...inBulgarian(notice), ...inEnglish(notice)] : inBulgarian(notice);
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

function inBulgarian({ number, withdrawnOn, details: { documentDate, orderNumber, seller, ...sum } }: Notice): string[] {
  return [
    `Документ за регистриране на продажба № ${number} от ${dayText(documentDate)} за поръчка ${orderNumber} от ${seller.name} на стойност ${amountOf(sum)} е анулиран (сторниран) на ${dayText(withdrawnOn)}: продажбата е отменена.`,
    'Документът вече не е валиден. Ако имате въпроси за поръчката или за връщането на сумата, отговорете на това писмо.',
  ];
}

function inEnglish({ number, withdrawnOn, details: { documentDate, orderNumber, seller, ...sum } }: Notice): string[] {
  return [
    `Document No. ${number} of ${documentDate} for order ${orderNumber} at ${seller.name}, ${amountOf(sum)}, was cancelled on ${withdrawnOn}: the sale was undone.`,
    'The document is no longer valid. If you have questions about the order or about your money, answer this mail.',
  ];
}

function amountOf({ total, precision, currency }: Pick<Notice['details'], 'total' | 'precision' | 'currency'>): string {
  return moneyText(formatMoney(exactMoney(total, precision), precision), currency);
}

const TEXT = 'font-family:Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:15px;line-height:22px;color:#1d2430;margin:0 0 14px';

function htmlOf(title: string, paragraphs: readonly string[]): string {
  const body = html`<div style="max-width:600px;margin:0 auto;padding:28px 24px">${paragraphs.map((words) => html`<p style="${TEXT}">${words}</p>`)}</div>`;
  return htmlDocument({ lang: 'bg', title, meta: [], bodyStyle: 'margin:0;padding:0;background:#ffffff', body }).markup;
}
