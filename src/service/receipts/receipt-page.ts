import { css, type Html, html, nothing } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';
import { qrSvg } from './qr-code.ts';
import type { ReceiptDocument } from './receipt-document.ts';
import { type ReceiptView, receiptView } from './receipt-view.ts';

const META = [
  html`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
  html`<meta name="robots" content="noindex">`,
  html`<meta name="referrer" content="no-referrer">`,
  html`<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">`,
];

/** The document as one HTML page in Bulgarian (and in English if it says so), without scripts or external resources, for phone, desktop, A4 and an 80 mm roll. */
export function renderReceipt(receipt: ReceiptDocument): string {
  const view = receiptView(receipt);
  const page = htmlDocument({
    lang: 'bg',
    title: `${view.title} № ${view.number}`,
    meta: META,
    styles: [html`<style>${receiptStyle}</style>`],
    body: html`<main class="${view.english ? 'sheet english' : 'sheet'}"><div class="paper">
${view.watermark === null ? nothing : html`<p class="watermark">${view.watermark}</p>`}
<header>
<div><div class="shop">${view.shop}</div><h1>${view.title}</h1></div>
<div class="number"><b>№ ${view.number}</b><span>${view.date}</span></div>
</header>
${view.replaces === null ? nothing : html`<p class="replaces">${view.replaces}</p>`}
${parties(view)}
${goods(view)}
${sums(view)}
<div class="foot">
${groups(view)}
${qrCode(view)}
</div>
<footer>${view.basis}</footer>
</div></main>`,
  });
  return page.markup;
}

function parties({ company, seller, facts, payment, say }: ReceiptView): Html {
  return html`<div class="parties">
<section><h2>${say('seller')}</h2><p class="seller"><b>${company}</b>${seller.map((line) => html`<span>${line}</span>`)}</p></section>
<section><h2>${say('sale')}</h2><dl>${facts.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}<dt>${say('payment')}</dt><dd>${payment}</dd></dl></section>
</div>`;
}

function goods({ lines, currency, hasDiscounts, say }: ReceiptView): Html {
  const discount = hasDiscounts ? html`<th scope="col">${say('discount')}</th>` : nothing;
  return html`<table class="goods">
<thead><tr><th class="name" scope="col">${say('goods')}</th><th class="group" scope="col">${say('group')}</th><th scope="col">${say('quantity')}</th><th scope="col">${say('price')}, ${currency}</th>${discount}<th scope="col">${say('value')}, ${currency}</th></tr></thead>
<tbody>
${lines.map((line) => goodsRow(line, { hasDiscounts, say }))}</tbody>
</table>`;
}

function goodsRow(
  { name, group, quantity, price, discount, value }: ReceiptView['lines'][number],
  { hasDiscounts, say }: Pick<ReceiptView, 'hasDiscounts' | 'say'>,
): Html {
  const off = discount === null ? nothing : html`<span class="unit">${say('discount').toLocaleLowerCase('bg')} </span>${discount}`;
  return html`<tr><td class="name">${name}</td><td class="group">${group}</td><td class="quantity">${quantity}<span class="unit"> × ${price}</span></td><td class="price">${price}</td>${hasDiscounts ? html`<td class="discount">${off}</td>` : nothing}<td class="value">${value}<span class="unit"> ${group}</span></td></tr>
`;
}

function sums({ hasDiscounts, beforeDiscount, discount, total, equivalents, say }: ReceiptView): Html {
  const discounted = html`<dt>${say('beforeDiscount')}</dt><dd>${beforeDiscount}</dd><dt>${say('discount')}</dt><dd>${discount}</dd>`;
  return html`<div class="sums"><dl>
${hasDiscounts ? discounted : nothing}
<dt class="total">${say('total')}</dt><dd class="total">${total}</dd>
${equivalents.map(({ label, value, note }) => html`<dt>${label}</dt><dd>${value}</dd><dd class="note">${note}</dd>`)}
</dl></div>`;
}

function groups({ groups: sums, say }: ReceiptView): Html {
  const rows = sums.map(({ group, rate, net, vat, gross }) => html`<tr><td>${group}, ${rate}</td><td>${net}</td><td>${vat}</td><td>${gross}</td></tr>`);
  return html`<div class="groups">
<h2>${say('vatByGroup')}</h2>
<table class="vat"><thead><tr><th scope="col">${say('group')}</th><th scope="col">${say('net')}</th><th scope="col">${say('vat')}</th><th scope="col">${say('gross')}</th></tr></thead>
<tbody>${rows}</tbody></table>
</div>`;
}

function qrCode({ qr }: ReceiptView): Html {
  const { svg, sizeMm } = qrSvg(qr);
  return html`<div class="qr" style="width:${sizeMm}mm">${svg}</div>`;
}

