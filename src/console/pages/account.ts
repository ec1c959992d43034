import { ownValue } from '../../contract/own-value.ts';
import { type PasswordProblem, passwordProblem } from '../../operations/people/password-problem.ts';
import { codesLeft, needsFactor } from '../../operations/people/second-factor.ts';
import { endSessionsOf, type Person, type Session, sessionsOf } from '../../operations/people/sessions.ts';
import { changeOwn, changePassword } from '../../operations/people/sign-in.ts';
import { button, field, formTo, mustBeSeen } from '../../web/forms.ts';
import { type Html, html, nothing } from '../../web/html.ts';
import { type Columns, table } from '../../web/tables.ts';
import { whenConfirmed } from '../asked-again.ts';
import type { Form, Page, PageContext, PageReply, ShownPage } from '../base/page.ts';
import { since, when } from '../frame/parts.ts';
import type { Words } from '../messages/messages.ts';
import { attempted, isRefused, mailPasswordSet, refusedStatus, secretOf } from './entry/entering.ts';
import { newPasswordField, refusedWords } from './entry/entry-views.ts';
import { factorPart } from './entry/factor-views.ts';

const LONGEST_NAME = 200;

/** `GET /console/account`: what a person changes of themselves, and where they are signed in. */
export const accountPage: Page = {
  path: '/account',
  right: 'orders.see',
  get: (context) => shown(context),
  post: {
    right: 'orders.see',
    async act({ deps, person, words }, form) {
      const change = { name: form.text('name').slice(0, LONGEST_NAME), lang: form.text('lang') === 'bg' ? 'bg' : 'en' } as const;
      const said = ({ name, lang }: { name: string; lang: 'en' | 'bg' }) => `${name}\n${words.entry.languages[lang]}`;
      mustBeSeen(form, ownOf(person), { sent: said(change), now: said(person) });
      await changeOwn(deps, person, change);
      return { goTo: '/console/account', done: 'account-saved' };
    },
  },
};

/** `POST /console/account/password`: what is tried as the old one counts as a try to sign in. Who has none yet proves in another way who they are. */
export const passwordPage: Page = {
  path: '/account/password',
  right: 'orders.see',
  post: {
    right: 'orders.see',
    holdsSecrets: true,
    act: async (context, form) => (isFirstProved(context) ? whenConfirmed(context, passwordChosen) : passwordChosen(context, form)),
  },
};

/** Of a first password nothing is asked of anyone who has no other way, nor of those who are refused one. */
function isFirstProved({ person, deps }: PageContext): boolean {
  return !person.hasPassword && person.issuer === null && (person.hasFactor || deps.entry.post !== null);
}

async function passwordChosen(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, person, words } = context;
  const password = secretOf(form, 'chosen');
  const chosen = passwordProblem(password, person, deps.entry.url);
  if (chosen !== null) return shown(context, { old: null, chosen });
  const change = () => changePassword({ ...deps, ...deps.entry }, context, { old: secretOf(form, 'old'), password });
  const made = await attempted(context, { account: person.email, try: async () => ((await change()) ? { isChanged: true } : null) });
  if (!isRefused(made)) {
    mailPasswordSet(context, person);
    return { goTo: '/console/account', done: 'password-changed' };
  }
  const page = await shown(context, { old: made.why === 'wrong' ? words.account.oldWrong : refusedWords(made, words), chosen: null });
  return { ...page, status: made.why === 'wrong' ? 422 : (refusedStatus(made).status ?? 429) };
}

/** `POST /console/account/sessions`: one of their own ends, or all but this. */
export const ownSessionsPage: Page = {
  path: '/account/sessions',
  right: 'orders.see',
  post: {
    ...{ right: 'orders.see', asksAgain: true },
    async act({ deps, person, session, by }, form) {
      const which = form.text('which');
      await endSessionsOf(deps, { person: person.id, by, ...(which === 'others' ? { allBut: session } : { one: which }) });
      return { goTo: '/console/account', done: which === 'others' ? 'sessions-ended' : 'session-ended' };
    },
  },
};

