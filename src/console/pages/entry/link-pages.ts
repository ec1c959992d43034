import { emailAddress } from '../../../contract/email-address.ts';
import { choosePassword, isSetupCode, linkOwner, setUp, signInByLink } from '../../../operations/people/links.ts';
import { type PasswordProblem, passwordProblem } from '../../../operations/people/password-problem.ts';
import { button, formTo } from '../../../web/forms.ts';
import { html, nothing } from '../../../web/html.ts';
import type { Entered, Entrant, Form, OpenPage } from '../../base/page.ts';
import { ownAddress } from '../language.ts';
import { attempted, browserOf, isRefused, noteRefused, refusedStatus, secretOf } from './entering.ts';
import { chooseForm, overView, refusedWords, setupForm } from './entry-views.ts';
import { goneOn } from './second-step-page.ts';

const LONGEST_NAME = 200;

/** `GET /console/setup?code=`: the first person makes themselves the owner. */
export const setupPage: OpenPage = {
  path: '/setup',
  async get(entrant) {
    const code = String(entrant.req.query['code'] ?? '');
    const known = await codeChecked(entrant, code);
    return known ?? shown(entrant, { code, given: { email: '', name: '', lang: entrant.words.lang } });
  },
  async post(entrant, form) {
    const code = form.text('code');
    const known = await codeChecked(entrant, code);
    return known ?? begun(entrant, form, code);
  },
};

/** Null: the code can be used. */
async function codeChecked(entrant: Entrant, code: string): Promise<Entered | null> {
  const { words, deps, req } = entrant;
  // Of everybody together they are not counted: then anybody could hold up the set-up.
  const made = await attempted(entrant, { account: `setup ${req.ip}`, try: async () => ((await isSetupCode(deps, code)) ? { isKnown: true } : null) });
  if (!isRefused(made)) return null;
  if (made.why === 'wrong') return { status: 410, title: words.entry.over.title, body: overView(words, words.entry.over.setup) };
  return { ...refusedStatus(made), title: words.entry.over.title, body: overView(words, refusedWords(made, words)) };
}

async function begun(entrant: Entrant, form: Form, code: string): Promise<Entered> {
  const { deps, words } = entrant;
  const lang = form.text('lang') === 'bg' ? 'bg' : 'en';
  const given = { email: form.text('email'), name: form.text('name').slice(0, LONGEST_NAME), lang } as const;
  const password = secretOf(form, 'password');
  const emailProblem = !emailAddress.safeParse(given.email).success;
  const problem = passwordProblem(password, given, deps.entry.url);
  if (emailProblem || problem !== null) return shown(entrant, { code, given, emailProblem, problem });
  const made = await setUp({ ...deps, ...deps.entry }, { code, password, ...given, ...browserOf(entrant) });
  if (made !== null) return goneOn(made, '/console');
  return { status: 410, title: words.entry.over.title, body: overView(words, words.entry.over.setup) };
}

type View = { code: string; given: { email: string; name: string; lang: 'en' | 'bg' }; emailProblem?: boolean; problem?: PasswordProblem | null };

async function shown({ words }: Entrant, { emailProblem = false, problem = null, ...view }: View): Promise<Entered> {
  const status = emailProblem || problem !== null ? { status: 422 } : {};
  return { ...status, title: words.entry.setUp.title, body: setupForm({ words, ...view, emailProblem, problem }) };
}

/** `GET /console/choose-password?code=`: who was added, or lost their password, chooses one. */
export const choosePasswordPage: OpenPage = {
  path: '/choose-password',
  async get(entrant) {
    const { req, deps, words } = entrant;
    const code = String(req.query['code'] ?? '');
    const owner = await linkOwner(deps, { code, kind: 'password' });
    if (owner === null) return over(entrant, 'password');
    return { title: words.entry.choose.title, body: chooseForm({ words, code, email: owner.email, problem: null }) };
  },
  async post(entrant, form) {
    const { deps, words } = entrant;
    const code = form.text('code');
    const password = secretOf(form, 'password');
    const owner = await linkOwner(deps, { code, kind: 'password' });
    if (owner === null) return over(entrant, 'password');
    const problem = passwordProblem(password, owner, deps.entry.url);
    if (problem !== null) return { status: 422, title: words.entry.choose.title, body: chooseForm({ words, code, email: owner.email, problem }) };
    const made = await choosePassword({ ...deps, ...deps.entry }, { code, password, ...browserOf(entrant) });
    return made === null ? over(entrant, 'password') : goneOn(made, '/console');
  },
};

function over(entrant: Entrant, link: 'password' | 'signIn'): Entered {
  noteRefused(entrant, 'link');
  const { words } = entrant;
  return { status: 410, title: words.entry.over.title, body: overView(words, words.entry.over[link]) };
}

/** `GET /console/enter?code=&to=`: a mailed link. It signs in by a button, because programs that look at mails open links. */
export const enterPage: OpenPage = {
  path: '/enter',
  async get(entrant) {
    const { req, deps, words } = entrant;
    const [code, to] = [String(req.query['code'] ?? ''), ownAddress(String(req.query['to'] ?? ''))];
    const owner = await linkOwner(deps, { code, kind: 'sign-in' });
    if (owner === null) return over(entrant, 'signIn');
    const { title, body, verb } = words.entry.enter;
    const form = formTo('/console/enter', { hidden: { code, to }, body: nothing, buttons: [button(verb)] });
    return { title, body: html`<p>${body(owner.name === '' ? owner.email : owner.name)}</p>\n${form}` };
  },
  async post(entrant, form) {
    const { deps } = entrant;
    const made = await signInByLink({ ...deps, ...deps.entry }, { code: form.text('code'), ...browserOf(entrant) });
    return made === null ? over(entrant, 'signIn') : goneOn(made, ownAddress(form.text('to')));
  },
};
