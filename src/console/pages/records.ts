import { dayName, monthName } from '../../contract/local-text.ts';
import { deleteByHand, lookBeforeDelete, type ToDelete } from '../../operations/service/recorded-orders.ts';
import { button, field, formTo, mustBeSeen } from '../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import { type Form, idOf, type Page, type PageContext, type PageReply, type ShownPage } from '../base/page.ts';
import { copyable, money, when } from '../frame/parts.ts';
import type { Words } from '../messages/messages.ts';
import { missingPage } from '../problem-pages.ts';

/** `GET, POST /console/records/ID`: a record of our own service, and its deletion by hand. */
export const recordPage: Page = {
  path: '/records/:id',
  right: 'orders.decide',
  async get(context) {
    if (context.deps.service === null) return missingPage(context.words);
    return recordView(context, await lookBeforeDelete(context.deps, idOf(context)), null);
  },
  post: { right: 'orders.decide', act: remove },
};

function recordView({ words }: PageContext, found: ToDelete, problem: string | null): ShownPage {
  const { records: say } = words;
  const { recorded, order } = found;
  return {
    status: problem === null ? 200 : 422,
    title: say.title(recorded.internalNumber),
    place: 'orders',
    body: html`${facts(found, words)}${order === null ? nothing : currentBanner(order, words)}<h2>${say.deleteTitle}</h2>
<p>${say.deleteHint}</p>
${formTo(`/console/records/${recorded.id}`, { seen: stateOf(found), body: field({ name: 'why', label: say.why, required: true, problem }), buttons: [button(say.do, { class: 'danger' })] })}`,
  };
}

function facts({ recorded }: ToDelete, words: Words): Html {
  const { records: say } = words;
  const { id, internalNumber, total, precision, currency, documentNumber, documentDate, month, createdAt } = recorded;
  const known: [string, Html][] = [
    [say.id, copyable(id)],
    [say.number, html`${internalNumber}`],
    [say.total, html`${money(`${total.toFixed(precision)} ${currency}`, words)}`],
    [say.made, when(createdAt, words, 'dated')],
    [say.document, html`${documentNumber}, ${dayName(documentDate, words.lang)}`],
    [say.month, html`${month === null ? words.frame.none : monthName(month, words.lang)}`],
  ];
  return html`<dl class="facts about">${lines(known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`))}</dl>
`;
}

/** orderbridge does not notice that a record of its own is gone. */
function currentBanner({ id, name }: { id: number; name: string }, { records: say }: Words): Html {
  return html`<div class="banner attention"><p>${say.current} <a href="/console/orders/${id}">${name}</a>. ${say.currentHint}</p></div>
`;
}

function stateOf({ recorded: { id, edition, month, total }, order }: ToDelete): unknown {
  return [id, edition, month, total, order?.id ?? null];
}

async function remove(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, words, by } = context;
  const { service } = deps;
  if (service === null) return missingPage(words);
  const found = await lookBeforeDelete(deps, idOf(context));
  const { recorded } = found;
  const now = `${recorded.internalNumber}: ${money(`${recorded.total.toFixed(recorded.precision)} ${recorded.currency}`, words)}`;
  mustBeSeen(form, stateOf(found), { sent: words.records.do, now });
  const why = form.text('why');
  if (why === '') return recordView(context, found, words.records.noWhy);
  await deleteByHand({ service }, { id: recorded.id, by, why });
  return { goTo: found.order === null ? '/console/activity' : `/console/orders/${found.order.id}`, done: 'record-gone' };
}