/** The look of the page: a sheet on a desk; a narrow column on a phone and on an 80 mm roll; ink only where it carries meaning. */
const receiptStyle = css`
:root { color-scheme: light; --ink: #1d2430; --soft: #5b6472; --line: #d9dde3; --wash: #f5f6f8; --accent: #1f4e79; }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; padding: 32px 16px; background: #e9ecf0; color: var(--ink); font: 15px/1.5 "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif; }
.sheet { container-type: inline-size; max-width: 820px; margin: 0 auto; background: #fff; border-radius: 6px; box-shadow: 0 1px 2px rgb(16 24 40 / 12%), 0 12px 32px rgb(16 24 40 / 10%); }
.paper { padding: 48px 56px 40px; overflow-wrap: anywhere; text-wrap: pretty; }
header { display: flex; justify-content: space-between; align-items: flex-start; gap: 16px 40px; padding-bottom: 20px; border-bottom: 3px solid var(--accent); }
.shop { font-size: 24px; font-weight: 700; line-height: 1.2; color: var(--accent); }
h1 { margin: 6px 0 0; font-size: 15px; font-weight: 400; color: var(--soft); }
.number { flex: none; text-align: right; }
.number b { display: block; font-size: 24px; line-height: 1.2; letter-spacing: .02em; white-space: nowrap; }
.number span { color: var(--soft); }
.replaces { margin: 20px 0 0; padding: 10px 14px; border-left: 3px solid var(--accent); background: var(--wash); }
.watermark { margin: 0 0 20px; padding: 8px 14px; border: 3px solid #b3261e; color: #b3261e; font-size: 18px; font-weight: 700; text-align: center; }
.parties { display: grid; grid-template-columns: 1fr 1fr; gap: 24px 40px; margin: 24px 0 28px; }
h2 { margin: 0 0 8px; font-size: 12px; font-weight: 600; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
.seller { margin: 0; }
.seller b { font-size: 16px; }
.seller span { display: block; }
dl { margin: 0; }
dt { font-size: 12.5px; line-height: 1.35; color: var(--soft); }
dd { margin: 0 0 8px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 9px 0 9px 14px; vertical-align: top; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th:first-child, td:first-child { padding-left: 0; }
th { padding-top: 0; padding-bottom: 6px; font-size: 12.5px; font-weight: 600; color: var(--soft); border-bottom: 1px solid var(--ink); }
td { border-bottom: 1px solid var(--line); }
.english th { white-space: normal; }
.english .goods th:not(.name) { min-width: 6.6em; }
.goods .name { width: 100%; text-align: left; white-space: normal; overflow-wrap: anywhere; }
.goods .group { text-align: center; }
.goods td.value { font-weight: 600; }
.unit { display: none; }
.sums { display: flex; justify-content: flex-end; margin-top: 18px; break-inside: avoid; }
.sums dl { display: grid; grid-template-columns: 1fr auto; gap: 6px 0; min-width: 55%; align-items: stretch; }
.sums dt { font-size: inherit; line-height: inherit; }
.sums dd { margin: 0; padding-left: 24px; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.sums .total { font-size: 20px; font-weight: 700; color: var(--ink); border-top: 1px solid var(--ink); border-bottom: 1px solid var(--ink); padding-top: 8px; padding-bottom: 8px; margin: 4px 0; line-height: 1.3; }
.sums .note { grid-column: 1 / -1; font-size: 12.5px; line-height: 1.4; color: var(--soft); text-align: right; white-space: normal; padding-left: 0; margin-top: -6px; }
.foot { display: flex; justify-content: space-between; gap: 24px 40px; align-items: flex-end; margin-top: 28px; break-inside: avoid; }
.groups { flex: 1; min-width: 0; }
.vat th, .vat td { padding-top: 5px; padding-bottom: 5px; font-size: 13.5px; }
.vat th:first-child, .vat td:first-child { text-align: left; }
.qr { flex: none; line-height: 0; }
.qr svg { display: block; width: 100%; height: auto; }
footer { margin-top: 28px; padding-top: 12px; border-top: 1px solid var(--line); font-size: 12px; line-height: 1.45; color: var(--soft); }
@container (max-width: 600px) {
  .paper { padding: 28px 20px 24px; }
  header, .foot { display: block; }
  .shop { font-size: 21px; }
  .number { margin-top: 16px; text-align: left; }
  .parties { display: block; margin: 20px 0; }
  .parties section + section { margin-top: 18px; }
  .goods, .goods tbody { display: block; }
  .goods thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .goods tbody { border-top: 1px solid var(--ink); }
  .goods tr { display: grid; grid-template-columns: 1fr auto; gap: 0 16px; padding: 9px 0; border-bottom: 1px solid var(--line); }
  .goods td { padding: 0; border: 0; text-align: left; }
  .goods .name { grid-column: 1 / -1; }
  .goods td.quantity { grid-row: 2; grid-column: 1; color: var(--soft); }
  .goods td.value { grid-row: 2; grid-column: 2; text-align: right; }
  .goods td.discount { grid-row: 3; grid-column: 1 / -1; color: var(--soft); }
  .goods td.discount:empty, .goods td.group, .goods td.price { display: none; }
  .unit { display: inline; }
  .sums { display: block; }
  .qr { margin: 24px auto 0; }
  .vat th + th, .vat td + td { padding-left: 8px; }
  .vat th, .vat td { font-size: 12.5px; }
}
@container (max-width: 330px) {
  .paper { padding: 20px 12px; }
  .vat { font-size: 12px; }
  .vat th + th, .vat td + td { padding-left: 5px; }
  .vat th, .vat td { font-size: 11.5px; letter-spacing: -.01em; }
}
@media (max-width: 640px) { body { padding: 0; background: #fff; } .sheet { box-shadow: none; border-radius: 0; } }
@page { margin: 14mm; }
@media print {
  body { padding: 0; background: none; font-size: 10.5pt; line-height: 1.4; }
  .sheet { max-width: none; box-shadow: none; border-radius: 0; }
  .paper { padding: 0; }
  tr, section { break-inside: avoid; }
  thead { display: table-header-group; }
}
@media print and (max-width: 110mm) {
  @page { margin: 3mm; }
  :root { --ink: #000; --soft: #000; --line: #000; --accent: #000; --wash: #fff; }
  body { font-size: 9pt; line-height: 1.3; }
  .goods tr, .vat td { border-bottom: .5pt solid #000; }
}
`;
