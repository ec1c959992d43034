import { type MonthReport, summaryMarkup } from '../../../operations/months/month-report.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { live, money, monthName, tag } from '../../frame/parts.ts';
import { checklist } from './checklist.ts';
import { historyView } from './history-view.ts';
import type { Shown } from './month-forms.ts';
import { monthStatus } from './month-status.ts';
import { monthPath } from './of-month.ts';
import { versionsView } from './versions-view.ts';

/** The month: what is wrong or next in one sentence, the checklist with its forms, its files, what was done, and its summary. */
export function monthView(report: MonthReport, shown: Shown & { wasMaking: boolean }): Html {
  const { words, may, wasMaking, tried } = shown;
  const { tone, sentence } = monthStatus(report, words);
  const { situation } = report.summary;
  const untold = (report.summary.untold ?? []).map(({ month }) => monthName(month, words.lang)).join(', ');
  const isMarkable = report.isOver && situation.kind !== 'not-ours';
  return html`<p><a href="/console/months">${words.month.board}</a></p>
${tried === null ? nothing : html`<p class="banner failing"><strong>${words.month.problem.title}.</strong> ${tried.problem}</p>\n`}<p class="banner ${tone}">${tag(words.months.situations[situation.kind], tone)} ${sentence}</p>
${untold === '' ? nothing : html`<p class="banner failing">${words.month.verdict.untold(untold)}</p>\n`}${report.isBeingMade || wasMaking ? live('making', making(report, words)) : nothing}
<div class="columns"><div>
<h2>${words.month.checklist}</h2>
${may ? nothing : html`<p class="soft">${words.month.seeOnly}</p>\n`}${checklist(report, { ...shown, may: may && isMarkable })}
</div><div>
${facts(report, words)}
${historyView(report, words)}
</div></div>
${versionsView(report, shown)}
${summary(report, words)}`;
}

function making({ isBeingMade, key }: MonthReport, { month: { making: w } }: Shown['words']): Html {
  if (isBeingMade) return html`<p class="banner" role="status">${w.now} <a href="${monthPath(key)}?making=1">${w.again}</a></p>`;
  return html`<p class="banner ok" role="status">${w.done} <a href="${monthPath(key)}">${w.show}</a></p>`;
}

function facts({ summary }: MonthReport, words: Shown['words']): Html {
  const f = words.month.facts;
  const { shop, figures, currency } = summary;
  const inMoney = (amount: string) => money(`${amount} ${currency}`, words);
  const rows: [string, string][] = [
    [f.shop, shop.name],
    [f.company, `${shop.companyName}, ${shop.companyId}`],
    [f.number, shop.shopNumber],
    [f.orders, String(figures.orders)],
    [f.total, inMoney(figures.total)],
    [f.vat, inMoney(figures.vat)],
    [f.returned, inMoney(figures.returned)],
  ];
  return html`<h2>${f.shop}</h2>
<dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** Open where it says what to mend. */
function summary({ summary: found }: MonthReport, { month: { summary: w }, lang }: Shown['words']): Html {
  const { sections, footer } = summaryMarkup(found);
  const isOpen = found.situation.kind === 'blocked';
  return html`<details class="summary"${attributes({ open: isOpen })}><summary>${w.title}</summary>
${lang === 'bg' ? nothing : html`<p class="soft">${w.bulgarian}</p>\n`}<div lang="bg">
${sections}${footer}</div></details>`;
}
