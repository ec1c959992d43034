import type { ListedDelivery } from '../../../operations/connections/list-deliveries.ts';
import { codeWords } from '../../../operations/words/code-words.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { coded } from '../../frame/coded.ts';
import { table, tag, when } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

type DeliveriesView = { base: string; deliveries: readonly ListedDelivery[]; onlyRefused: boolean; mayDecide: boolean; words: Words };

/** The last webhooks of a store; of refused ones why. */
export function deliveriesView({ base, deliveries, onlyRefused, mayDecide, words }: DeliveriesView): Html {
  const { deliveries: say } = words.store;
  const chip = (path: string, name: string, isCurrent: boolean) =>
    html`<li><a href="${path}"${attributes({ 'aria-current': isCurrent ? 'true' : null })}>${name}</a></li>`;
  const rows = deliveries.map((delivery) => row(delivery, base, { mayDecide, words }));
  const none = html`<p class="soft">${onlyRefused ? say.noneRefused : say.none}</p>\n`;
  return html`<h2 id="webhooks">${say.title}</h2>
<ul class="chips">${chip(`${base}#webhooks`, say.all, !onlyRefused)}${chip(`${base}?refused=1#webhooks`, say.onlyRefused, onlyRefused)}</ul>
${rows.length === 0 ? none : table({ caption: say.title, columns: [say.at, say.topic, say.answer, say.order, say.what].map((name) => ({ name })), rows })}<p class="soft">${say.hint}</p>
`;
}

function row(delivery: ListedDelivery, base: string, { mayDecide, words }: Pick<DeliveriesView, 'mayDecide' | 'words'>): Html[] {
  const { deliveries: say } = words.store;
  const { at, result, topic, order, id } = delivery;
  const replay =
    mayDecide && id !== null
      ? html` <form method="post" action="${base}/replay"><input type="hidden" name="delivery" value="${id}"><button class="plain">${say.replay}</button></form>`
      : nothing;
  return [
    when(at, words),
    topic === '' ? html`${words.frame.none}` : html`<code>${topic}</code>`,
    result === 'accepted' ? tag(say.accepted, 'ok') : tag(say.refused, 'failing'),
    order === null
      ? html`${words.frame.none}`
      : html`<a class="whole" href="/console/orders?q=${encodeURIComponent(order.number ?? order.orderId)}">${order.number ?? order.orderId}</a>`,
    html`${did(delivery, words)}${replay}`,
  ];
}

function did({ result, outcome, code, detail, todo, client }: ListedDelivery, { store: { deliveries: say }, lang }: Words): Html {
  const outcomes: Readonly<Record<string, string>> = say.outcomes;
  if (result === 'accepted')
    return html`${outcome === null ? '' : (outcomes[outcome] ?? outcome)}${code === null ? nothing : html` <span class="soft">${coded(codeWords(code, lang).means)}</span>`}`;
  const said = code === null || lang === 'en' ? { means: detail, todo } : codeWords(code, lang);
  return html`${coded(said.means ?? '')} <span class="soft">${coded(said.todo ?? '')} ${client === null ? '' : say.from(client)}</span>`;
}
