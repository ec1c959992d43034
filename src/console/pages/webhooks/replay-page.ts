import { replayDelivery, replayPreview } from '../../../operations/webhooks/kept-webhook.ts';
import type { ShownWebhook } from '../../../operations/webhooks/show-webhook.ts';
import { asksAgain, type ReplayPreview } from '../../../operations/webhooks/webhook-change.ts';
import { button, formTo, group, mustBeSeen, tick } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { Form, Page, PageContext, PageReply, ShownPage } from '../../base/page.ts';
import { problemText } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { changeView } from './change-view.ts';
import { titleOf, webhookOf } from './webhook-page.ts';

/** `/console/webhooks/ID/replay`: what reading a webhook again would do, and then doing it. */
export const replayPage: Page = {
  path: '/webhooks/:id/replay',
  right: 'orders.decide',
  async get(context) {
    const webhook = await webhookOf(context);
    return shown(context, { webhook, preview: await replayPreview(context.deps, webhook.id) });
  },
  post: { right: 'orders.decide', act },
};

async function act(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, words, by } = context;
  const webhook = await webhookOf(context);
  const preview = await replayPreview(deps, webhook.id);
  mustBeSeen(form, seenOf(webhook, preview), { sent: words.webhooks.replay.do, now: wouldWords(preview, words) });
  if (asksAgain(preview) && form.text('sure') !== 'yes') return shown(context, { webhook, preview, problem: words.webhooks.replay.notSure });
  const { ignored } = await replayDelivery({ ...deps, by }, webhook.id);
  return { goTo: `/console/webhooks/${webhook.id}`, done: ignored === null ? 'replayed' : 'replayed-ignored' };
}

function seenOf({ outcome }: ShownWebhook, preview: ReplayPreview): unknown {
  return [outcome, preview];
}

function shown({ words }: PageContext, { webhook, preview, problem }: { webhook: ShownWebhook; preview: ReplayPreview; problem?: string }): ShownPage {
  const { replay: say } = words.webhooks;
  const path = `/console/webhooks/${webhook.id}`;
  const sure = asksAgain(preview)
    ? group({ id: 'sure', legend: say.asks, problem, content: tick({ name: 'sure', label: say.sure, required: true }) })
    : nothing;
  const form = formTo(`${path}/replay`, { class: 'card issue', seen: seenOf(webhook, preview), body: sure, buttons: [button(say.do, { 'data-key': 'r' })] });
  const body = html`<p class="soft"><a href="${path}">${titleOf(webhook, words)}</a> · ${webhook.connection.name}</p>
<p>${say.lead}</p>${webhook.cut ? html`\n<p class="notice">${say.cut}</p>` : nothing}
<p class="banner"><strong>${wouldWords(preview, words)}</strong></p>
${details(preview, words)}
${isIdle(preview, webhook) ? nothing : form}`;
  return { title: say.title, place: 'stores', body, ...(problem === undefined ? {} : { status: 422 }) };
}

/** Nothing would come of it, and nobody waits for it. */
function isIdle(preview: ReplayPreview, { outcome }: ShownWebhook): boolean {
  return preview.is === 'unreadable' || (preview.is === 'order' && preview.isKnown && outcome !== 'review');
}

function wouldWords(preview: ReplayPreview, { webhooks: { replay } }: Words): string {
  const { would } = replay;
  if (preview.is !== 'order') return would[preview.is];
  if (preview.isKnown) return would.known;
  return preview.id === null ? would.made(preview.orderId) : preview.isDecided ? would.decided : would.facts;
}

function details(preview: ReplayPreview, words: Words): Html {
  if (preview.is === 'unreadable') return html`<ul>${lines(preview.problems.map((problem) => html`<li>${problemText(problem, words.lang)}</li>`))}</ul>`;
  return preview.is === 'order' && !preview.isKnown ? changeView(preview.change, words) : nothing;
}
