import { Eta } from 'eta/core';
import type { ReceiptDocument } from './receipt-document.ts';
import { type ReceiptView, receiptView } from './receipt-view.ts';

/** The content id under which the mail carries the QR code. */
export const QR_CID = 'qr@receipt';

type MailPage = ReceiptView & { cid: string; qrPixels: number };

const FONT = 'font-family:Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const CELL = `${FONT};font-size:15px;line-height:22px;color:#1d2430`;
const SOFT = `${FONT};font-size:13px;line-height:19px;color:#5b6472`;
const HEAD = `${FONT};font-size:12px;line-height:18px;color:#5b6472;letter-spacing:1px;text-transform:uppercase;font-weight:bold`;
const WRAP = 'word-break:break-word;overflow-wrap:anywhere';
const RULE = 'border-bottom:1px solid #d9dde3';
const INK = 'border-top:1px solid #1d2430;border-bottom:1px solid #1d2430';

// Mail programs know tables and inline styles, and little else.
const TEMPLATE = `<!doctype html>
<html lang="bg">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title><%= it.title %> № <%= it.number %></title>
</head>
<body style="margin:0;padding:0;background:#e9ecf0">
<div style="display:none;max-height:0;overflow:hidden">Поръчка <%= it.facts[0].value %>, <%= it.total %></div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#e9ecf0"><tr><td align="center" style="padding:16px 0">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;background:#ffffff"><tr><td style="padding:28px 24px;${WRAP}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-bottom:3px solid #1f4e79"><tr><td style="padding-bottom:16px">
<div style="${FONT};font-size:22px;line-height:28px;font-weight:bold;color:#1f4e79"><%= it.shop %></div>
<div style="${SOFT}"><%= it.title %></div>
<div style="${FONT};font-size:20px;line-height:28px;font-weight:bold;color:#1d2430;padding-top:10px">№ <%= it.number %></div>
<div style="${SOFT}"><%= it.date %></div>
</td></tr></table>
<% if (it.replaces !== null) { %><div style="${CELL};background:#f5f6f8;border-left:3px solid #1f4e79;padding:10px 14px;margin-top:18px"><%= it.replaces %></div><% } %>
<div style="${HEAD};padding-top:20px">Продавач</div>
<div style="${CELL};font-weight:bold"><%= it.company %></div>
<% for (const line of it.seller) { %><div style="${CELL}"><%= line %></div><% } %>
<div style="${HEAD};padding-top:20px">Продажба</div>
<% for (const { label, value } of it.facts) { %><div style="${SOFT};padding-top:6px"><%= label %></div><div style="${CELL}"><%= value %></div><% } %>
<div style="${SOFT};padding-top:6px">Начин на плащане</div><div style="${CELL}"><%= it.payment %></div>
<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin-top:20px;border-top:1px solid #1d2430">
<% for (const line of it.lines) { %><tr><td style="${CELL};${WRAP};${RULE};padding:9px 0"><%= line.name %><br><span style="color:#5b6472"><%= line.quantity %> × <%= line.price %><% if (line.discount !== null) { %>, отстъпка <%= line.discount %><% } %>, данъчна група <%= line.group %></span></td><td align="right" valign="bottom" style="${CELL};${RULE};padding:9px 0 9px 16px;white-space:nowrap;font-weight:bold"><%= line.value %></td></tr>
<% } %></table>
<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin-top:12px">
<% if (it.hasDiscounts) { %><tr><td style="${CELL};padding:3px 0">Стойност преди отстъпка</td><td align="right" style="${CELL};white-space:nowrap"><%= it.beforeDiscount %></td></tr>
<tr><td style="${CELL};padding:3px 0">Отстъпка</td><td align="right" style="${CELL};white-space:nowrap"><%= it.discount %></td></tr><% } %>
<tr><td style="${FONT};font-size:19px;line-height:26px;font-weight:bold;color:#1d2430;${INK};padding:8px 0">Обща сума за плащане</td><td align="right" style="${FONT};font-size:19px;line-height:26px;font-weight:bold;color:#1d2430;${INK};padding:8px 0 8px 16px;white-space:nowrap"><%= it.total %></td></tr>
<% for (const { label, value, note } of it.equivalents) { %><tr><td style="${CELL};padding:6px 0"><%= label %><br><span style="${SOFT}"><%= note %></span></td><td align="right" valign="top" style="${CELL};padding:6px 0;white-space:nowrap"><%= value %></td></tr><% } %>
</table>
<div style="${HEAD};padding-top:22px">ДДС по данъчни групи</div>
<table width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><th align="left" style="${SOFT};border-bottom:1px solid #1d2430;padding:4px 0">Група</th><th align="right" style="${SOFT};border-bottom:1px solid #1d2430">Основа</th><th align="right" style="${SOFT};border-bottom:1px solid #1d2430">ДДС</th><th align="right" style="${SOFT};border-bottom:1px solid #1d2430">Общо</th></tr>
<% for (const sum of it.groups) { %><tr><td style="${SOFT};${RULE};color:#1d2430;padding:5px 0"><%= sum.group %>, <%= sum.rate %></td><td align="right" style="${SOFT};${RULE};color:#1d2430;padding-left:8px"><%= sum.net %></td><td align="right" style="${SOFT};${RULE};color:#1d2430;padding-left:8px"><%= sum.vat %></td><td align="right" style="${SOFT};${RULE};color:#1d2430;padding-left:8px"><%= sum.gross %></td></tr><% } %>
</table>
<div align="center" style="padding-top:22px"><img src="cid:<%= it.cid %>" width="<%= it.qrPixels %>" height="<%= it.qrPixels %>" alt="QR код: <%= it.qr %>" style="display:block;margin:0 auto;border:0;${SOFT};${WRAP}"></div>
<div style="${SOFT};border-top:1px solid #d9dde3;margin-top:18px;padding-top:12px;font-size:12px"><%= it.basis %></div>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;

const eta = new Eta({ autoEscape: true });
const template = eta.compile(TEMPLATE);

/** The whole document as the HTML of a mail; its QR code is the inline image `QR_CID`, a square of so many pixels. */
export function receiptMailHtml(receipt: ReceiptDocument, qrPixels: number): string {
  const page: MailPage = { ...receiptView(receipt), cid: QR_CID, qrPixels };
  return eta.render(template, page);
}
