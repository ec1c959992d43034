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

/** The document as one HTML page in Bulgarian, without scripts or external resources, for phone, desktop, A4 and an 80 mm roll. */
export function renderReceipt(receipt: ReceiptDocument): string {
  const view = receiptView(receipt);
  const page = htmlDocument({
    lang: 'bg',
    title: `${view.title} № ${view.number}`,
    meta: META,
    styles: [html`<style>${receiptStyle}</style>`],
    body: html`<main class="sheet"><div class="paper">
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

function parties({ company, seller, facts, payment }: ReceiptView): Html {
  return html`<div class="parties">
<section><h2>Продавач</h2><p class="seller"><b>${company}</b>${seller.map((line) => html`<span>${line}</span>`)}</p></section>
<section><h2>Продажба</h2><dl>${facts.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}<dt>Начин на плащане</dt><dd>${payment}</dd></dl></section>
</div>`;
}

function goods({ lines, currency, hasDiscounts }: ReceiptView): Html {
  const discount = hasDiscounts ? html`<th scope="col">Отстъпка</th>` : nothing;
  return html`<table class="goods">
<thead><tr><th class="name" scope="col">Стока или услуга</th><th class="group" scope="col">Група</th><th scope="col">К-во</th><th scope="col">Ед. цена, ${currency}</th>${discount}<th scope="col">Стойност, ${currency}</th></tr></thead>
<tbody>
${lines.map((line) => goodsRow(line, hasDiscounts))}</tbody>
</table>`;
}

function goodsRow({ name, group, quantity, price, discount, value }: ReceiptView['lines'][number], hasDiscounts: boolean): Html {
  const off = discount === null ? nothing : html`<span class="unit">отстъпка </span>${discount}`;
  return html`<tr><td class="name">${name}</td><td class="group">${group}</td><td class="quantity">${quantity}<span class="unit"> × ${price}</span></td><td class="price">${price}</td>${hasDiscounts ? html`<td class="discount">${off}</td>` : nothing}<td class="value">${value}<span class="unit"> ${group}</span></td></tr>
`;
}

function sums({ hasDiscounts, beforeDiscount, discount, total, equivalents }: ReceiptView): Html {
  const discounted = html`<dt>Стойност преди отстъпка</dt><dd>${beforeDiscount}</dd><dt>Отстъпка</dt><dd>${discount}</dd>`;
  return html`<div class="sums"><dl>
${hasDiscounts ? discounted : nothing}
<dt class="total">Обща сума за плащане</dt><dd class="total">${total}</dd>
${equivalents.map(({ label, value, note }) => html`<dt>${label}</dt><dd>${value}</dd><dd class="note">${note}</dd>`)}
</dl></div>`;
}

function groups({ groups: sums }: ReceiptView): Html {
  const rows = sums.map(({ group, rate, net, vat, gross }) => html`<tr><td>${group}, ${rate}</td><td>${net}</td><td>${vat}</td><td>${gross}</td></tr>`);
  return html`<div class="groups">
<h2>ДДС по данъчни групи</h2>
<table class="vat"><thead><tr><th scope="col">Група</th><th scope="col">Основа</th><th scope="col">ДДС</th><th scope="col">Общо</th></tr></thead>
<tbody>${rows}</tbody></table>
</div>`;
}

function qrCode({ qr }: ReceiptView): Html {
  const { svg, sizeMm } = qrSvg(qr);
  return html`<div class="qr" style="width:${sizeMm}mm">${svg}</div>`;
}
