import type { SeenOrders } from '../../../bridge/ledger/find-orders.ts';
import type { OrdersQuery } from '../../../operations/orders/orders-wanted.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { noDefault } from '../../frame/no-default.ts';
import { field, seen } from '../../frame/parts.ts';
import type { Stale } from '../../frame/stale.ts';
import type { Words } from '../../words/words.ts';

/** What somebody sent, and what is wrong with it. `ticked`: the ids of orders. `stale`: they have changed. */
export type Sent = {
  note: string;
  how: string;
  all: boolean;
  ticked: ReadonlySet<number>;
  problem: 'none' | 'noNote' | 'noWord' | 'stale';
  stale?: Pick<Stale, 'sent' | 'now'>;
};

/** `of`: all that would be acted on. */
type Bulk = { query: OrdersQuery; list: Html; of: SeenOrders; mostCounted: number; sent?: Sent | undefined };

/** The list as a form: what is chosen in it is decided again, or settled. */
export function bulkForm({ query, list, of, mostCounted, sent }: Bulk, { orders }: Words): Html {
  const { bulk } = orders;
  const hidden = Object.entries(query).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  const isMany = of.count > mostCounted;
  const all = bulk.all(orders.count(of.count, mostCounted));
  const problem = sent?.problem;
  return html`<form method="post" action="/console/orders">
${noDefault}${hidden}${seen(of.digest)}<input type="hidden" name="was" value="${all}"><input type="hidden" name="at" value="${of.at}">${problem === 'none' ? html`<p class="problem" role="alert">${bulk.none}</p>\n` : nothing}<p><label><input type="checkbox" data-all=""> ${orders.selectPage}</label></p>
${list}
<section class="card bulk"><h2>${bulk.title}</h2>
${isMany ? html`<p class="soft">${bulk.tooMany(mostCounted.toLocaleString())}</p>` : html`<p><label><input type="checkbox" name="all" value="1"${attributes({ checked: sent?.all ?? false })}> ${all}</label></p>`}
${field({ name: 'note', label: bulk.note, value: sent?.note ?? '', ...(problem === 'noNote' ? { problem: bulk.noNote } : {}) })}
<div class="verbs"><button name="act" value="release" data-key="r">${bulk.release}</button></div>
<details${attributes({ open: problem === 'noNote' || problem === 'noWord' || (sent?.how ?? '') !== '' })}><summary>${bulk.settle}</summary>
<fieldset><legend>${bulk.how}</legend>
${(['not-a-sale', 'elsewhere'] as const).map((how) => html`<p><label><input type="radio" name="how" value="${how}"${attributes({ checked: sent?.how === how })}> ${bulk[how]}</label></p>`)}
${problem === 'noWord' ? html`<p class="problem" role="alert">${bulk.noWord}</p>` : nothing}</fieldset>
<div class="verbs"><button class="second" name="act" value="settle">${bulk.settleAll}</button></div>
</details></section>
</form>`;
}
