import type { ShownStore } from '../../../operations/connections/show-store.ts';
import { previewStart, type StartPreview } from '../../../operations/trial/preview-start.ts';
import { shownMoment, startDay, startMoment } from '../../../operations/trial/start-moment.ts';
import { onTrial, startRecording } from '../../../operations/trial/start-recording.ts';
import { codeWords } from '../../../operations/words/code-words.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import type { Form, Page, Reply, Shown, Visit } from '../../base/page.ts';
import { dayName, field, momentName, money, seen } from '../../frame/parts.ts';
import { mustBeSeen } from '../../frame/stale.ts';
import type { Words } from '../../words/words.ts';
import { addressOf, storeOf, wayBack } from './store-parts.ts';

/** `GET, POST /console/stores/ID/start`: the end of its trial, with what that takes in. */
export const startPage: Page = {
  path: '/stores/:id/start',
  right: 'stores.change',
  get: askPage,
  post: { right: 'stores.change', act: start },
};

const WAYS = ['now', 'month', 'day'] as const;

async function askPage(visit: Visit): Promise<Reply> {
  const { deps, words, req } = visit;
  const store = await storeOf(visit);
  if (store.trialSince === null) return { goTo: addressOf(store) };
  const text = (name: string) => (typeof req.query[name] === 'string' ? req.query[name] : '');
  const way = WAYS.find((one) => one === text('from')) ?? 'now';
  const from = way === 'day' ? startDay(text('day'), deps.now()) : startMoment(way, deps.now());
  const connection = await onTrial(deps.connections, store.connectionId);
  const preview = await previewStart({ pool: deps.pool, ...deps.stores.reading }, connection, from);
  return shown(store, { way, day: text('day'), preview }, words);
}

type Chosen = { way: (typeof WAYS)[number]; day: string; preview: StartPreview };

function shown(store: ShownStore, { way, day, preview }: Chosen, words: Words): Shown {
  const { start: say } = words;
  const option = (one: Chosen['way']) =>
    html`<p><label><input type="radio" name="from" value="${one}"${attributes({ checked: one === way })}> ${say.ways[one]}</label></p>`;
  return {
    title: say.title(store.name),
    place: 'stores',
    body: html`${wayBack(store, words)}<p>${say.intro}</p>
<form method="get" action="${addressOf(store)}/start"><fieldset><legend>${say.from}</legend>
${lines(WAYS.map(option))}${field({ name: 'day', label: say.day, type: 'date', value: day })}
<p class="verbs"><button class="second">${say.show}</button></p>
</fieldset></form>
${previewed(preview, words)}<form method="post" action="${addressOf(store)}/start">${seen([store.trialSince])}<input type="hidden" name="typed" value="${shownMoment(way, preview.from)}">
${field({ name: 'why', label: say.why })}
<p class="verbs"><button>${say.doFrom(way === 'day' ? say.since(dayName(day, words.lang)) : say.ways[way])}</button></p>
</form>
`,
  };
}

function previewed({ known, asked, unknown, whyUnknown }: StartPreview, words: Words): Html {
  const { start: say } = words;
  const said = [
    known.orders === 0 ? say.wouldNone : say.would(known.orders, money(known.sum, words)),
    ...asked.map(({ code, orders }) => say.asked(orders, codeWords(code, words.lang).means)),
    ...(unknown === null || unknown.orders === 0 ? [] : [say.unknown(unknown.orders, money(unknown.sum, words))]),
    ...(whyUnknown === null ? [] : [say.unread(whyUnknown[words.lang])]),
  ];
  const isAny = known.orders + (unknown?.orders ?? 0) > 0;
  return html`<ul>${lines(said.map((one) => html`<li>${one}</li>`))}</ul>
${isAny ? html`<p>${say.twice}</p>\n` : nothing}`;
}

async function start(visit: Visit, form: Form): Promise<Reply> {
  const { deps, words, by } = visit;
  const store = await storeOf(visit);
  const { start: say } = words;
  const now = store.trialSince === null ? say.isNow(momentName(store.recordFrom, words.lang)) : say.onTrial(momentName(store.trialSince, words.lang));
  mustBeSeen(form, [store.trialSince], { sent: say.do, now });
  const why = form.text('why');
  const from = startMoment(form.text('typed'), deps.now());
  await startRecording(deps, { id: store.connectionId, from, by, ...(why === '' ? {} : { why }) });
  return { goTo: addressOf(store), done: 'recordingStarted' };
}
