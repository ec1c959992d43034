import type { HealthStatus } from '../../operations/health/health-status.ts';
import { may, type Right } from '../../operations/people/rights.ts';
import type { Person } from '../../operations/people/sessions.ts';
import { attributes } from '../../web/attributes.ts';
import { button, formTo } from '../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';
import { assetPath } from '../assets/assets.ts';
import type { NavEntry } from '../base/page.ts';
import type { Words } from '../messages/messages.ts';

type Framed = {
  words: Words;
  title: string;
  body: Html;
  /** Null: nobody is signed in. */
  person: Person | null;
  place?: NavEntry | undefined;
  /** Null: not known. */
  health?: HealthStatus | null;
  /** What was just done. */
  notice?: string | undefined;
  /** What the person is to do soon, on each page. */
  reminder?: Html;
  /** Where the page is, below the host; for the change of language. */
  at?: string;
  /** Seconds after which the page is asked for again; `; url=` and an address: another one. */
  refresh?: string;
  /** The same where no script renews its parts. */
  refreshPlainly?: number;
  /** It answers a form: its parts are not renewed. */
  isAnswer?: boolean;
};

/** The pages of the bar. */
export const ways: readonly { place: NavEntry; path: string; right: Right }[] = [
  { place: 'today', path: '/console', right: 'orders.see' },
  { place: 'orders', path: '/console/orders', right: 'orders.see' },
  { place: 'review', path: '/console/review', right: 'orders.see' },
  { place: 'months', path: '/console/months', right: 'months.see' },
  { place: 'stores', path: '/console/stores', right: 'stores.see' },
  { place: 'destinations', path: '/console/destinations', right: 'stores.see' },
  { place: 'activity', path: '/console/activity', right: 'activity.see' },
  { place: 'live', path: '/console/live', right: 'activity.see' },
  { place: 'people', path: '/console/people', right: 'people.change' },
];

const seldom: ReadonlySet<NavEntry> = new Set(['live', 'people']);

/** What a browser's tab says, with how much is wrong. */
export function pageTitle({ words, title, health }: { words: Words; title: string; health: HealthStatus | null }): string {
  const count = health === null ? 0 : health.failedChecks.length;
  const mark = count === 0 ? '' : health?.health === 'failing' ? `(${count}!) ` : `(${count}) `;
  return `${mark}${title} – ${words.frame.product}`;
}

/** A whole page: the bar, the content, and nothing from another host. */
export function pageFrame({
  words,
  title,
  body,
  person,
  place,
  health = null,
  notice,
  reminder = nothing,
  at = '/console',
  refresh,
  refreshPlainly,
  isAnswer = false,
}: Framed): string {
  const { frame, lang } = words;
  const count = health === null ? 0 : health.failedChecks.length;
  return htmlDocument({
    lang,
    title: pageTitle({ words, title, health }),
    meta: frameMeta({ refresh, refreshPlainly }),
    styles: [
      html`<link rel="icon" href="${assetPath(`dot-${health?.health ?? 'quiet'}.svg`)}">`,
      html`<link rel="stylesheet" href="${assetPath('style.css')}">`,
      html`<script src="${assetPath('live.js')}" defer></script>`,
      copyScript(frame, '/console'),
    ],
    body: html`<a class="skip" href="#content">${frame.skip}</a>
${person === null ? nothing : bar({ words, person, place, at, count: health === null ? null : count })}<main id="content" tabindex="-1"${attributes({ 'data-still': isAnswer ? '' : null })}>
${reminder}${notice === undefined ? nothing : html`<p class="notice" role="status">${notice}</p>\n`}<h1>${title}</h1>
${body}
</main>
${person === null ? nothing : keysDialog(words, body)}`,
  }).markup;
}

/** Puts a button beside what is to be copied. */
export function copyScript({ copy }: Pick<Words['frame'], 'copy'>, below: '/console' | '/connect'): Html {
  return html`<script src="${assetPath('copy.js', below)}" data-copy="${copy.verb}" data-copied="${copy.done}" defer></script>`;
}

export function frameMeta({ refresh, refreshPlainly }: { refresh: string | undefined; refreshPlainly: number | undefined }): Html[] {
  return [
    html`<meta name="color-scheme" content="light dark">`,
    html`<meta name="robots" content="noindex, nofollow">`,
    ...(refresh === undefined ? [] : [html`<meta http-equiv="refresh" content="${refresh}">`]),
    ...(refreshPlainly === undefined ? [] : [html`<noscript><meta http-equiv="refresh" content="${refreshPlainly}"></noscript>`]),
  ];
}

/** Opened by a key; a form of method dialog closes it without script of ours. */
function keysDialog({ frame: { keys } }: Words, { markup }: Html): Html {
  const known = keys.all.filter(([key]) => key !== 'x' || markup.includes('type="checkbox" name="order"'));
  const rows = known.map(([key, words]) => html`<dt><kbd>${key}</kbd></dt><dd>${words}</dd>`);
  return html`<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">${keys.title}</h2><dl class="facts">${rows}</dl>
<form method="dialog"><button class="second">${keys.close}</button></form></dialog>`;
}

type Bar = { words: Words; person: Person; place: NavEntry | undefined; at: string; count: number | null };

function bar({ words: { frame, lang }, person, place, at, count }: Bar): Html {
  const wrong = count !== null && count > 0 ? html` <span class="count">${count}</span>` : nothing;
  const link = (way: (typeof ways)[number]) =>
    html`<li><a href="${way.path}"${attributes({ 'aria-current': way.place === place ? 'page' : null })}>${frame.places[way.place]}${way.place === 'today' ? wrong : nothing}</a></li>`;
  const other = lang === 'en' ? 'bg' : 'en';
  const mine = ways.filter(({ right }) => may(person.role, right));
  return html`<header class="bar">
<a class="product" href="/console">${frame.product}</a>
<details class="menu"><summary>${frame.menu}${wrong}</summary>
<nav aria-label="${frame.menu}"><ul>
${lines(mine.filter((way) => !seldom.has(way.place)).map(link))}</ul></nav>
</details>
<form class="search" role="search" action="/console/find" method="post"><label class="unseen" for="q">${frame.search.label}</label><input id="q" name="q" type="search" placeholder="${frame.search.hint}" autocomplete="off"></form>
<details class="person"><summary>${person.name === '' ? person.email : person.name}</summary>
<ul>
${lines(mine.filter((way) => seldom.has(way.place)).map(link))}<li><a href="/console/account">${frame.person.account}</a></li>
<li>${formTo('/console/language', { hidden: { lang: other, at }, buttons: [button(frame.person.language, { class: 'plain', lang: other })] })}</li>
<li>${formTo('/console/sign-out', { buttons: [button(frame.person.signOut, { class: 'plain' })] })}</li>
</ul></details>
</header>
`;
}
