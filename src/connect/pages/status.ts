import { apiWarningOf, type Connection, NOTES_WARNING } from '../../bridge/connections/connection.ts';
import { openOrders, settingGaps, type ValueGap, valueGap } from '../../bridge/ledger/connections/store-figures.ts';
import { type LastOrder, lastOrder } from '../../bridge/ledger/invitations/company-store.ts';
import type { StoreDenial } from '../../bridge/storefronts/store-failure.ts';
import { type Tone, tag, when } from '../../console/frame/parts.ts';
import { wordsIn as consoleWordsIn } from '../../console/messages/messages.ts';
import { dayName } from '../../contract/local-text.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import { saveSettings, takesNotes } from '../../operations/connections/change-settings.ts';
import { disconnectStore, remainsInStore } from '../../operations/connections/disconnect-store.ts';
import { type FindConnection, knownConnection } from '../../operations/connections/known-connection.ts';
import { refusedAppOf } from '../../operations/health/checks/stores.ts';
import { codeOf } from '../../operations/health/checks.ts';
import { ungrouped } from '../../operations/health/group-checks.ts';
import type { FailedCheck, HealthStatus } from '../../operations/health/health-status.ts';
import { type BoardCard, monthBoard } from '../../operations/months/month-board.ts';
import { mailboxOf } from '../../operations/onboarding/confirm-company.ts';
import { endLinksOf, statusLink } from '../../operations/onboarding/invitations.ts';
import { canMail } from '../../operations/onboarding/merchant-mail.ts';
import { onboardingOf } from '../../operations/onboarding/store.ts';
import { stateName } from '../../operations/words.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { ComplianceService } from '../../service/compliance-service.ts';
import { sofiaDay } from '../../service/law/calendar.ts';
import { button, formTo } from '../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import type { ConnectContext, ConnectPage } from '../base/connect-page.ts';
import type { Words } from '../messages/messages.ts';
import { monthsView } from './files.ts';
import { figuresOf, figuresView, type OwnFigures } from './orders.ts';

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

/** `POST /connect/{token}/status/notes`: notes at orders in the store begin, or end. */
export const notesPage: ConnectPage = {
  path: '/status/notes',
  of: 'status',
  async post({ deps, onboarding: { connectionId }, base, by }, form) {
    const set = [`notes=${form.text('act') === 'on'}`];
    if (connectionId !== null) await saveSettings(deps, { id: connectionId, by, changes: { set, unset: [] } });
    return { goTo: `${base}/status` };
  },
};

/** Null: there is no store yet. */
async function statusOf({ deps, onboarding: { connectionId } }: ConnectContext): Promise<MerchantStatus | null> {
  return connectionId === null ? null : merchantStatus(deps, connectionId);
}

/** The store is not connected yet. */
function notYetView({ words: { status: say }, scope, base }: Pick<ConnectContext, 'words' | 'scope' | 'base'>): Html {
  return html`<p>${say.trialWords}</p>${scope.kind === 'all' ? html`\n<p class="verbs"><a class="verb" href="${base}">${say.goOn}</a></p>` : nothing}`;
}

type StatusContext = Pick<ConnectContext, 'words' | 'onboarding' | 'base' | 'scope' | 'endsAt' | 'deps'>;

function statusView(context: StatusContext, status: MerchantStatus): Html {
  const { words, onboarding, base } = context;
  const { status: say } = words;
  const isTrial = onboarding.startedAt === null && status.closedAt === null;
  const top = isTrial ? html`<p>${tag(say.trial, 'attention')}</p>\n${notYetView(context)}` : healthBanner(status, context);
  return html`${top}
${lastView(status, words)}
${status.figures === null ? nothing : figuresView(status.figures, context)}${monthsView(status.months, context)}
${status.closedAt === null ? listed(say.happens, say.happensWords) : remainsView(status, words)}${notesView(status, context)}${keepView(context)}
<h2>${say.change}</h2>
<p class="verbs">${onboarding.startedAt === null ? nothing : html`<a class="verb second" href="${base}/status/mailbox">${words.own.figures.mailbox}</a> `}${status.closedAt === null ? html`<a class="verb second" href="${base}/status/disconnect">${say.disconnect}</a> ` : nothing}<a class="verb second" href="${base}/status/unlink">${say.unlink}</a></p>`;
}

function listed(title: string, sentences: readonly string[]): Html {
  return html`<h2>${title}</h2>
<ul>
${lines(sentences.map((each) => html`<li>${each}</li>`))}</ul>
`;
}

