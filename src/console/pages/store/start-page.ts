import { dayName } from '../../../contract/local-text.ts';
import {
  chosenMoment,
  countedAs,
  previewStart,
  START_WAYS,
  type StartChoice,
  type StartPreview,
  startChoice,
} from '../../../operations/trial/preview-start.ts';
import { onTrial, startRecording } from '../../../operations/trial/start-recording.ts';
import { codeWords } from '../../../operations/words.ts';
import { button, field, formTo, group, mustBeSeen, tick } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { Form, Page, PageContext, PageReply, ShownPage } from '../../base/page.ts';
import { momentName, money, withoutCommands } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { addressOf, type ShownStore, storeOf, wayBack } from './store-parts.ts';

/** `GET, POST /console/stores/ID/start`: the end of its trial, with what that takes in. */
export const startPage: Page = {
  path: '/stores/:id/start',
  right: 'stores.change',
  get: askPage,
  post: { right: 'stores.change', act: start },
};

async function askPage(context: PageContext): Promise<PageReply> {
  const { deps, req } = context;
  const store = await storeOf(context);
  if (store.trialSince === null) return { goTo: addressOf(store) };
  const text = (name: string) => (typeof req.query[name] === 'string' ? req.query[name] : '');
  const choice = startChoice(text);
  return counted(context, store, { ...choice, why: text('why'), from: chosenMoment(choice, deps.now()) });
}

type Chosen = StartChoice & { why: string; from: string };

async function counted({ deps, words }: PageContext, store: ShownStore, chosen: Chosen): Promise<ShownPage> {
  const connection = await onTrial(deps.connections, store.connectionId);
  const preview = await previewStart({ pool: deps.pool, ...deps.stores.reading }, connection, chosen.from);
  return {
    title: words.start.title(store.name),
    place: 'stores',
    body: html`${wayBack(store, words)}<p>${words.start.intro}</p>
${startForm(store, { ...chosen, preview }, words)}`,
  };
}

/** One form: what is selected when it is sent is what it says. */
function startForm(store: ShownStore, { way, day, why, preview }: Chosen & { preview: StartPreview }, words: Words): Html {
  const { start: say } = words;
  const content = html`${lines(START_WAYS.map((one) => tick({ name: 'from', type: 'radio', value: one, label: say.ways[one], isOn: one === way })))}${field({ name: 'day', label: say.day, type: 'date', value: day })}
<p class="verbs">${button(say.show, { class: 'second', formmethod: 'get' })}</p>
`;
  const body = html`${group({ id: 'from', legend: say.from, content })}
<p>${say.counted(way === 'day' ? say.since(dayName(day, words.lang)) : say.ways[way])}</p>
${previewed(preview, words)}${field({ name: 'why', label: say.why, value: why })}`;
  const counted = countedAs({ way, day }, preview.from);
  return formTo(`${addressOf(store)}/start`, { seen: [store.trialSince], hidden: { counted }, body, buttons: [button(say.do)] });
}

function previewed({ known, asked, unknown, whyUnknown }: StartPreview, words: Words): Html {
  const { start: say } = words;
  const said = [
    known.orders === 0 ? say.wouldNone : say.would(known.orders, money(known.sum, words)),
    ...asked.map(({ code, orders }) => say.asked(orders, codeWords(code, words.lang).means)),
    ...(unknown === null || unknown.orders === 0 ? [] : [say.unknown(unknown.orders, money(unknown.sum, words))]),
    ...(whyUnknown === null ? [] : [say.unread(withoutCommands(whyUnknown[words.lang]))]),
  ];
  const isAny = known.orders + (unknown?.orders ?? 0) > 0;
  return html`<ul>${lines(said.map((one) => html`<li>${one}</li>`))}</ul>
${isAny ? html`<p>${say.twice}</p>\n` : nothing}`;
}

async function start(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, words, by } = context;
  const store = await storeOf(context);
  const { start: say } = words;
  const now = store.trialSince === null ? say.isNow(momentName(store.recordFrom, words.lang)) : say.onTrial(momentName(store.trialSince, words.lang));
  mustBeSeen(form, [store.trialSince], { sent: say.do, now });
  const why = form.text('why');
  const choice = startChoice(form.text);
  const from = chosenMoment(choice, deps.now());
  if (countedAs(choice, from) !== form.text('counted')) return notCounted(context, store, { ...choice, why, from });
  await startRecording(deps, { id: store.connectionId, from, by, ...(why === '' ? {} : { why }) });
  return { goTo: addressOf(store), done: 'recordingStarted' };
}

/** What is selected is another moment than what was counted: since a start can't be taken back, that is counted first. */
async function notCounted(context: PageContext, store: ShownStore, chosen: Chosen): Promise<PageReply> {
  const page = await counted(context, store, chosen);
  return { ...page, status: 422, body: html`<p class="problem" role="alert">${context.words.start.notCounted}</p>\n${page.body}` };
}
