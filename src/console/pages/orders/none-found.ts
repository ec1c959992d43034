import { codeMeans } from '../../../operations/orders/code-means.ts';
import { receivedToday } from '../../../operations/orders/received-today.ts';
import { may } from '../../../operations/people/rights.ts';
import { canBeAsked } from '../../../operations/reconciliation/ask-for-order.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import type { PageContext } from '../../base/page.ts';
import { since } from '../../frame/parts.ts';
import type { OrdersAsked } from './orders-asked.ts';

/** Nothing was found: and what the stores said lately, so that a lost webhook is told from a wrong number. */
export async function noneFound(context: PageContext, { query, stores }: OrdersAsked): Promise<Html> {
  const { deps, words, person } = context;
  const { none } = words.orders;
  const { q, ...others } = query;
  const isFiltered = Object.values(others).some((one) => one !== '');
  const received = await receivedToday(
    deps,
    stores.map(({ id }) => id),
  );
  const what = q === '' ? (isFiltered ? none.filtered : none.atAll) : none.named(q);
  const last = received.last === null ? none.noStore : none.last(received.last.name, since(received.last.at, deps.now(), words));
  const maySee = may(person.role, 'stores.see');
  const refused = received.refused.map(
    ({ connectionId, name, count, code }) =>
      html`<li>${none.refused(count, name, codeMeans(code, words.lang).replace(/\.$/, ''))}${maySee ? html` <a href="/console/stores/${connectionId}">${none.see}</a>` : nothing}</li>`,
  );
  return html`<section class="banner"><p><strong>${what}</strong> ${last}</p>
${refused.length === 0 ? nothing : html`<ul>${lines(refused)}</ul>`}${q === '' || isFiltered ? nothing : askForms(context, { q, stores })}</section>`;
}

const MOST_ASKED = 5;

/** A webhook may have been lost: the stores that can be asked, each with its button. */
function askForms({ deps, words, person }: PageContext, { q, stores }: { q: string; stores: OrdersAsked['stores'] }): Html {
  const { ask } = words.orders;
  const some = may(person.role, 'orders.decide') ? stores.filter((store) => canBeAsked(deps.stores.storefronts, store)).slice(0, MOST_ASKED) : [];
  if (some.length === 0) return nothing;
  return html`<form method="post" action="/console/orders/ask"><input type="hidden" name="q" value="${q}">
<p>${ask.lead}</p>
<div class="verbs">${lines(some.map(({ id, name }) => html`<button class="second" name="store" value="${id}">${ask.store(name)}</button>`))}</div></form>`;
}
