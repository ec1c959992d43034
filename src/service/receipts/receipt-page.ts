import { type Html, html, nothing } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';
import { qrSvg } from './qr-image.ts';
import type { ReceiptDocument } from './receipt-document.ts';
import { receiptStyle } from './receipt-style.ts';
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
