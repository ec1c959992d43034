import type { PasswordProblem } from '../../../operations/people/password-problem.ts';
import { button, field, formTo } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { Words } from '../../messages/messages.ts';
import type { RefusedSignIn } from './entering.ts';

/** Why somebody is not let in, in words that fit everybody. */
export function refusedWords(refused: RefusedSignIn, { entry }: Words): string {
  if (refused.why === 'wrong') return entry.signIn.wrong;
  return refused.why === 'busy' ? entry.signIn.busy : entry.signIn.wait(Math.ceil(refused.waitMs / 1000));
}

/** `provider`: the identity provider, and where one goes there; null: there is none. `isDemo`: one press is enough. */
type SignInForm = {
  words: Words;
  to: string;
  email: string;
  problem: string | null;
  provider: { host: string; path: string } | null;
  canMail: boolean;
  isDemo: boolean;
  isNobodyThere: boolean;
};

export function signInForm({ words, to, email, problem, provider, canMail, isDemo, isNobodyThere }: SignInForm): Html {
  const { entry } = words;
  const { signIn } = entry;
  const byMail = html`<p class="hint">${signIn.mailHint}</p>\n${button(signIn.mail, { class: 'plain', name: 'way', value: 'link', formnovalidate: true })}\n`;
  const body = html`${problem === null ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
${field({ name: 'email', label: entry.email, type: 'email', value: email, required: true, autocomplete: 'username' })}
${field({ name: 'password', label: entry.password, type: 'password', required: true, autocomplete: 'current-password' })}
<p class="verbs">${button(signIn.verb, { name: 'way', value: 'password' })}</p>
${canMail ? byMail : nothing}`;
  return html`${isDemo ? byPress(words, to) : nothing}${provider === null ? nothing : byProvider(words, provider)}${isNobodyThere ? html`<p class="notice">${signIn.nobody}</p>\n` : nothing}${formTo('/console/sign-in', { class: 'entry', hidden: { to }, body, buttons: [] })}`;
}

function byProvider({ entry: { oidc } }: Words, { host, path }: { host: string; path: string }): Html {
  return html`<p class="verbs"><a class="verb" href="${path}">${oidc.verb(host)}</a></p>
<h2>${oidc.or}</h2>
`;
}

function byPress({ entry: { oidc, signIn } }: Words, to: string): Html {
  return html`${formTo('/console/sign-in', { hidden: { to, way: 'demo' }, body: nothing, buttons: [button(signIn.demo)] })}
<h2>${oidc.or}</h2>
`;
}

export function newPasswordField(words: Words, problem: PasswordProblem | null, name = 'password'): Html {
  const { entry } = words;
  return field({
    ...{ name, label: name === 'password' ? entry.password : words.account.chosen, type: 'password', hint: entry.passwordHint, required: true },
    ...{ autocomplete: 'new-password', problem: problem === null ? null : entry.passwordProblems[problem] },
  });
}

type SetupForm = {
  words: Words;
  code: string;
  given: { email: string; name: string; lang: 'en' | 'bg' };
  emailProblem: boolean;
  problem: PasswordProblem | null;
};

export function setupForm({ words, code, given, emailProblem, problem }: SetupForm): Html {
  const { entry } = words;
  const fields = [
    field({
      ...{ name: 'email', label: entry.email, type: 'email', value: given.email, required: true, autocomplete: 'username' },
      problem: emailProblem ? entry.setUp.emailWrong : null,
    }),
    field({ name: 'name', label: entry.name, value: given.name, hint: entry.nameHint, autocomplete: 'name' }),
    newPasswordField(words, problem),
    field({ name: 'lang', label: entry.language, value: given.lang, options: entry.languages }),
  ];
  return html`<p>${entry.setUp.body}</p>
${formTo('/console/setup', { class: 'entry', hidden: { code }, body: lines(fields), buttons: [button(entry.setUp.verb)] })}`;
}

/** The address is there for programs that keep passwords. */
export function chooseForm({ words, code, email, problem }: { words: Words; code: string; email: string; problem: PasswordProblem | null }): Html {
  const { entry } = words;
  const body = html`${field({ name: 'email', label: entry.email, type: 'email', value: email, autocomplete: 'username', more: { readonly: true } })}
${newPasswordField(words, problem)}`;
  return html`<p>${entry.choose.body}</p>
${formTo('/console/choose-password', { class: 'entry', hidden: { code }, body, buttons: [button(entry.choose.verb)] })}`;
}

/** A link that can't be used; `body` says how to get another. */
export function overView(words: Words, body: string): Html {
  return html`<p>${body}</p>
<p><a class="verb" href="/console/sign-in">${words.entry.over.toSignIn}</a></p>`;
}
