import type { LinesAndPaid } from '../../../operations/desk/lines-and-paid.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import { money, table } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

/** The lines of orders next to what was paid, with what is missing. */
export function mismatches(orders: readonly LinesAndPaid[], words: Words): Html {
  if (orders.length === 0) return nothing;
  return html`<h2>${words.review.mismatch.title}</h2>
${lines(orders.map((order) => mismatch(order, words)))}`;
}

function mismatch({ id, number, lines: sold, sum, paid, gap }: LinesAndPaid, words: Words): Html {
  const { mismatch: said } = words.review;
  const name = number ?? `id:${id}`;
  const rows = [
    ...sold.map((line) => [html`${line.name}${line.quantity === '1' ? nothing : html` × ${line.quantity}`}`, html`${money(line.amount, words)}`]),
    [html`<strong>${said.sum}</strong>`, html`<strong>${money(sum, words)}</strong>`],
    [html`<strong>${said.paid}</strong>`, html`<strong>${money(paid, words)}</strong>`],
  ];
  const sentence = gap === null ? said.equal : said[gap.is](money(gap.amount, words));
  return html`<section class="card mismatch"><h3><a href="/console/orders/${id}">${name}</a></h3>
${table({ caption: name, columns: [{ name: said.line }, { name: said.amount, n: true }], rows })}
<p class="problem">${sentence}</p></section>`;
}