function notesView({ notes }: MerchantStatus, { words: { status: say }, base }: StatusContext): Html {
  if (notes === null) return nothing;
  const act = notes === 'on' ? 'off' : 'on';
  return html`<h2>${say.notes.title}</h2>
<p>${say.notes[notes]}</p>
${formTo(`${base}/status/notes`, { hidden: { act }, class: 'verbs', buttons: [button(say.notes.verbs[act], { class: 'second' })] })}`;
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
  if (scope.kind === 'status') return html`<p class="notice">${endsAt === null ? say.keep : say.keepUntil(dayName(sofiaDay(endsAt), lang))}</p>`;
  if (onboarding.startedAt === null) return nothing;
  return html`<div class="notice"><p>${say.keepLink}</p>
${formTo(`${base}/status/keep`, { class: 'verbs', buttons: [button(say.keepDo)] })}</div>`;
}

const tones: Readonly<Record<MerchantHealth, Tone>> = { ok: 'ok', wrong: 'failing', off: 'quiet' };

function healthBanner(status: MerchantStatus, context: StatusContext): Html {
  const { health, closedAt } = status;
  const { words, deps, onboarding } = context;
  const { status: say } = words;
  const isMailed = canMail(deps) && mailboxOf(onboarding) !== null;
  const about = { ok: say.okWords, wrong: isMailed ? say.wrongMailed : say.wrongAsk, off: say.offWords }[health];
  const why = whatIsWrong(status, context);
  const frames: Readonly<Record<MerchantHealth, string>> = { ok: 'banner ok', wrong: 'banner failing', off: 'banner' };
  return html`<section class="${frames[health]}"><p>${tag(say[health], tones[health])}${closedAt === null ? nothing : html` ${when(closedAt, words, 'dated')}`}</p>
<p>${about}</p>
${why.length === 0 ? nothing : html`<ul>\n${lines(why.map((each) => html`<li>${each}</li>`))}</ul>`}</section>`;
}

