import { z } from 'zod';
import type { Message } from '../../platform/mail/mail-message.ts';
import type { MailBuilder } from '../../platform/mail/outbox.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { type Html, html, nothing } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';
import { buyerColumn, openBuyer } from '../privacy/sealed-buyer.ts';
import { qrGif } from './qr-code.ts';
import { documentOf, FROM_RECEIPTS, STORED_RECEIPT, type StoredReceipt, storedReceipt } from './read-receipts.ts';
import type { ReceiptDocument } from './receipt-document.ts';
import { type ReceiptView, receiptView } from './receipt-view.ts';
import type { Say } from './receipt-words.ts';

const receiptRef = z.object({ receiptId: z.guid() });
const addressed = rowsOf('compliance.receipts', storedReceipt.extend({ customer: buyerColumn }));
const SELECT = `select ${STORED_RECEIPT}, o.customer from ${FROM_RECEIPTS} where r.id = $1`;

/** Builds mails of the kind `receipt`: the document for the order's buyer. Null if order, receipt or buyer are gone. */
export function receiptMailBuilder(pool: Pool): MailBuilder {
  return async (ref) => {
    const row = await readRow(pool, addressed, { text: SELECT, values: [receiptRef.parse(ref).receiptId] });
    if (row === null) return null;
    const { customer, ...stored } = row;
    const email = openBuyer(pool, stored.orderId, customer)?.email;
    return email === undefined ? null : { to: [email], write: async ({ address }) => receiptMail(stored, address) };
  };
}

function receiptMail(stored: StoredReceipt, email: string): Message {
  const { seller } = stored;
  const receipt = documentOf(stored);
  const { gif, pixels } = qrGif(receipt.qr);
  return {
    to: [email],
    replyTo: seller.customerEmail,
    senderName: seller.name,
    subject: `${seller.test === true ? 'ТЕСТ / TEST: ' : ''}${seller.name}: ${subjectOf(receipt)}`,
    html: receiptMailHtml(receipt, pixels),
    text: receiptText(receipt),
    attachments: [],
    images: [{ cid: QR_CID, filename: 'qr.gif', contentType: 'image/gif', content: gif }],
  };
}

function subjectOf({ number, orderNumber, english }: ReceiptDocument): string {
  const subject = `документ № ${number} за поръчка ${orderNumber}`;
  return english ? `${subject} / document of order ${orderNumber}` : subject;
}

/** The content id under which the mail carries the QR code. */
const QR_CID = 'qr@receipt';

const FONT = 'font-family:Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const CELL = `${FONT};font-size:15px;line-height:22px;color:#1d2430`;
const SOFT = `${FONT};font-size:13px;line-height:19px;color:#5b6472`;
const HEAD = `${FONT};font-size:12px;line-height:18px;color:#5b6472;letter-spacing:1px;text-transform:uppercase;font-weight:bold`;
const WRAP = 'word-break:break-word;overflow-wrap:anywhere';
const RULE = 'border-bottom:1px solid #d9dde3';
const INK = 'border-top:1px solid #1d2430;border-bottom:1px solid #1d2430';
const TOTAL = `${FONT};font-size:19px;line-height:26px;font-weight:bold;color:#1d2430;${INK}`;

/** The whole document as the HTML of a mail; its QR code is the inline image `QR_CID`, `qrPixels` wide and high. */
export function receiptMailHtml(receipt: ReceiptDocument, qrPixels: number): string {
  const view = receiptView(receipt);
  const page = htmlDocument({
    lang: 'bg',
    title: `${view.title} № ${view.number}`,
    meta: [html`<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">`],
    bodyStyle: 'margin:0;padding:0;background:#e9ecf0',
    body: html`<div style="display:none;max-height:0;overflow:hidden">Поръчка ${receipt.orderNumber}, ${view.total}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#e9ecf0"><tr><td align="center" style="padding:16px 0">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;background:#ffffff"><tr><td style="padding:28px 24px;${WRAP}">
${letterHead(view)}
${parties(view)}
${goods(view)}
${sums(view)}
${groups(view)}
${qrCode(view, qrPixels)}
<div style="${SOFT};border-top:1px solid #d9dde3;margin-top:18px;padding-top:12px;font-size:12px">${view.basis}</div>
</td></tr></table>
</td></tr></table>`,
  });
  return page.markup;
}

// Mail programs support tables and inline styles, and little else.
function letterHead({ watermark, shop, title, number, date, replaces }: ReceiptView): Html {
  const replacing =
    replaces === null
      ? nothing
      : html`<div style="${CELL};background:#f5f6f8;border-left:3px solid #1f4e79;padding:10px 14px;margin-top:18px">${replaces}</div>`;
  const test =
    watermark === null
      ? nothing
      : html`<div style="${CELL};border:3px solid #b3261e;color:#b3261e;font-weight:bold;text-align:center;padding:8px 14px;margin-bottom:16px">${watermark}</div>`;
  return html`${test}<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-bottom:3px solid #1f4e79"><tr><td style="padding-bottom:16px">
<div style="${FONT};font-size:22px;line-height:28px;font-weight:bold;color:#1f4e79">${shop}</div>
<div style="${SOFT}">${title}</div>
<div style="${FONT};font-size:20px;line-height:28px;font-weight:bold;color:#1d2430;padding-top:10px">№ ${number}</div>
<div style="${SOFT}">${date}</div>
</td></tr></table>
${replacing}`;
}

