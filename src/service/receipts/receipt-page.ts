import { Eta } from 'eta/core';
import { qrSvg } from './qr-image.ts';
import type { ReceiptDocument } from './receipt-document.ts';
import { receiptStyle } from './receipt-style.ts';
import { type ReceiptView, receiptView } from './receipt-view.ts';

type Page = ReceiptView & { style: string; qrSvg: string; qrMm: number };

// Only the style and the QR code, both our own, go in unescaped.
const TEMPLATE = `<!doctype html>
<html lang="bg">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title><%= it.title %> № <%= it.number %></title>
<style><%~ it.style %></style>
</head>
<body>
<main class="sheet"><div class="paper">
<header>
<div><div class="shop"><%= it.shop %></div><h1><%= it.title %></h1></div>
<div class="number"><b>№ <%= it.number %></b><span><%= it.date %></span></div>
</header>
<% if (it.replaces !== null) { %><p class="replaces"><%= it.replaces %></p><% } %>
<div class="parties">
<section><h2>Продавач</h2><p class="seller"><b><%= it.company %></b><% for (const line of it.seller) { %><span><%= line %></span><% } %></p></section>
<section><h2>Продажба</h2><dl><% for (const { label, value } of it.facts) { %><dt><%= label %></dt><dd><%= value %></dd><% } %><dt>Начин на плащане</dt><dd><%= it.payment %></dd></dl></section>
</div>
<table class="goods">
<thead><tr><th class="name" scope="col">Стока или услуга</th><th class="group" scope="col">Група</th><th scope="col">К-во</th><th scope="col">Ед. цена, <%= it.currency %></th><% if (it.hasDiscounts) { %><th scope="col">Отстъпка</th><% } %><th scope="col">Стойност, <%= it.currency %></th></tr></thead>
<tbody>
<% for (const line of it.lines) { %><tr><td class="name"><%= line.name %></td><td class="group"><%= line.group %></td><td class="quantity"><%= line.quantity %><span class="unit"> × <%= line.price %></span></td><td class="price"><%= line.price %></td><% if (it.hasDiscounts) { %><td class="discount"><% if (line.discount !== null) { %><span class="unit">отстъпка </span><%= line.discount %><% } %></td><% } %><td class="value"><%= line.value %><span class="unit"> <%= line.group %></span></td></tr>
<% } %></tbody>
</table>
<div class="sums"><dl>
<% if (it.hasDiscounts) { %><dt>Стойност преди отстъпка</dt><dd><%= it.beforeDiscount %></dd><dt>Отстъпка</dt><dd><%= it.discount %></dd><% } %>
<dt class="total">Обща сума за плащане</dt><dd class="total"><%= it.total %></dd>
<% for (const { label, value, note } of it.equivalents) { %><dt><%= label %></dt><dd><%= value %></dd><dd class="note"><%= note %></dd><% } %>
</dl></div>
<div class="foot">
<div class="groups">
<h2>ДДС по данъчни групи</h2>
<table class="vat"><thead><tr><th scope="col">Група</th><th scope="col">Основа</th><th scope="col">ДДС</th><th scope="col">Общо</th></tr></thead>
<tbody><% for (const sum of it.groups) { %><tr><td><%= sum.group %>, <%= sum.rate %></td><td><%= sum.net %></td><td><%= sum.vat %></td><td><%= sum.gross %></td></tr><% } %></tbody></table>
</div>
<div class="qr" style="width:<%= it.qrMm %>mm"><%~ it.qrSvg %></div>
</div>
<footer><%= it.basis %></footer>
</div></main>
</body>
</html>
`;

const eta = new Eta({ autoEscape: true });
const template = eta.compile(TEMPLATE);

/** The document as one HTML page in Bulgarian, without scripts and outside resources, for phone, desktop, A4 and an 80 mm roll. */
export function renderReceipt(receipt: ReceiptDocument): string {
  const { svg, sizeMm } = qrSvg(receipt.qr);
  const page: Page = { ...receiptView(receipt), style: receiptStyle, qrSvg: svg, qrMm: sizeMm };
  return eta.render(template, page);
}
