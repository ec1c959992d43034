import { money } from '../../../console/frame/parts.ts';
import type { RehearsedOrder } from '../../../operations/onboarding/rehearsed-order.ts';
import type { Amount, OrderSides, SideRow, SideTotal } from '../../../operations/sheets/order-sides.ts';
import { codeWords } from '../../../operations/words/code-words.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import type { Words } from '../../words/words.ts';

/** The newest real order line by line beside what would be recorded of it. */
export function orderView(order: RehearsedOrder | null, words: Words): Html {
  const { trial: say, lang } = words;
  if (order === null) return html`<p>${say.orderNone}</p>\n`;
  const { number, sides, code } = order;
  const asked = code === null ? nothing : html`<p class="problem">${say.orderAsked(codeWords(code, lang).means)}</p>\n`;
  return html`<h2>${say.orderTitle(number)}</h2>
${asked}${table(sides, words)}
${code === null ? html`<p class="${sides.totals.differs ? 'problem' : 'soft'}">${sides.totals.differs ? say.differs : say.same}</p>\n` : nothing}`;
}

function table({ rows, totals, refunded }: OrderSides, words: Words): Html {
  const { trial: say } = words;
  const head = [say.line, say.rate, say.store, say.record].map((name, i) => html`<th scope="col" class="${i > 1 ? 'n' : ''}">${name}</th>`);
  const back = refunded === null ? nothing : html`<p class="hint">${say.refunded(money(`${refunded} ${totals.store?.currency ?? ''}`, words))}</p>\n`;
  return html`<table class="list"><caption class="unseen">${say.caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${lines(rows.map((row) => line(row, totals, words)))}
<tr><td data-label="${say.line}"><strong>${say.total}</strong></td><td></td>${sum(say.store, totals.store, words)}${sum(say.record, totals.should, words)}</tr>
</tbody></table>
${back}`;
}

function line({ name, rate, store, should }: SideRow, totals: OrderSides['totals'], words: Words): Html {
  const { trial: say } = words;
  return html`<tr><td data-label="${say.line}">${name}</td><td data-label="${say.rate}">${rate} %</td>${cell(say.store, { amount: store, of: totals.store }, words)}${cell(say.record, { amount: should, of: totals.should }, words)}</tr>`;
}

function cell(label: string, { amount, of }: { amount: Amount | null; of: SideTotal }, words: Words): Html {
  const text = amount === null ? words.frame.none : words.trial.times(amount.quantity, money(`${amount.amount} ${of?.currency ?? ''}`, words));
  return html`<td class="n" data-label="${label}">${text}</td>`;
}

function sum(label: string, of: SideTotal, words: Words): Html {
  return html`<td class="n" data-label="${label}"><strong>${of === null ? words.frame.none : money(`${of.amount} ${of.currency}`, words)}</strong></td>`;
}
