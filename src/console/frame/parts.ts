import { createHash } from 'node:crypto';
import { instantText, sumsText } from '../../contract/local-text.ts';
import type { Lang } from '../../contract/said.ts';
import { attributes } from '../../web/attributes.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import type { Words } from '../messages/messages.ts';

/** The words that parts of pages say, whosever pages they are. */
type FrameWords = Pick<Words, 'lang' | 'frame'>;

/** An instant as people of Sofia read it; null: never. `dated`: with its year. */
export function when(instant: string | Date | null, { lang, frame }: FrameWords, form: 'moment' | 'dated' = 'moment'): Html {
  if (instant === null) return html`${frame.when.never}`;
  const at = new Date(instant);
  return html`<time datetime="${at.toISOString()}">${instantText(at, lang, form)}</time>`;
}

/** An instant as text, where no element may stand. */
export function momentName(instant: string, lang: Lang): string {
  return instantText(instant, lang, 'moment');
}

/** How long ago, of an instant. */
export function since(instant: string | Date | null, now: Date, { frame }: FrameWords): string {
  return instant === null ? frame.when.never : frame.when.ago(Math.max(0, Math.round((now.getTime() - new Date(instant).getTime()) / 1000)));
}

/** Sums such as "36.00 EUR + 12.00 USD" as people of the language write them; null: nothing is known. */
export function money(text: string | null, { lang, frame }: FrameWords): string {
  return text === null ? frame.none : sumsText(text, lang);
}

/** A word with a colour: ok, attention, failing, or quiet. */
export type Tone = 'ok' | 'attention' | 'failing' | 'quiet';

export function tag(text: string, tone: Tone): Html {
  return html`<span class="tag ${tone}">${text}</span>`;
}

/** `n`: its cells are numbers. */
type Column = { name: string; n?: true };

/** A table, whose rows become blocks of lines on narrow screens. `caption` is for those who do not see it. */
export function table({ caption, columns, rows }: { caption: string; columns: readonly Column[]; rows: readonly (readonly Html[])[] }): Html {
  const head = columns.map(({ name, n }) => html`<th scope="col"${attributes({ class: n ? 'n' : null })}>${name}</th>`);
  const row = (cells: readonly Html[]) =>
    html`<tr>${cells.map((cell, i) => html`<td${attributes({ class: columns[i]?.n ? 'n' : null, 'data-label': columns[i]?.name ?? null })}>${cell}</td>`)}</tr>`;
  return html`<table class="list"><caption class="unseen">${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${lines(rows.map(row))}</tbody>
</table>`;
}

/** A part of a page that is renewed while somebody looks; its id is unique on the page. */
export function live(id: string, content: Html): Html {
  return html`<div id="${id}" data-live="">${content}</div>`;
}

/** `id`: where a page has two fields of this name; default: the name. */
type Field = {
  name: string;
  id?: string;
  label: string;
  value?: string;
  hint?: string;
  type?: string;
  problem?: string;
  required?: boolean;
  autocomplete?: string;
};

/** A field of a form, with what is wrong with it beside it. */
export function field({ name, id = name, label, value = '', hint, type = 'text', problem, required, autocomplete }: Field): Html {
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(problem === undefined ? [] : [`${id}-problem`])].join(' ');
  const more = attributes({
    required: required ?? false,
    autocomplete: autocomplete ?? null,
    'aria-invalid': problem === undefined ? null : 'true',
    'aria-describedby': described === '' ? null : described,
  });
  return html`<div class="field"><label for="${id}">${label}</label>
${hint === undefined ? nothing : html`<p class="hint" id="${id}-hint">${hint}</p>`}<input id="${id}" name="${name}" type="${type}" value="${value}"${more}>
${problem === undefined ? nothing : html`<p class="problem" id="${id}-problem">${problem}</p>`}</div>`;
}

/** What a form was made from, so that a change that came meanwhile is noticed: a field of the form, compared by `isStale`. */
export function seen(value: unknown): Html {
  return html`<input type="hidden" name="seen" value="${seenOf(value)}">`;
}

/** A short digest of plain JSON. */
export function seenOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
}

type Choice = { name: string; label: string; value: string; options: Readonly<Record<string, string>>; hint?: string };

/** A field of a form with few values. */
export function choice({ name, label, value, options, hint }: Choice): Html {
  const option = ([key, words]: [string, string]) => html`<option value="${key}"${attributes({ selected: key === value })}>${words}</option>`;
  const described = attributes({ 'aria-describedby': hint === undefined ? null : `${name}-hint` });
  return html`<div class="field"><label for="${name}">${label}</label>
${hint === undefined ? nothing : html`<p class="hint" id="${name}-hint">${hint}</p>`}<select id="${name}" name="${name}"${described}>${Object.entries(options).map(option)}</select></div>`;
}

/** Words in which what is to be typed is between backticks. */
export function coded(words: string): Html {
  return html`${words.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}

/** First in a form of several verbs: Enter in one of its fields presses none of them. */
export const noDefault = html`<button disabled hidden></button>`;
