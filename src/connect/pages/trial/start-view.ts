import { dayName, field, momentName, money, seen } from '../../../console/frame/parts.ts';
import type { StartPreview } from '../../../operations/trial/preview-start.ts';
import { countedAs, START_WAYS, type StartChoice } from '../../../operations/trial/start-moment.ts';
import { codeWords } from '../../../operations/words/code-words.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import type { Words } from '../../words/words.ts';

/** `preview` null: the day is none. */
export type Chosen = StartChoice & { preview: StartPreview | null };

/** Until when the store was recorded before, for this company or for another one; null: it was not. ISO instants. */
type Past = { recordedUntil: string | null; elsewhereUntil: string | null };

function pastOf({ recordedUntil, elsewhereUntil }: Past, { trial: say, lang }: Words): Html {
  const said = [
    ...(recordedUntil === null ? [] : [say.away(momentName(recordedUntil, lang))]),
    ...(elsewhereUntil === null ? [] : [say.elsewhere(momentName(elsewhereUntil, lang))]),
  ];
  return html`${said.map((one) => html`<p>${one}</p>\n`)}`;
}

/** From when to record, with what that takes in; and the start. One form: what is selected when it is sent is what it says. */
export function startView(
  { way, day, preview }: Chosen,
  { base, trialSince, ...past }: Past & { base: string; trialSince: string | null },
  words: Words,
): Html {
  const { trial: say } = words;
  const option = (one: StartChoice['way']) =>
    html`<p><label><input type="radio" name="from" value="${one}"${attributes({ checked: one === way })}> ${say.ways[one]}</label></p>`;
  const wrong = preview === null ? { problem: say.dayWrong } : {};
  const start = (counted: StartPreview) => html`<p>${say.counted(way === 'day' ? say.since(dayName(day, words.lang)) : say.ways[way])}</p>
${previewed(counted, words)}<input type="hidden" name="counted" value="${countedAs({ way, day }, counted.from)}">
<p class="verbs"><button>${say.start}</button></p>
`;
  return html`<h2>${say.startTitle}</h2>
<p>${say.startBody}</p>
${pastOf(past, words)}<form method="post" action="${base}/trial">${seen([trialSince])}<fieldset><legend>${say.from}</legend>
${lines(START_WAYS.map(option))}${field({ name: 'day', label: say.day, type: 'date', value: day, ...wrong })}
<p class="verbs"><button class="second" formmethod="get">${say.show}</button></p></fieldset>
${preview === null ? nothing : start(preview)}</form>
`;
}

function previewed({ known, asked, unknown, whyUnknown }: StartPreview, words: Words): Html {
  const { trial: say, lang } = words;
  const isAny = known.orders + (unknown?.orders ?? 0) > 0;
  const said = [
    known.orders === 0 ? say.none : say.takes(known.orders, money(known.sum, words)),
    ...asked.map(({ code, orders }) => say.wouldAsk(orders, codeWords(code, lang).means)),
    ...(unknown === null || unknown.orders === 0 ? [] : [say.more(unknown.orders, money(unknown.sum, words))]),
    ...(whyUnknown === null ? [] : [say.unread]),
    ...(isAny ? [say.twice] : []),
  ];
  return html`<ul>${lines(said.map((one) => html`<li>${one}</li>`))}</ul>
`;
}
