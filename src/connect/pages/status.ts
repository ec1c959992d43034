import { dayName, monthName, type Tone, table, tag, when } from '../../console/frame/parts.ts';
import { wordsIn as consoleWordsIn } from '../../console/messages/messages.ts';
import { disconnectStore } from '../../operations/connections/disconnect-store.ts';
import type { BoardCard } from '../../operations/months/month-board.ts';
import { mailboxOf } from '../../operations/onboarding/confirm-company.ts';
import { endLinksOf, statusLink } from '../../operations/onboarding/invitations.ts';
import { type MerchantHealth, type MerchantStatus, merchantStatus } from '../../operations/onboarding/merchant-status.ts';
import { stateName } from '../../operations/words/state-words.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import type { ConnectPage, PageContext } from '../base/connect-page.ts';
import type { Words } from '../messages/messages.ts';

/** `/connect/{token}/status`: green or red, the last order, the months; the page that a merchant keeps. */
export const statusPage: ConnectPage = {
  path: '/status',
  of: 'status',
  async get(context) {
    const status = await statusOf(context);
    if (status === null) return { title: context.words.status.trial, body: notYetView(context) };
    return { title: context.words.status.title(status.name), body: statusView(context, status) };
  },
};

/** `/connect/{token}/status/disconnect`: says what will no longer be recorded, and asks. */
export const disconnectPage: ConnectPage = {
  path: '/status/disconnect',
  of: 'status',
  async get(context) {
    const status = await statusOf(context);
    if (status === null || status.closedAt !== null) return { goTo: `${context.base}/status` };
    return { title: context.words.status.disconnectTitle, body: disconnectView(context, status) };
  },
  async post({ deps, onboarding: { connectionId }, base, by }) {
    if (connectionId !== null) await disconnectStore(deps, { id: connectionId, by });
    return { goTo: `${base}/status` };
  },
};

/** `POST /connect/{token}/status/keep`: from the link to the whole way, which ends, to an address without an end. */
export const keepPage: ConnectPage = {
  path: '/status/keep',
  of: 'status',
  async post({ deps, onboarding, scope, base }) {
    const isDue = scope.kind === 'all' && onboarding.startedAt !== null;
    return { goTo: isDue ? `/connect/${await statusLink(deps, onboarding)}/status` : `${base}/status` };
  },
};

/** `/connect/{token}/status/unlink`: the link that is used now, others to this page, and those to one step end. */
export const unlinkPage: ConnectPage = {
  path: '/status/unlink',
  of: 'status',
  get: async (context) => ({ title: context.words.status.unlink, body: unlinkView(context) }),
  async post({ deps, onboarding: { id }, words: { status: say }, scope, by }) {
    await endLinksOf(deps, { id, scopes: scope.kind === 'all' ? ['all', 'status', 'step'] : ['status', 'step'], by });
    return { title: say.unlinkedTitle, body: html`<p>${say.unlinked}</p>` };
  },
};

/** Null: there is no store yet. */
async function statusOf({ deps, onboarding: { connectionId } }: PageContext): Promise<MerchantStatus | null> {
  return connectionId === null ? null : merchantStatus(deps, connectionId);
}

/** The store is not connected yet. */
function notYetView({ words: { status: say }, scope, base }: Pick<PageContext, 'words' | 'scope' | 'base'>): Html {
  return html`<p>${say.trialWords}</p>${scope.kind === 'all' ? html`\n<p class="verbs"><a class="verb" href="${base}">${say.goOn}</a></p>` : nothing}`;
}

type StatusContext = Pick<PageContext, 'words' | 'onboarding' | 'base' | 'scope' | 'endsAt'>;

function statusView(context: StatusContext, status: MerchantStatus): Html {
  const { words, onboarding, base } = context;
  const { status: say } = words;
  const isTrial = onboarding.startedAt === null && status.closedAt === null;
  const top = isTrial ? html`<p>${tag(say.trial, 'attention')}</p>\n${notYetView(context)}` : healthBanner(status, words, mailboxOf(onboarding) !== null);
  return html`${top}
${lastView(status, words)}
${monthsView(status.months, words)}
${status.closedAt === null ? listed(say.happens, say.happensWords) : remainsView(status, words)}${keepView(context)}
<h2>${say.change}</h2>
<p class="verbs">${status.closedAt === null ? html`<a class="verb second" href="${base}/status/disconnect">${say.disconnect}</a> ` : nothing}<a class="verb second" href="${base}/status/unlink">${say.unlink}</a></p>`;
}

function listed(title: string, sentences: readonly string[]): Html {
  return html`<h2>${title}</h2>
<ul>
${lines(sentences.map((each) => html`<li>${each}</li>`))}</ul>
`;
}

