import { ownValue } from '../../../contract/own-value.ts';
import type { PasswordProblem } from '../../../operations/people/passwords.ts';
import type { Person, Session } from '../../../operations/people/sessions.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { choice } from '../../frame/choice.ts';
import { field, seen, since, table, when } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';
import { newPasswordField } from '../entry/entry-views.ts';
import { browserName } from './browser-name.ts';

export type AccountView = { words: Words; person: Person; sessions: readonly Session[]; session: string; now: Date; problems?: PasswordProblems };
/** `old`: why the old password was not taken. */
export type PasswordProblems = { old: string | null; chosen: PasswordProblem | null };

/** What of a person he changes himself. */
export function ownOf({ name, lang }: Person): { name: string; lang: string } {
  return { name, lang };
}

export function accountView({ words, person, problems = { old: null, chosen: null }, ...view }: AccountView): Html {
  const { account, entry, frame } = words;
  return html`<div class="columns"><section><h2>${account.about}</h2>
<form method="post" action="/console/account">
${seen(ownOf(person))}
<dl class="facts"><dt>${entry.email}</dt><dd>${person.email}</dd><dt>${account.role}</dt><dd>${frame.roles[person.role]}. <span class="hint">${account.roleHint}</span></dd></dl>
${field({ name: 'name', label: entry.name, value: person.name, hint: entry.nameHint, autocomplete: 'name' })}
${choice({ name: 'lang', label: entry.language, value: person.lang, options: entry.languages })}
<div class="verbs"><button>${account.save}</button></div>
</form></section>
<section><h2>${account.password}</h2>
${person.issuer === null ? passwordForm({ words, person, problems }) : html`<p>${account.byProvider(person.issuer)}</p>`}</section></div>
<section><h2>${account.sessions}</h2>
${sessionsPart({ words, person, ...view })}</section>`;
}

type PasswordForm = { words: Words; person: Person; problems: PasswordProblems };

function passwordForm({ words, person, problems: { old, chosen } }: PasswordForm): Html {
  const { account } = words;
  const oldField = field({
    ...{ name: 'old', label: account.old, type: 'password', required: true, autocomplete: 'current-password' },
    ...(old === null ? {} : { problem: old }),
  });
  return html`<form method="post" action="/console/account/password">
${person.hasPassword ? oldField : nothing}
${newPasswordField(words, chosen, 'chosen')}
<p class="hint">${account.changeHint}</p>
<div class="verbs"><button>${account.change}</button></div>
</form>`;
}

function sessionsPart({ words, sessions, session, now }: Omit<AccountView, 'problems'>): Html {
  const { account } = words;
  const { columns } = account;
  const rows = sessions.map((one) => [
    html`${browserName(one.agent, words)}${one.id === session ? html` <span class="tag quiet">${account.here}</span>` : nothing}`,
    html`${ownValue(account.ways, one.way) ?? one.way}`,
    when(one.createdAt, words),
    html`${since(one.seenAt, now, words)}${one.id === session ? nothing : endForm(account.end, one.id)}`,
  ]);
  const names = [columns.where, columns.way, columns.since, columns.seen].map((name) => ({ name }));
  const others = sessions.length > 1 ? endForm(account.endOthers, 'others') : html`<p class="soft">${account.onlyHere}</p>`;
  return html`${table({ caption: account.sessions, columns: names, rows })}
${others}`;
}

function endForm(words: string, which: string): Html {
  return html`<form method="post" action="/console/account/sessions"><input type="hidden" name="which" value="${which}"><button class="second">${words}</button></form>`;
}
