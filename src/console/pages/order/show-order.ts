import type { Looked } from '../../../operations/orders/look-for-record.ts';
import { may } from '../../../operations/people/rights.ts';
import { type OrderSheet, orderSheet } from '../../../operations/sheets/order-sheet.ts';
import { sheetFor } from '../../../operations/sheets/quoted-words.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import type { PageContext, Shown } from '../../base/page.ts';
import { live } from '../../frame/parts.ts';
import { type Stale, staleBanner } from '../../frame/stale.ts';
import { numberOf } from '../orders/number-of.ts';
import { stateTag } from '../orders/state-tag.ts';
import { doubtView } from './doubt-view.ts';
import { factsView } from './facts-view.ts';
import { sentence } from './sentence.ts';
import { sidesView } from './sides-view.ts';
import { storyView } from './story-view.ts';
import { hasVerbs, verbsView } from './verbs.ts';
import { buyerVerb, type Sent, type VerbOf } from './verbs-view.ts';
import { webhookVerbs } from './webhook-verbs.ts';

/** The order that the address names; null: there is none that this person sees. */
export async function sheetOf({ req, deps, person }: PageContext): Promise<OrderSheet | null> {
  const id = String(req.params['id'] ?? '');
  if (!/^\d{1,15}$/.test(id)) return null;
  const sheet = await orderSheet({ pool: deps.pool, connections: deps.connections, hasService: deps.service !== null }, Number(id), person.shops);
  return sheet === null ? null : sheetFor(person, sheet);
}

export function noOrder({ words }: PageContext): Shown {
  return { status: 404, title: words.frame.problem.missingTitle, place: 'orders', body: html`<p>${words.order.missing}</p>` };
}

/** `stale`: what was sent was made from another state. */
type Showing = { sheet: OrderSheet; sent?: Sent; looked?: Looked; stale?: Pick<Stale, 'sent' | 'now'> };

/** All about an order, and what can be done about it. */
export function showOrder(context: PageContext, { sheet, sent, looked, stale }: Showing): Shown {
  const { words, person } = context;
  const mayAct = may(person.role, 'orders.decide');
  const of: VerbOf = { sheet, sent: sent ?? null, words };
  const changed = stale === undefined ? nothing : staleBanner(stale, sent?.typed['note'] ?? '', words);
  const body = html`${changed}<p class="soft"><a href="/console/orders">${words.orders.title}</a> · ${sheet.store.name}</p>
${live('head', html`<p class="head">${stateTag(sheet.report.state, words)} ${sentence(sheet, words)}</p>`)}
${live('todo', html`${doubtView(of, { looked: looked ?? null, mayAct })}${mayAct && hasVerbs(sheet) ? verbsView(of) : nothing}`)}
<div class="columns"><section><h2>${words.order.happened}</h2>
${live('story', storyView(sheet.happened, words, mayAct ? webhookVerbs(of, person.role) : () => nothing))}</section>
<section>${live('sides', right(sheet, context))}${may(person.role, 'buyers.see') ? buyerVerb(of) : nothing}</section></div>`;
  return {
    title: words.order.title(numberOf(sheet.report)),
    place: 'orders',
    body,
    ...(stale !== undefined ? { status: 409 } : sent !== undefined ? { status: 422 } : {}),
  };
}

function right(sheet: OrderSheet, { words }: PageContext): Html {
  return html`<h2>${words.order.sides.title}</h2>
${sidesView(sheet, words)}
<h2>${words.order.facts.title}</h2>
${factsView(sheet, words)}`;
}
