import { choosePassword, linkOwner } from '../../../operations/people/links.ts';
import { passwordProblem } from '../../../operations/people/passwords.ts';
import type { Entered, Entrant, OpenPage } from '../../base/open-page.ts';
import { browserOf, mailPasswordSet, noteRefused, secretOf } from './entering.ts';
import { chooseForm, overView } from './entry-views.ts';

/** `GET /console/choose-password?code=`: who was added, or lost his password, chooses one. */
export const choosePasswordPage: OpenPage = {
  path: '/choose-password',
  async get(entrant) {
    const { req, deps, words } = entrant;
    const code = String(req.query['code'] ?? '');
    const owner = await linkOwner(deps, { code, kind: 'password' });
    if (owner === null) return over(entrant);
    return { title: words.entry.choose.title, body: chooseForm({ words, code, email: owner.email, problem: null }) };
  },
  async post(entrant, form) {
    const { deps, words } = entrant;
    const code = form.text('code');
    const password = secretOf(form, 'password');
    const owner = await linkOwner(deps, { code, kind: 'password' });
    if (owner === null) return over(entrant);
    const problem = passwordProblem(password, owner);
    if (problem !== null) return { status: 422, title: words.entry.choose.title, body: chooseForm({ words, code, email: owner.email, problem }) };
    const made = await choosePassword({ ...deps, ...deps.entry }, { code, password, ...browserOf(entrant) });
    if (made === null) return over(entrant);
    mailPasswordSet(entrant, owner);
    return { goTo: '/console', token: made.token };
  },
};

function over(entrant: Entrant): Entered {
  noteRefused(entrant, 'link');
  const { words } = entrant;
  const { title, password } = words.entry.over;
  return { status: 410, title, body: overView(words, password) };
}