/** Nothing is recorded any more: what is left is what they delete in their store. */
function remainsView({ remains }: MerchantStatus, { status: say, lang }: Words): Html {
  if (remains.length === 0) return nothing;
  return listed(
    say.remains,
    remains.map((one) => one[lang]),
  );
}

function keepView({ words, onboarding, scope, endsAt, base }: StatusContext): Html {
  const { status: say, lang } = words;
  if (scope.kind === 'status') return html`<p class="notice">${endsAt === null ? say.keep : say.keepUntil(dayName(endsAt.slice(0, 10), lang))}</p>`;
  if (onboarding.startedAt === null) return nothing;
  return html`<div class="notice"><p>${say.keepLink}</p>
<form class="verbs" method="post" action="${base}/status/keep"><button>${say.keepDo}</button></form></div>`;
}

const tones: Readonly<Record<MerchantHealth, Tone>> = { ok: 'ok', wrong: 'failing', off: 'quiet' };

function healthBanner(status: MerchantStatus, words: Words, isMailed: boolean): Html {
  const { health, closedAt } = status;
  const { status: say } = words;
  const about = { ok: say.okWords, wrong: isMailed ? say.wrongMailed : say.wrongAsk, off: say.offWords }[health];
  const why = whatIsWrong(status, words);
  const frames: Readonly<Record<MerchantHealth, string>> = { ok: 'banner ok', wrong: 'banner failing', off: 'banner' };
  return html`<section class="${frames[health]}"><p>${tag(say[health], tones[health])}${closedAt === null ? nothing : html` ${when(closedAt, words, 'dated')}`}</p>
<p>${about}</p>
${why.length === 0 ? nothing : html`<ul>\n${lines(why.map((each) => html`<li>${each}</li>`))}</ul>`}</section>`;
}

function whatIsWrong({ failedChecks, gaps, open }: MerchantStatus, { status: say, lang }: Words): string[] {
  const { gap, gapOf } = consoleWordsIn(lang).store.health;
  const waiting = open.review + open.unconfirmed;
  return [
    ...failedChecks.map((said) => said[lang]),
    ...gaps.map(({ kind, value, orders }) => gap(value === null ? gapOf.none : gapOf[kind](value), orders)),
    ...(waiting === 0 ? [] : [say.waiting(waiting)]),
    ...(open.pending === 0 ? [] : [say.pending(open.pending)]),
  ];
}

function lastView({ last, recordFrom, closedAt }: MerchantStatus, words: Words): Html {
  const { status: say, lang } = words;
  const order =
    last === null
      ? html`${say.lastNone}`
      : html`${last.number ?? last.orderId}, ${say.lastAt} ${when(last.at, words, 'dated')}: ${stateName(last.state, lang)}`;
  return html`<h2>${say.last}</h2>
<p>${order}</p>
<p class="soft">${closedAt === null ? say.from : say.were} ${when(recordFrom, words, 'dated')}${closedAt === null ? nothing : html` ${say.until} ${when(closedAt, words, 'dated')}`}.</p>`;
}

function monthsView(months: readonly BoardCard[] | null, words: Words): Html {
  const { status: say, lang } = words;
  if (months === null || months.length === 0) return html`<h2>${say.months}</h2>\n<p>${months === null ? say.monthsElsewhere : say.monthsNone}</p>`;
  const { situations } = consoleWordsIn(lang).months;
  const { month, state, orders, term } = say.columns;
  const rows = months
    .toSorted((a, b) => b.month.localeCompare(a.month))
    .map((card) => [html`${monthName(card.month, lang)}`, html`${situations[card.situation]}`, html`${card.orders}`, html`${dayName(card.deadline, lang)}`]);
  return html`<h2>${say.months}</h2>
${table({ caption: say.months, columns: [{ name: month }, { name: state }, { name: orders, n: true }, { name: term }], rows })}`;
}

function disconnectView({ words: { status: say }, base }: Pick<PageContext, 'words' | 'base'>, { name, open }: MerchantStatus): Html {
  const waiting = open.review + open.unconfirmed;
  const left = [...(open.pending === 0 ? [] : [say.disconnectPending(open.pending)]), ...(waiting === 0 ? [] : [say.disconnectWaiting(waiting)])];
  return html`<p>${say.disconnectWords(name)}</p>
${left.map((one) => html`<p>${one}</p>\n`)}<p>${say.disconnectStays}</p>
<form class="verbs" method="post" action="${base}/status/disconnect"><button class="danger">${say.disconnectDo}</button> <a class="verb second" href="${base}/status">${say.keepIt}</a></form>`;
}

function unlinkView({ words: { status: say }, base }: Pick<PageContext, 'words' | 'base'>): Html {
  return html`<p>${say.unlinkWords}</p>
<form class="verbs" method="post" action="${base}/status/unlink"><button class="danger">${say.unlinkDo}</button> <a class="verb second" href="${base}/status">${say.keepIt}</a></form>`;
}
