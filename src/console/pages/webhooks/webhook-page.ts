import { parseJson } from '../../../bridge/storefronts/read-payload.ts';
import { zonedText } from '../../../contract/local-text.ts';
import { detailFor, happenedFor } from '../../../operations/order-detail/quoted-words.ts';
import { may } from '../../../operations/people/rights.ts';
import { deliveryBody, dismissDelivery } from '../../../operations/webhooks/kept-webhook.ts';
import { type ShownWebhook, showWebhook } from '../../../operations/webhooks/show-webhook.ts';
import { button, field, formTo, mustBeSeen } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { type Form, idOf, type Page, type PageContext, type PageReply, type ShownPage } from '../../base/page.ts';
import { copyable, listAddress, problemText } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { storyView } from '../order/story-view.ts';
import { visibleStores } from '../orders/order-list-request.ts';
import { changeView } from './change-view.ts';
import { payloadTree } from './payload-tree.ts';
import { answerTag, did, orderLink } from './webhook-table.ts';

/** `/console/webhooks/ID`: all about one of them, and what can be done about it. */
export const webhookPage: Page = {
  path: '/webhooks/:id',
  right: 'orders.see',
  get: async (context) => shown(context, await webhookOf(context)),
  post: { right: 'orders.decide', act },
};

/** The webhook that the address names, if it is of a store that this person sees. */
export async function webhookOf(context: PageContext): Promise<ShownWebhook> {
  return showWebhook({ pool: context.deps.pool, stores: await visibleStores(context) }, idOf(context));
}

/** `body`: what they asked to see. `problem`: of the note. */
type More = { body?: Buffer; problem?: string };

async function act(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, words, by, person } = context;
  const webhook = await webhookOf(context);
  const { id } = webhook;
  if (form.text('verb') === 'body' && may(person.role, 'buyers.see')) return shown(context, webhook, { body: await deliveryBody(deps, { id, by }) });
  mustBeSeen(form, webhook.outcome, { sent: words.webhooks.dismiss.do, now: outcomeWords(webhook, words) });
  const why = form.text('why');
  if (why === '') return shown(context, webhook, { problem: words.webhooks.dismiss.noteMissing });
  await dismissDelivery(deps, { id, by, why });
  return { goTo: '/console/review/webhooks', done: 'dismissed' };
}

function outcomeWords({ outcome }: Pick<ShownWebhook, 'outcome'>, { store: { deliveries: say } }: Words): string {
  const outcomes: Readonly<Record<string, string>> = say.outcomes;
  return outcome === null ? say.refused : (outcomes[outcome] ?? outcome);
}

export function titleOf({ topic, isRead }: Pick<ShownWebhook, 'topic' | 'isRead'>, { webhooks: say }: Words): string {
  return isRead ? say.oneRead : say.one(topic);
}

function shown(context: PageContext, webhook: ShownWebhook, more: More = {}): ShownPage {
  const { words, person } = context;
  const isOpen = webhook.outcome === 'review';
  const mayDecide = may(person.role, 'orders.decide');
  const body = html`<p class="soft"><a href="${listAddress('webhooks', { store: webhook.connectionId })}">${words.webhooks.title}</a> · ${webhook.connection.name}</p>
<div class="columns"><section>${factsView(webhook, context)}
${mayDecide && webhook.kept ? html`<p class="verbs"><a class="verb second" data-key="r" href="/console/webhooks/${webhook.id}/replay">${words.webhooks.replay.show}</a></p>` : nothing}
${mayDecide && isOpen ? dismissForm(webhook, words, more.problem) : nothing}
${webhook.result === 'refused' ? nothing : effects(webhook, context)}</section>
<section>${headersView(webhook, words)}</section></div>
${payloadView(webhook, context, more.body)}`;
  return { title: titleOf(webhook, words), place: isOpen ? 'review' : 'stores', body, ...(more.problem === undefined ? {} : { status: 422 }) };
}