async function shown({ deps, words, person, session }: PageContext, problems?: PasswordProblems): Promise<ShownPage> {
  const sessions = await sessionsOf(deps, person);
  const mayEnd = !needsFactor({ ...person, hasFactor: false }, deps.entry);
  const factor = factorPart({ words, left: person.hasFactor ? await codesLeft(deps, person) : null, mayEnd, isByProvider: person.issuer !== null });
  const body = accountView({ words, factor, person, sessions, session, now: deps.now(), ...(problems === undefined ? {} : { problems }) });
  return { ...(problems === undefined ? {} : { status: 422 }), title: words.account.title, body };
}

type AccountView = { words: Words; factor: Html; person: Person; sessions: readonly Session[]; session: string; now: Date; problems?: PasswordProblems };
/** `old`: why the old password was not taken. */
type PasswordProblems = { old: string | null; chosen: PasswordProblem | null };

/** What of a person they change themselves. */
function ownOf({ name, lang }: Person): { name: string; lang: string } {
  return { name, lang };
}

function accountView({ words, factor, person, problems = { old: null, chosen: null }, ...view }: AccountView): Html {
  const { account, entry, frame } = words;
  const fields = html`<dl class="facts"><dt>${entry.email}</dt><dd>${person.email}</dd><dt>${account.role}</dt><dd>${frame.roles[person.role]}. <span class="hint">${account.roleHint}</span></dd></dl>
${field({ name: 'name', label: entry.name, value: person.name, hint: entry.nameHint, autocomplete: 'name' })}
${field({ name: 'lang', label: entry.language, value: person.lang, options: entry.languages })}`;
  return html`<div class="columns"><section><h2>${account.about}</h2>
${formTo('/console/account', { seen: ownOf(person), body: fields, buttons: [button(account.save)] })}</section>
<section><h2>${account.password}</h2>
${person.issuer === null ? passwordForm({ words, person, problems }) : html`<p>${account.byProvider(person.issuer)}</p>`}</section></div>
<section><h2>${words.factor.title}</h2>
${factor}</section>
<section><h2>${account.sessions}</h2>
${sessionsPart({ words, person, ...view })}</section>`;
}

function passwordForm({ words, person, problems: { old, chosen } }: { words: Words; person: Person; problems: PasswordProblems }): Html {
  const { account } = words;
  const oldField = field({ name: 'old', label: account.old, type: 'password', required: true, autocomplete: 'current-password', problem: old });
  const body = html`${person.hasPassword ? oldField : nothing}
${newPasswordField(words, chosen, 'chosen')}
<p class="hint">${account.changeHint}</p>`;
  return formTo('/console/account/password', { body, buttons: [button(account.change, { class: 'second' })] });
}

function sessionsPart({ words, sessions, session, now }: Omit<AccountView, 'problems' | 'factor'>): Html {
  const { account } = words;
  const columns: Columns<Session> = [
    {
      name: account.columns.where,
      cell: (one) => html`${browserName(one.agent, words)}${one.id === session ? html` <span class="tag quiet">${account.here}</span>` : nothing}`,
    },
    { name: account.columns.way, cell: ({ way }) => ownValue(account.ways, way) ?? way },
    { name: account.columns.since, cell: ({ createdAt }) => when(createdAt, words) },
    { name: account.columns.seen, cell: ({ id, seenAt }) => html`${since(seenAt, now, words)}${id === session ? nothing : endForm(account.end, id)}` },
  ];
  const others = sessions.length > 1 ? endForm(account.endOthers, 'others') : html`<p class="soft">${account.onlyHere}</p>`;
  return html`${table({ caption: account.sessions, columns, rows: sessions })}
${others}`;
}

function endForm(words: string, which: string): Html {
  return formTo('/console/account/sessions', { hidden: { which }, buttons: [button(words, { class: 'second' })] });
}

/** The first that fits: most call themselves by the names of others, too. */
const browsers = [
  [/\bEdg/, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;
const systems = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** What calls itself so, as people know it. */
export function browserName(agent: string, { account }: Words): string {
  const named = (names: readonly (readonly [RegExp, string])[]) => names.find(([pattern]) => pattern.test(agent))?.[1];
  const [browser, system] = [named(browsers), named(systems)];
  if (browser === undefined) return account.unknownBrowser;
  return system === undefined ? browser : account.on(browser, system);
}