function whatIsWrong({ failedChecks, gaps, open, closedAt }: MerchantStatus, { words: { status: say, own, lang }, base }: StatusContext): Html[] {
  const { gap, gapOf } = consoleWordsIn(lang).store.health;
  const answer = closedAt === null ? html` <a href="${base}/mapping">${own.figures.answer}</a>` : nothing;
  // What waits for an answer is said once.
  const others = open.review + open.unconfirmed - gaps.reduce((sum, { orders }) => sum + orders, 0);
  return [
    ...failedChecks.map((said) => html`${said[lang]}`),
    ...gaps.map(({ kind, value, orders }) => html`${gap(value === null ? gapOf.none : gapOf[kind](value), orders)}${answer}`),
    ...(others <= 0 ? [] : [html`${say.waiting(others)}`]),
    ...(open.pending === 0 ? [] : [html`${say.pending(open.pending)}`]),
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

function disconnectView({ words: { status: say }, base }: Pick<ConnectContext, 'words' | 'base'>, { name, open }: MerchantStatus): Html {
  const waiting = open.review + open.unconfirmed;
  const left = [...(open.pending === 0 ? [] : [say.disconnectPending(open.pending)]), ...(waiting === 0 ? [] : [say.disconnectWaiting(waiting)])];
  return html`<p>${say.disconnectWords(name)}</p>
${left.map((one) => html`<p>${one}</p>\n`)}<p>${say.disconnectStays}</p>
${dangerForm(`${base}/status`, 'disconnect', { press: say.disconnectDo, keep: say.keepIt })}`;
}

function unlinkView({ words: { status: say }, base }: Pick<ConnectContext, 'words' | 'base'>): Html {
  return html`<p>${say.unlinkWords}</p>
${dangerForm(`${base}/status`, 'unlink', { press: say.unlinkDo, keep: say.keepIt })}`;
}

function dangerForm(status: string, act: string, { press, keep }: { press: string; keep: string }): Html {
  return formTo(`${status}/${act}`, {
    class: 'verbs',
    buttons: [button(press, { class: 'danger' }), html` <a class="verb second" href="${status}">${keep}</a>`],
  });
}

type Deps = { pool: Pool; connections: FindConnection; service: ComplianceService | null; readHealth(): Promise<HealthStatus>; now(): Date };

/** ok: all is well. wrong: something does not work, or waits for an answer. off: it was disconnected. */
type MerchantHealth = 'ok' | 'wrong' | 'off';

/** What a merchant sees of their own store, and of nothing else. `months` null: another service keeps them. */
type MerchantStatus = {
  name: string;
  health: MerchantHealth;
  failedChecks: readonly LocalizedText[];
  closedAt: string | null;
  /** What will be in the store once it is disconnected, and what is if it was; with where a person deletes it. */
  remains: readonly LocalizedText[];
  recordFrom: string;
  open: { pending: number; review: number; unconfirmed: number };
  /** What their store has that nobody said the meaning of. */
  gaps: readonly ValueGap[];
  last: LastOrder | null;
  months: readonly BoardCard[] | null;
  /** Null: it was disconnected. */
  figures: OwnFigures | null;
  /** Those at orders in the store; refused: they were switched off, because we may not write there. Null: there can be none. */
  notes: 'on' | 'off' | 'refused' | null;
};

function notesOf({ platform, access, closedAt, settings, warnings }: Connection): MerchantStatus['notes'] {
  if (closedAt !== null || access === null || !takesNotes(platform)) return null;
  return settings.notes ? 'on' : NOTES_WARNING in warnings ? 'refused' : 'off';
}

export async function merchantStatus(deps: Deps, connectionId: string): Promise<MerchantStatus> {
  const connection = await knownConnection(deps.connections, connectionId);
  const { id, name, closedAt, recordFrom, shopId } = connection;
  const [health, open, gaps, last, remains, figures, months] = await Promise.all([
    deps.readHealth(),
    openOrders(deps.pool, id),
    settingGaps(deps.pool, id),
    lastOrder(deps.pool, id),
    remainsInStore(deps.pool, connection),
    closedAt === null ? figuresOf(deps, id) : null,
    deps.service === null ? null : monthBoard({ ...deps.service.audit, now: deps.now }, { allowed: [shopId], shop: shopId }),
  ]);
  const own = checksOf(health.failedChecks, connection);
  const codes = closedAt === null ? new Set(own.map(({ code }) => code)) : [];
  const failedChecks = [...codes].map((code) => merchantCheck(code, connection));
  const isWell = own.length === 0 && open.review + open.unconfirmed === 0;
  const is = closedAt !== null ? 'off' : isWell ? 'ok' : 'wrong';
  return {
    ...{ name, closedAt, recordFrom, open, last, failedChecks, remains, figures, notes: notesOf(connection) },
    gaps: gaps.map(valueGap),
    health: is,
    months: months?.cards ?? null,
  };
}

/** Without any of these no store is recorded. */
const OF_ALL: ReadonlySet<string> = new Set(['database.down', 'server.down', 'queue.down', 'queue.paused']);

/** What of a health status is about the store of a connection: its own, of its shop and its compliance service, and of the app by which it came. */
function checksOf(failedChecks: readonly FailedCheck[], connection: Connection): FailedCheck[] {
  const { id, shopId, destinationId, app } = connection;
  const ids = [id, shopId, destinationId];
  return ungrouped(failedChecks).filter(({ code, subject }) => {
    if (OF_ALL.has(code)) return true;
    if (subject === null) return false;
    if (code === 'app.closed') return subject === app;
    // Of an app that some stores refuse, the others notice nothing.
    if (code === 'app.refused') return subject === refusedAppOf(connection);
    return ids.some((one) => subject === one || subject.startsWith(`${one} `));
  });
}

/** What a failed check is called for the merchant: anyone who can mend it is named. */
function merchantCheck(code: string, { platform, warnings }: Pick<Connection, 'platform' | 'warnings'>): LocalizedText {
  if (code === 'app.refused' || code === 'app.closed') return theApp;
  const denial = code === 'store.paused' ? DENIALS.find((one) => apiWarningOf(one) in warnings) : undefined;
  if (denial !== undefined) return ofDenial[denial](onboardingOf(platform)?.title ?? platform);
  return { en: codeOf(code).en, bg: codeOf(code).bg };
}

const DENIALS = ['frozen', 'locked', 'blocked'] as const satisfies readonly StoreDenial[];

const ofDenial: Readonly<Record<(typeof DENIALS)[number], (platform: string) => LocalizedText>> = {
  frozen: (platform) => ({
    en: `The store is frozen until its bill at ${platform} is paid.`,
    bg: `Магазинът е замразен, докато сметката му в ${platform} не бъде платена.`,
  }),
  locked: (platform) => ({
    en: `The store is locked: its owner must ask the support of ${platform}.`,
    bg: `Магазинът е заключен: собственикът му трябва да се обърне към поддръжката на ${platform}.`,
  }),
  blocked: () => ({
    en: 'A firewall, a password or a security plugin before the store keeps us out of its API: let it through, or ask your hosting.',
    bg: 'Защитна стена, парола или модул за сигурност пред магазина не ни пуска до неговия API: разрешете достъпа или помолете хостинга.',
  }),
};

const theApp: LocalizedText = {
  en: 'The app by which the store is connected is not set up right. The person who runs this service must mend it: there is nothing for you to do.',
  bg: 'Приложението, чрез което е свързан магазинът, не е настроено правилно. Трябва да го поправи този, който поддържа услугата: от вас не се иска нищо.',
};
