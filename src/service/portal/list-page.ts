import { codeForms } from '../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import type { ListedMonth } from '../audit/month/list-months.ts';
import { monthStatus, monthStatuses } from '../audit/summary/month-status.ts';
import { deadlineOf } from '../law/deadlines.ts';
import type { PortalMessages } from './messages.ts';
import { pageDocument } from './page-document.ts';
import type { PortalPaths } from './portal-paths.ts';

/** A shop and its months, newest first. */
export type ListedShop = { id: string; name: string; companyName: string; months: readonly ListedMonth[] };

/** How far a person got with a code, which opens all their companies. */
export type CodeStep = 'first' | 'sent' | 'wrong' | 'opened';

/** `token`: proves that a form is of this page. */
type Forms = { step: CodeStep; token: string; words: PortalMessages; paths: PortalPaths };

/** All months of the shops of one address: the accountant's page. */
export function listPage({ shops, isCut, other, ...forms }: Forms & { shops: readonly ListedShop[]; isCut: boolean; other: string }): string {
  const { words, paths, step } = forms;
  const lang = words.lang === 'bg' ? 'en' : 'bg';
  return pageDocument({
    lang: words.lang,
    title: words.list.title,
    body: html`<main class="sheet">
<nav class="ways" aria-label="${words.ways.label}"><a href="${paths.link}">${words.ways.month}</a><a href="${other}" lang="${lang}" hreflang="${lang}">${words.ways.other}</a></nav>
<h1>${words.list.title}</h1>
<p>${step === 'opened' ? words.list.opened : words.list.lead}</p>
${lines(shops.map((shop, i) => shopHtml(shop, `shop${i}`, { words, paths })))}${isCut ? html`<p>${words.list.more}</p>\n` : nothing}${codeSection(forms)}</main>`,
  });
}

function codeSection({ step, token, words, paths }: Forms): Html {
  if (step === 'opened') return nothing;
  return html`<section id="code">
<h2>${words.code.title}</h2>
<p>${words.code.lead}</p>
${codeForms(paths.code, { hidden: { form: token }, words: words.code, step })}
</section>`;
}

function shopHtml({ id, name, companyName, months }: ListedShop, headingId: string, { words, paths }: Pick<Forms, 'words' | 'paths'>): Html {
  const w = words.lists;
  const row = (one: ListedMonth) => {
    const href = paths.month({ shopId: id, month: one.month });
    return html`<tr><td><a href="${href}">${words.month(one.month)}</a></td><td>${monthStatuses[monthStatus(one)].name[words.lang]}</td><td>${words.day(deadlineOf(one.month))}</td><td class="n">${one.orders}</td></tr>`;
  };
  return html`<section class="quiet">
<h2 id="${headingId}">${name}</h2>
<p>${companyName}</p>
${
  months.length === 0
    ? html`<p>${words.list.none}</p>\n`
    : html`<div class="scroll" role="region" aria-labelledby="${headingId}" tabindex="0">
<table>
<thead><tr><th scope="col">${w.month}</th><th scope="col">${w.state}</th><th scope="col">${w.term}</th><th scope="col" class="n">${w.orders}</th></tr></thead>
<tbody>
${lines(months.map(row))}</tbody>
</table>
</div>\n`
}</section>`;
}
