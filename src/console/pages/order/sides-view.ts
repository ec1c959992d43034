import type { OrderSheet } from '../../../operations/sheets/order-sheet.ts';
import type { Amount, SideRow, SideTotal } from '../../../operations/sheets/order-sides.ts';
import { problemWords } from '../../../operations/words/problem-words.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import { money } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

/** Store, settings and service, line by line; what differs is marked, in words, too. */
export function sidesView({ sides, report }: OrderSheet, words: Words): Html {
  const { sides: say } = words.order;
  const { rows, totals, refunded } = sides;
  const { desired } = report;
  const problems =
    desired.kind === 'problems'
      ? html`<p>${say.problems}:</p><ul>${lines(desired.problems.map((problem) => html`<li>${problemWords(problem, words.lang)}</li>`))}</ul>`
      : desired.kind === 'nothing'
        ? html`<p>${say.nothingShould}: ${say.reasons[desired.why]}.</p>`
        : nothing;
  if (rows.length === 0) return html`${problems}<p class="soft">${say.nothingIn}</p>`;
  const doesDiffer = totals.differs || rows.some(({ differs }) => differs);
  const verdict = doesDiffer ? say.differ : sides.isDoubtful ? say.doubtful : sides.isOpen && report.record === null ? say.notYet : say.alike;
  return html`${problems}<p class="${doesDiffer ? 'problem' : 'soft'}">${verdict}</p>
<table class="list sides"><caption class="unseen">${say.caption}</caption>
<thead><tr><th scope="col">${say.line}</th><th scope="col" class="n">${say.store}</th><th scope="col" class="n">${say.should}</th><th scope="col" class="n">${say.stands}</th></tr></thead>
<tbody>
${lines(rows.map((row) => line(row, totals, words)))}${refunded === null ? nothing : html`<tr><td data-label="${say.line}">${say.refunded}</td><td class="n" data-label="${say.store}">−${refunded}</td><td></td><td></td></tr>\n`}${total(sides, words)}
</tbody></table>`;
}

function line({ name, rate, store, should, stands, differs }: SideRow, totals: OrderSheet['sides']['totals'], words: Words): Html {
  const { sides: say } = words.order;
  const cell = (label: string, amount: Amount | null, of: SideTotal) =>
    html`<td class="n" data-label="${label}">${amount === null ? words.frame.none : html`<span class="soft">${amount.quantity} ×</span> ${money(`${amount.amount} ${of?.currency ?? ''}`, words)}`}</td>`;
  return html`<tr${attributes({ class: differs ? 'differs' : null })}><td data-label="${say.line}">${name} <span class="soft">${say.rate(rate)}</span>${differs ? html` <strong class="problem">${say.differs}</strong>` : nothing}</td>${cell(say.store, store, totals.store)}${cell(say.should, should, totals.should)}${cell(say.stands, stands, totals.stands)}</tr>`;
}

function total(sides: OrderSheet['sides'], words: Words): Html {
  const { store, should, stands, differs } = sides.totals;
  const { sides: say } = words.order;
  const cell = (label: string, of: SideTotal, isUnknown = false) =>
    html`<td class="n" data-label="${label}"><strong>${of === null ? (isUnknown ? say.unknown : say.nothing) : money(`${of.amount} ${of.currency}`, words)}</strong></td>`;
  return html`<tr${attributes({ class: differs ? 'differs' : null })}><td data-label="${say.line}"><strong>${say.total}</strong>${differs ? html` <strong class="problem">${say.differs}</strong>` : nothing}</td>${cell(say.store, store)}${cell(say.should, should, sides.isOpen)}${cell(say.stands, stands, sides.isDoubtful)}</tr>`;
}
