import { isDashboardBeside } from '../../config/config.ts';
import { eventsSince, type KeyedEvent, markText } from '../../operations/activity/tail.ts';
import { may } from '../../operations/people/rights.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import type { Page } from '../base/page.ts';
import { chips } from '../frame/chips.ts';
import { listAddress, when } from '../frame/parts.ts';
import type { Words } from '../messages/messages.ts';

/** `GET /console/live?store=`: what happens; a stream adds to it while somebody looks. */
export const livePage: Page = {
  path: '/live',
  right: 'activity.see',
  async get({ deps, words, req, person }) {
    const { live: w } = words.activity;
    const all = (await deps.connections.list()).filter(({ closedAt }) => closedAt === null);
    const store = all.find(({ id }) => id === req.query['store'])?.id ?? null;
    const { events, mark } = await eventsSince(deps, { connection: store, since: new Date(deps.now().getTime() - LATELY_MS).toISOString() });
    const stream = `/console/live/stream${store === null ? '' : `?store=${encodeURIComponent(store)}`}`;
    const chip = (id: string | null, name: string) => ({ to: listAddress('live', { store: id ?? '' }), name, isOn: id === store });
    const hasQueues = may(person.role, 'queues.see') && isDashboardBeside(deps.config);
    return {
      title: w.title,
      place: 'live',
      body: html`<p class="soft">${w.lead}</p>
${
  hasQueues
    ? html`<p><a href="/admin/queues">${w.queues}</a></p>
`
    : nothing
}${chips([chip(null, w.all), ...all.map(({ id, name }) => chip(id, name))])}<p id="fresh" class="verbs" hidden><button type="button" class="second" data-fresh="">${w.fresh} <span></span></button></p>
${events.length === 0 ? html`<p id="quiet">${w.quiet}</p>` : html``}
<ol class="timeline" id="lines" data-stream="${stream}" data-mark="${markText(mark)}">
${lines(
  events
    .slice(-MOST_LINES)
    .toReversed()
    .map((one) => liveLine(one, words)),
)}</ol>`,
    };
  },
};

/** What is shown of what happened before, and how many lines of it. */
export const LATELY_MS = 10 * 60_000;
export const MOST_LINES = 200;

/** What happened, in a line; the words are those of the log. By its key the page knows what it shows already. */
export function liveLine({ key, event }: KeyedEvent, words: Words): Html {
  const { at, webhookId, store, connectionId, orderRef, orderId, number, words: said } = event;
  const about = store ?? connectionId;
  const order = number ?? orderId;
  return html`<li data-key="${key}">${when(at, words, 'second')} ${about === null ? nothing : html`<strong>${about}</strong> `}${
    order === null ? nothing : html`<a href="/console/orders/${orderRef ?? ''}">${words.activity.order(order)}</a> `
  }${webhookId === null ? html`<span lang="en">${said}</span>` : html`<a href="/console/webhooks/${webhookId}" lang="en">${said}</a>`}</li>`;
}
