import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import { blockHtml } from './block-html.ts';
import type { Fact, Section, SummaryPage } from './summary-page.ts';

/** Which month of which shop it is, its status, and the most important figures. */
export function summaryHead({ kind, title, shop, status, figures }: Omit<SummaryPage, 'sections' | 'footer'>): Html {
  return html`<header>
<p class="kind">${kind}</p>
<h1>${title}</h1>
<p class="shop">${shop.name}</p>
<ul class="identity">
${lines(shop.facts.map(labelled))}</ul>
</header>
<div class="status ${status.tone}">
<p class="badge">${status.label}</p>
<p class="words">${status.words}</p>
</div>
${figures.length === 0 ? nothing : html`<ul class="figures">\n${lines(figures.map(labelled))}</ul>`}`;
}

export function summarySections(sections: readonly Section[]): Html {
  return lines(sections.map(sectionHtml));
}

export function summaryFooter(footer: readonly string[]): Html {
  return html`<footer>
${lines(footer.map((line) => html`<p>${line}</p>`))}</footer>`;
}

function labelled({ label, value }: Fact): Html {
  return html`<li><span class="label">${label}</span> <b>${value}</b></li>`;
}

function sectionHtml({ title, tone, blocks }: Section, i: number): Html {
  const id = `s${i}`;
  return html`<section class="${tone}">
<h2 id="${id}">${title}</h2>
${lines(blocks.map((block) => blockHtml(block, id)))}</section>`;
}
