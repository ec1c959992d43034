import { isDashboardBeside } from '../../../config/console-url.ts';
import { eventsSince } from '../../../operations/activity/tail.ts';
import { markText } from '../../../operations/activity/tail-mark.ts';
import { may } from '../../../operations/people/rights.ts';
import { attributes } from '../../../web/attributes.ts';
import { html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import type { Page } from '../../base/page.ts';
import { LATELY_MS, liveLine, MOST_LINES } from './live-line.ts';

/** `GET /console/live?store=`: what happens; a stream adds to it while somebody looks. */
export const livePage: Page = {
  path: '/live',
  right: 'activity.see',
  async get({ deps, words, req, person }) {
    const { live: w } = words.activity;
    const all = (await deps.connections.list()).filter(({ closedAt }) => closedAt === null);
    const store = all.find(({ id }) => id === req.query['store'])?.id ?? null;
    const { told, mark } = await eventsSince(deps, { connection: store, since: new Date(deps.now().getTime() - LATELY_MS).toISOString() });
    const stream = `/console/live/stream${store === null ? '' : `?store=${encodeURIComponent(store)}`}`;
    const chip = (id: string | null, name: string) =>
      html`<li><a href="/console/live${id === null ? '' : `?store=${encodeURIComponent(id)}`}"${attributes({ 'aria-current': id === store ? 'true' : null })}>${name}</a></li>`;
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
}<ul class="chips">${chip(null, w.all)}${all.map(({ id, name }) => chip(id, name))}</ul>
<p id="fresh" class="verbs" hidden><button type="button" class="second" data-fresh="">${w.fresh} <span></span></button></p>
${told.length === 0 ? html`<p id="quiet">${w.quiet}</p>` : html``}
<ol class="timeline" id="lines" data-stream="${stream}" data-mark="${markText(mark)}">
${lines(
  told
    .slice(-MOST_LINES)
    .toReversed()
    .map((one) => liveLine(one, words)),
)}</ol>`,
    };
  },
};
