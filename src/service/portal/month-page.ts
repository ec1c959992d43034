import { type Html, html, nothing } from '../../web/html.ts';
import { lines } from '../../web/lines.ts';
import { composePage } from '../audit/summary/compose-page.ts';
import { summaryLimits } from '../audit/summary/summary-limits.ts';
import { summaryFooter, summaryHead, summarySections } from '../audit/summary/summary-parts.ts';
import { englishHead } from './english-head.ts';
import { type Forms, monthForms } from './month-forms.ts';
import type { MonthView } from './month-view.ts';
import { pageDocument } from './page-document.ts';
import { FILE_KINDS } from './portal-paths.ts';
import type { ActName } from './portal-words.ts';
import { skippedTable } from './skipped-table.ts';

/** `done`: what was just done, by the address that a form led to; `other`: this page in the other language. */
export type Shown = Forms & { done: ActName | null; other: string };

/** The page of a month: its status first, what can be said of it, its files, and the whole summary. */
export function monthPage(view: MonthView, shown: Shown): string {
  const { words } = shown;
  const composed = composePage(view.summary, { occasion: 'summary', limits: summaryLimits, way: { kind: 'page' } });
  const head = words.lang === 'en' ? englishHead(view.summary) : composed;
  return pageDocument({
    lang: words.lang,
    title: `${words.month(view.key.month)} – ${view.summary.shop.name}`,
    body: html`<main class="sheet">
${ways(shown)}
${notice(view, shown)}${summaryHead(head)}
${said(view, shown)}${monthForms(view, shown)}
${files(view, shown)}
${skippedTable(view.summary, words)}${words.bulgarianOnly === null ? nothing : html`<p class="detail">${words.bulgarianOnly}</p>\n`}<div lang="bg">
${summarySections(composed.sections)}${summaryFooter(composed.footer)}
</div>
</main>`,
  });
}

function ways({ words, paths, other }: Shown): Html {
  const lang = words.lang === 'bg' ? 'en' : 'bg';
  return html`<nav class="ways" aria-label="${words.ways.label}"><a href="${paths.all}">${words.ways.all}</a><a href="${other}" lang="${lang}" hreflang="${lang}">${words.ways.other}</a></nav>`;
}

/** What became of the last form. */
function notice({ stored }: MonthView, { words, tried, done }: Shown): Html {
  if (tried !== null) {
    return html`<div class="status problem" role="alert"><p class="badge">${words.refused.label}</p><p class="words">${words.refused.words(tried.refusal)}</p></div>\n`;
  }
  // The address alone proves nothing: what it says must be so.
  if (done === null || !isSo(done, stored.state)) return nothing;
  return html`<div class="status good" role="status"><p class="badge">${words.done.label}</p><p class="words">${words.done.words[done]}</p></div>\n`;
}

function isSo(done: ActName, state: MonthView['stored']['state']): boolean {
  return done === 'again' ? state === 'generated' : state === done;
}

/** What people said of the month. */
function said({ stored }: MonthView, { words }: Shown): Html {
  const { facts } = words.done;
  const isFiled = stored.state === 'filed' || stored.state === 'rejected';
  const known: [string, string | null][] = [
    [facts.filedOn, isFiled && stored.filedOn !== null ? words.day(stored.filedOn) : null],
    [facts.incomingNumber, isFiled ? stored.incomingNumber : null],
    [facts.rejectedWords, stored.state === 'rejected' ? stored.rejectedWords : null],
    [facts.nothing, stored.state === 'nothing' ? (stored.nothing?.note ?? null) : null],
  ];
  const rows = known.flatMap(([label, value]) => (value === null ? [] : [html`<div><dt>${label}</dt><dd>${value}</dd></div>`]));
  return rows.length === 0 ? nothing : html`<dl class="said">\n${lines(rows)}</dl>\n`;
}

function files({ key, versions, stored }: MonthView, { words, paths }: Shown): Html {
  const { files: w } = words;
  const row = ({ version, createdAt, bytes }: MonthView['versions'][number]) => {
    const mark = stored.state === 'filed' && stored.filedVersion === version ? html` <span class="filed-mark">${w.filed}</span>` : nothing;
    const names = { xml: w.xml, csv: w.csv, html: w.summary };
    const links = FILE_KINDS.map(
      (kind) => html`<a href="${paths.file(key, version, kind)}" download="" aria-label="${names[kind]}, ${w.version} ${version}">${names[kind]}</a> `,
    );
    return html`<tr><td>${version}${mark}</td><td>${words.moment(createdAt)}</td><td>${links}</td><td class="n">${bytes}</td></tr>`;
  };
  return html`<section class="quiet">
<h2 id="files">${w.title}</h2>
${
  versions.length === 0
    ? html`<p>${w.none}</p>\n`
    : html`<p>${w.lead}</p>
<div class="scroll files" role="region" aria-labelledby="files" tabindex="0">
<table>
<thead><tr><th scope="col">${w.version}</th><th scope="col">${w.madeOn}</th><th scope="col">${w.contents}</th><th scope="col" class="n">${w.size}</th></tr></thead>
<tbody>
${lines(versions.map(row))}</tbody>
</table>
</div>\n`
}</section>`;
}
