import { emailAddress } from '../../../contract/email-address.ts';
import { type PasswordProblem, passwordProblem } from '../../../operations/people/passwords.ts';
import { isSetupCode, setUp } from '../../../operations/people/setup-link.ts';
import type { Entered, Entrant, OpenPage } from '../../base/open-page.ts';
import type { Form } from '../../base/page.ts';
import { attempted, browserOf, heldStatus, isHeld, secretOf } from './entering.ts';
import { heldWords, overView, setupForm } from './entry-views.ts';

const LONGEST_NAME = 200;

/** `GET /console/setup?code=`: the first person makes himself the owner. */
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
  // Of everybody together they are not counted: then anybody could hold up the first context.
  const made = await attempted(entrant, { account: `setup ${req.ip}`, try: async () => ((await isSetupCode(deps, code)) ? { isKnown: true } : null) });
  if (!isHeld(made)) return null;
  if (made.why === 'wrong') return { status: 410, title: words.entry.over.title, body: overView(words, words.entry.over.setup) };
  return { ...heldStatus(made), title: words.entry.over.title, body: overView(words, heldWords(made, words)) };
}

async function begun(entrant: Entrant, form: Form, code: string): Promise<Entered> {
  const { deps, words } = entrant;
  const lang = form.text('lang') === 'bg' ? 'bg' : 'en';
  const given = { email: form.text('email'), name: form.text('name').slice(0, LONGEST_NAME), lang } as const;
  const password = secretOf(form, 'password');
  const emailProblem = !emailAddress.safeParse(given.email).success;
  const problem = passwordProblem(password, given);
  if (emailProblem || problem !== null) return shown(entrant, { code, given, emailProblem, problem });
  const made = await setUp({ ...deps, ...deps.entry }, { code, password, ...given, ...browserOf(entrant) });
  if (made !== null) return { goTo: '/console', token: made.token };
  return { status: 410, title: words.entry.over.title, body: overView(words, words.entry.over.setup) };
}

type View = { code: string; given: { email: string; name: string; lang: 'en' | 'bg' }; emailProblem?: boolean; problem?: PasswordProblem | null };

async function shown({ words }: Entrant, { emailProblem = false, problem = null, ...view }: View): Promise<Entered> {
  const status = emailProblem || problem !== null ? { status: 422 } : {};
  return { ...status, title: words.entry.setUp.title, body: setupForm({ words, ...view, emailProblem, problem }) };
}
