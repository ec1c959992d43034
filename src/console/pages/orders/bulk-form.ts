import type { OrdersQuery } from '../../../operations/orders/orders-wanted.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { noDefault } from '../../frame/no-default.ts';
import { field, seen } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

/** What somebody sent, and what is wrong with it. */
export type Sent = { note: string; how: string; all: boolean; problem: 'none' | 'noNote' | 'noWord' };

type Bulk = { query: OrdersQuery; list: Html; count: number; mostCounted: number; sent?: Sent | undefined };

/** The list as a form: what is chosen in it is decided again, or settled. */
export function bulkForm({ query, list, count, mostCounted, sent }: Bulk, { orders }: Words): Html {
  const { bulk } = orders;
  const hidden = Object.entries(query).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  const isMany = count > mostCounted;
  const problem = sent?.problem;
  return html`<form method="post" action="/console/orders">
${noDefault}${hidden}${seen(count)}${problem === 'none' ? html`<p class="problem" role="alert">${bulk.none}</p>\n` : nothing}<p><label><input type="checkbox" data-all=""> ${orders.selectPage}</label></p>
${list}
<section class="card bulk"><h2>${bulk.title}</h2>
${isMany ? html`<p class="soft">${bulk.tooMany(mostCounted.toLocaleString())}</p>` : html`<p><label><input type="checkbox" name="all" value="1"${attributes({ checked: sent?.all ?? false })}> ${bulk.all(orders.count(count, mostCounted))}</label></p>`}
${field({ name: 'note', label: bulk.note, value: sent?.note ?? '', ...(problem === 'noNote' ? { problem: bulk.noNote } : {}) })}
<div class="verbs"><button name="act" value="release" data-key="r">${bulk.release}</button></div>
<details${attributes({ open: problem === 'noNote' || problem === 'noWord' })}><summary>${bulk.settle}</summary>
<fieldset><legend>${bulk.how}</legend>
${(['not-a-sale', 'elsewhere'] as const).map((how) => html`<p><label><input type="radio" name="how" value="${how}"${attributes({ checked: sent?.how === how })}> ${bulk[how]}</label></p>`)}
${problem === 'noWord' ? html`<p class="problem" role="alert">${bulk.noWord}</p>` : nothing}</fieldset>
<div class="verbs"><button class="second" name="act" value="settle">${bulk.settleAll}</button></div>
</details></section>
</form>`;
}