function parties({ company, seller, facts, payment, say }: ReceiptView): Html {
  const fact = ({ label, value }: ReceiptView['facts'][number]) => html`<div style="${SOFT};padding-top:6px">${label}</div><div style="${CELL}">${value}</div>`;
  return html`<div style="${HEAD};padding-top:20px">${say('seller')}</div>
<div style="${CELL};font-weight:bold">${company}</div>
${seller.map((line) => html`<div style="${CELL}">${line}</div>`)}
<div style="${HEAD};padding-top:20px">${say('sale')}</div>
${facts.map(fact)}
${fact({ label: say('payment'), value: payment })}`;
}

function goods({ lines, say }: ReceiptView): Html {
  return html`<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin-top:20px;border-top:1px solid #1d2430">
${lines.map((line) => goodsRow(line, say))}</table>`;
}

function goodsRow({ name, quantity, price, discount, group, value }: ReceiptView['lines'][number], say: Say): Html {
  const off = discount === null ? '' : `, ${say('discount').toLocaleLowerCase('bg')} ${discount}`;
  return html`<tr><td style="${CELL};${WRAP};${RULE};padding:9px 0">${name}<br><span style="color:#5b6472">${quantity} × ${price}${off}, ${say('taxGroup')} ${group}</span></td><td align="right" valign="bottom" style="${CELL};${RULE};padding:9px 0 9px 16px;white-space:nowrap;font-weight:bold">${value}</td></tr>
`;
}

function sums({ hasDiscounts, beforeDiscount, discount, total, equivalents, say }: ReceiptView): Html {
  const discounted = html`<tr><td style="${CELL};padding:3px 0">${say('beforeDiscount')}</td><td align="right" style="${CELL};white-space:nowrap">${beforeDiscount}</td></tr>
<tr><td style="${CELL};padding:3px 0">${say('discount')}</td><td align="right" style="${CELL};white-space:nowrap">${discount}</td></tr>`;
  return html`<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin-top:12px">
${hasDiscounts ? discounted : nothing}
<tr><td style="${TOTAL};padding:8px 0">${say('total')}</td><td align="right" style="${TOTAL};padding:8px 0 8px 16px;white-space:nowrap">${total}</td></tr>
${equivalents.map(equivalentRow)}
</table>`;
}

function equivalentRow({ label, value, note }: ReceiptView['equivalents'][number]): Html {
  return html`<tr><td style="${CELL};padding:6px 0">${label}<br><span style="${SOFT}">${note}</span></td><td align="right" valign="top" style="${CELL};padding:6px 0;white-space:nowrap">${value}</td></tr>`;
}

function groups({ groups: sums, say }: ReceiptView): Html {
  const labels = [say('net'), say('vat'), say('gross')].map((label) => html`<th align="right" style="${SOFT};border-bottom:1px solid #1d2430">${label}</th>`);
  return html`<div style="${HEAD};padding-top:22px">${say('vatByGroup')}</div>
<table width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><th align="left" style="${SOFT};border-bottom:1px solid #1d2430;padding:4px 0">${say('group')}</th>${labels}</tr>
${sums.map(groupRow)}
</table>`;
}

function groupRow({ group, rate, net, vat, gross }: ReceiptView['groups'][number]): Html {
  const amounts = [net, vat, gross].map((amount) => html`<td align="right" style="${SOFT};${RULE};color:#1d2430;padding-left:8px">${amount}</td>`);
  return html`<tr><td style="${SOFT};${RULE};color:#1d2430;padding:5px 0">${group}, ${rate}</td>${amounts}</tr>`;
}

function qrCode({ qr }: ReceiptView, pixels: number): Html {
  return html`<div align="center" style="padding-top:22px"><img src="cid:${QR_CID}" width="${pixels}" height="${pixels}" alt="QR код: ${qr}" style="display:block;margin:0 auto;border:0;${SOFT};${WRAP}"></div>`;
}

/** The whole document as plain text, for mail programs that show no HTML. */
export function receiptText(receipt: ReceiptDocument): string {
  const view = receiptView(receipt);
  const { say } = view;
  const blocks = [
    ...(view.watermark === null ? [] : [[view.watermark]]),
    [view.title, `№ ${view.number} / ${view.date}`, ...(view.replaces === null ? [] : [view.replaces])],
    [view.shop, view.company, ...view.seller],
    [...view.facts.map(({ label, value }) => `${label}: ${value}`), `${say('payment')}: ${view.payment}`],
    view.lines.map((line) => lineText(line, say)),
    sumTexts(view),
    [say('vatByGroup'), ...view.groups.map((sum) => groupText(sum, say))],
    [`${say('qr')}: ${view.qr}`, view.basis],
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function lineText({ name, group, quantity, price, discount, value }: ReceiptView['lines'][number], say: Say): string {
  const off = discount === null ? '' : `, ${lower(say('discount'))} ${discount}`;
  return `${name}\n  ${quantity} × ${price}${off} = ${value} (${say('taxGroup')} ${group})`;
}

function groupText({ group, rate, net, vat, gross }: ReceiptView['groups'][number], say: Say): string {
  return `${group}, ${rate}: ${lower(say('net'))} ${net}, ${say('vat')} ${vat}, ${lower(say('gross'))} ${gross}`;
}

function lower(words: string): string {
  return words.toLocaleLowerCase('bg');
}

function sumTexts({ hasDiscounts, beforeDiscount, discount, total, equivalents, say }: ReceiptView): string[] {
  return [
    ...(hasDiscounts ? [`${say('beforeDiscount')}: ${beforeDiscount}`, `${say('discount')}: ${discount}`] : []),
    `${say('total')}: ${total}`,
    ...equivalents.map(({ label, value, note }) => `${label}: ${value} (${note})`),
  ];
}
