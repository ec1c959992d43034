import type { ListedDelivery } from '../../../operations/connections/store-webhooks.ts';
import { codeWords } from '../../../operations/words.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { type Columns, table } from '../../../web/tables.ts';
import { coded, tag, when, withoutCommands } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';

type Listed = { caption: string; webhooks: readonly ListedDelivery[] };

/** `storeOf`: names the store of each; absent: they are of one. */
export function webhookTable({ caption, webhooks, storeOf }: Listed & { storeOf?: (connectionId: string) => string }, words: Words): Html {
  const { deliveries: say } = words.store;
  const columns: Columns<ListedDelivery> = [
    { name: say.at, cell: ({ id, at }) => html`<a href="/console/webhooks/${id}">${when(at, words, 'second')}</a>` },
    ...(storeOf === undefined ? [] : [{ name: words.webhooks.store, cell: ({ connectionId }: ListedDelivery) => storeOf(connectionId) }]),
    { name: say.topic, cell: ({ topic }) => (topic === '' ? words.frame.none : html`<code class="topic">${topic}</code>`) },
    { name: say.answer, cell: (webhook) => answerTag(webhook, words) },
    { name: say.order, cell: ({ order }) => (order === null ? words.frame.none : orderLink(order)) },
    { name: say.what, cell: (webhook) => did(webhook, words) },
  ];
  return table({ caption, columns, rows: webhooks, opens: true });
}

/** What it was answered; an order that was read, or a replay, was answered nothing. */
export function answerTag({ result, answer, isRead }: Pick<ListedDelivery, 'result' | 'answer' | 'isRead'>, words: Words): Html {
  const { accepted, refused } = words.store.deliveries;
  const { read, again } = words.webhooks;
  if (result === 'accepted' && answer === null) return tag(isRead ? read : again, 'quiet');
  return html`${result === 'accepted' ? tag(accepted, 'ok') : tag(refused, 'failing')}${answer === null ? nothing : html` <span class="soft">${answer.status}</span>`}`;
}

export function orderLink({ id, orderId, number }: NonNullable<ListedDelivery['order']>): Html {
  return html`<a class="whole" href="/console/orders/${id}">${number ?? orderId}</a>`;
}

/** What became of it; of a refused one why, and what to do. */
export function did({ result, outcome, code, detail, todo, client }: ListedDelivery, { store: { deliveries: say }, lang }: Words): Html {
  const outcomes: Readonly<Record<string, string>> = say.outcomes;
  if (result === 'accepted')
    return html`${outcome === null ? '' : (outcomes[outcome] ?? outcome)}${code === null ? nothing : html` <span class="soft">${coded(codeWords(code, lang).means)}</span>`}`;
  const said = code === null || lang === 'en' ? { means: detail, todo } : codeWords(code, lang);
  return html`${coded(said.means ?? '')} <span class="soft">${coded(withoutCommands(said.todo ?? ''))} ${client === null ? '' : say.from(client)}</span>`;
}