function factsView(webhook: ShownWebhook, { words, person }: PageContext): Html {
  const { facts: say, took, noAnswer } = words.webhooks;
  const { at, connection, answer, order, id, platformDeliveryId, client, code, detail, result } = webhook;
  const maySee = may(person.role, 'stores.see');
  const why = result === 'accepted' && code !== null ? html`: ${problemText({ code, detail: detailFor(person, code, detail) ?? '' }, words.lang)}` : nothing;
  const known: (readonly [string, Html])[] = [
    [say.came, html`<time datetime="${at}">${zonedText(at, words.lang)}</time>`],
    [words.webhooks.store, maySee ? html`<a href="/console/stores/${connection.id}">${connection.name}</a>` : html`${connection.name}`],
    [say.answer, html`${answerTag(webhook, words)} ${answer === null ? noAnswer : took(answer.ms)}`],
    [say.state, html`${result === 'refused' ? did({ ...webhook, client: null }, words) : outcomeWords(webhook, words)}${why}`],
    ...(order === null ? [] : [[say.order, orderLink(order)] as const]),
    [say.id, copyable(id)],
    ...(platformDeliveryId === null ? [] : [[say.platformId, copyable(platformDeliveryId)] as const]),
    ...(client === null || !maySee ? [] : [[say.from, html`<code>${client}</code>`] as const]),
  ];
  return html`<dl class="facts">
${lines(known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`))}</dl>`;
}

function headersView({ headers }: ShownWebhook, { webhooks: { headers: say } }: Words): Html {
  const all = Object.entries(headers)
    .sort()
    .map(([name, value]) => html`<dt><code>${name}</code></dt><dd>${value}</dd>`);
  return html`<h2>${say.title}</h2>
${all.length === 0 ? html`<p class="soft">${say.none}</p>` : html`<dl class="facts">\n${lines(all)}</dl>\n<p class="soft">${say.lead}</p>`}`;
}

/** What it changed of its order, and what was sent to the compliance service since. */
function effects({ order, changed, followed }: ShownWebhook, { words, person }: PageContext): Html {
  const { change, followed: say } = words.webhooks;
  const requests = followed.map((request) => happenedFor(person, { is: 'request', at: request.at, request }));
  const nothingSent = html`<p class="soft">${say.none}</p>`;
  return html`<h2>${change.title}</h2>
${order === null ? html`<p class="soft">${change.noOrder}</p>` : changed === null ? html`<p class="soft">${change.unknown}</p>` : changeView(changed, words)}
${order === null ? nothing : html`<h2>${say.title}</h2>\n${requests.length === 0 ? nothingSent : storyView(requests, words)}`}`;
}

const MOST_SHOWN = 200_000;

function payloadView({ id, kept, cut, result }: ShownWebhook, { words, person }: PageContext, body: Buffer | undefined): Html {
  const { payload: say } = words.webhooks;
  const part = (content: Html) => html`<section><h2>${say.title}</h2>\n${content}</section>`;
  const note = cut ? html`<p class="notice">${kept ? say.cutKept : say.cutGone}</p>\n` : nothing;
  if (body !== undefined) return part(html`${note}${bodyView(body, words)}`);
  if (!kept) return part(cut ? note : html`<p class="soft">${result === 'refused' ? say.refused : say.gone}</p>`);
  if (!may(person.role, 'buyers.see')) return nothing;
  const lead = html`${note}<p class="soft">${say.showLead}</p>`;
  return part(formTo(`/console/webhooks/${id}`, { hidden: { verb: 'body' }, body: lead, buttons: [button(say.show, { class: 'second' })] }));
}

function bodyView(body: Buffer, words: Words): Html {
  const { payload: say } = words.webhooks;
  const text = textOf(body);
  if (text === null) return html`<p>${say.notText}</p>`;
  const parsed = parseJson(body);
  return html`${parsed.ok ? payloadTree(parsed.value, words) : nothing}
<div class="field"><label for="raw">${say.raw}</label>
<textarea class="copy" id="raw" rows="8" readonly>${text.slice(0, MOST_SHOWN)}</textarea></div>`;
}

/** Null: it is no text. */
function textOf(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return null;
  }
}

function dismissForm({ id, outcome }: ShownWebhook, { webhooks: { dismiss: say } }: Words, problem: string | undefined): Html {
  const body = html`<p>${say.lead}</p>${field({ name: 'why', label: say.note, required: true, problem })}`;
  return formTo(`/console/webhooks/${id}`, {
    class: 'card issue',
    hidden: { verb: 'dismiss' },
    seen: outcome,
    body,
    buttons: [button(say.do, { class: 'second' })],
  });
}
