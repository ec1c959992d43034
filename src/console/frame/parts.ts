import { containsPersonalData, failures } from '../../bridge/order/facts/failure.ts';
import { isDay } from '../../contract/day.ts';
import { byName, dayName, instantText, monthName, sumsText } from '../../contract/local-text.ts';
import type { Lang } from '../../contract/messages.ts';
import { may } from '../../operations/people/rights.ts';
import type { Person } from '../../operations/people/sessions.ts';
import { problemWords } from '../../operations/words.ts';
import { type Html, html } from '../../web/html.ts';
import type { Words } from '../messages/messages.ts';

/** The words that parts of pages say, whosever pages they are. */
type FrameWords = Pick<Words, 'lang' | 'frame'>;

/** An instant as people of Sofia read it; null: never. `dated`: with its year; `second`: where what came first matters. */
export function when(instant: string | Date | null, { lang, frame }: FrameWords, form: 'moment' | 'dated' | 'second' = 'moment'): Html {
  if (instant === null) return html`${frame.when.never}`;
  const at = new Date(instant);
  return html`<time datetime="${at.toISOString()}">${instantText(at, lang, form)}</time>`;
}

/** An instant as text, where no element may stand. */
export function momentName(instant: string, lang: Lang): string {
  return instantText(instant, lang, 'moment');
}

/** A store’s name, which leads to its page for those who may see that. */
export function storeLink({ id, name }: { id: string; name: string }, { role }: Pick<Person, 'role'>): Html {
  return may(role, 'stores.see') ? html`<a href="/console/stores/${id}">${name}</a>` : html`${name}`;
}

/** Stores or shops to choose from. */
export function namedOptions(all: readonly { id: string; name: string }[]): (readonly [id: string, name: string])[] {
  return all.toSorted((a, b) => byName(a.name, b.name)).map(({ id, name }) => [id, name]);
}

/** Where orders, webhooks, stores and pages are found by what somebody has of them. An e-mail address is not written into it: proxies and browsers keep addresses. */
export function findAddress(q: string): string {
  return q.includes('@') ? '/console/find' : `/console/find?q=${encodeURIComponent(q)}`;
}

/** What a list of webhooks is asked for by its address. */
export type WebhooksQuery = { store: string; topic: string; answer: string; from: string; to: string };

type Query = Readonly<Record<string, string | undefined>>;

/** What of a query says anything. */
export function chosenIn(query: Query): Record<string, string> {
  return Object.fromEntries(Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])));
}

/** The address of a list, such as `orders` or `orders.csv`. */
export function listAddress(list: string, query: Query): string {
  const chosen = new URLSearchParams(chosenIn(query));
  return chosen.size === 0 ? `/console/${list}` : `/console/${list}?${chosen}`;
}

/** How long ago, of an instant. */
export function since(instant: string | Date | null, now: Date, { frame }: FrameWords): string {
  return instant === null ? frame.when.never : frame.when.ago(Math.max(0, Math.round((now.getTime() - new Date(instant).getTime()) / 1000)));
}

/** Sums such as "36.00 EUR + 12.00 USD" as people of the language write them; null: nothing is known. */
export function money(text: string | null, { lang, frame }: FrameWords): string {
  return text === null ? frame.none : sumsText(text, lang);
}

/** One sum as people of the language write it; null: nothing is known. */
export function amount(value: string | null, currency: string | null, words: FrameWords): string {
  return money(value === null || currency === null ? null : `${value} ${currency}`, words);
}

/** Why something waits, in words and without commands; its sums as people of the language write them, but for what a service or a store said. */
export function problemText(problem: { code: string; detail: string }, lang: Lang): string {
  const words = withoutCommands(problemWords(problem, lang));
  return containsPersonalData(problem.code) ? words : sumsText(words, lang);
}

/** A word with a colour: ok, attention, failing, or quiet. */
export type Tone = 'ok' | 'attention' | 'failing' | 'quiet';

export function tag(text: string, tone: Tone): Html {
  return html`<span class="tag ${tone}">${text}</span>`;
}

/** A part of a page that is renewed while somebody looks; its id is unique on the page. */
export function live(id: string, content: Html): Html {
  return html`<div id="${id}" data-live="">${content}</div>`;
}

/** Words without the clauses that name a command of ours: beside a button that does it. */
export function withoutCommands(words: string): string {
  return words.replace(/\s*\([^()`]*`orderbridge [^`]*`[^()]*\)/g, '').replace(/;[^;`]*`orderbridge [^`]*`[^;.]*|,[^,;`]*`orderbridge [^`]*`[^;.]*/g, '');
}

const ANY_CODE = `(?:${Object.keys(failures).join('|').replaceAll('.', '\\.')})`;
const CODES = new RegExp(`, ${ANY_CODE}(?=: )|(?<=^|: )${ANY_CODE}: | \\(${ANY_CODE}\\)`, 'g');
const INSTANTS = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
/** Names follow after a colon. */
const DAYS = /(?<!: .*)\b(20\d\d-\d\d)(-\d\d)?\b(?!-)/gs;

/** Words that commands print, too, as pages say them: without codes, and with times of Sofia as people write them. What stores are called may look like one. */
export function pageWords(words: string, lang: Lang): string {
  return words.replace(CODES, '').replace(INSTANTS, (at) => (isDay(at.slice(0, 10)) && !Number.isNaN(Date.parse(at)) ? instantText(at, lang, 'moment') : at));
}

/** The same of words that name months or days themselves. */
export function datedWords(words: string, lang: Lang): string {
  return pageWords(words, lang).replace(DAYS, (found, month: string, day?: string) => {
    if (!isDay(day === undefined ? `${month}-01` : found)) return found;
    return day === undefined ? monthName(month, lang) : dayName(found, lang);
  });
}

/** What people take elsewhere, whole: one press selects it, and a script puts a button beside it. */
export function copyable(text: string): Html {
  return html`<code class="copy">${text}</code>`;
}

/** Words in which what is to be typed is between backticks. */
export function coded(words: string): Html {
  return html`${words.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}
