import { changeOwn, changePassword } from '../../../operations/people/account.ts';
import { passwordProblem } from '../../../operations/people/passwords.ts';
import { endSessionsOf, sessionsOf } from '../../../operations/people/sessions.ts';
import type { Page, PageContext, Shown } from '../../base/page.ts';
import { mustBeSeen } from '../../frame/stale.ts';
import { attempted, heldStatus, isHeld, mailPasswordSet, secretOf } from '../entry/entering.ts';
import { heldWords } from '../entry/entry-views.ts';
import { accountView, ownOf, type PasswordProblems } from './account-view.ts';

const LONGEST_NAME = 200;

/** `GET /console/account`: what a person changes of himself, and where he is signed in. */
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

/** `POST /console/account/password`: what is tried as the old one counts as a try to sign in. */
export const passwordPage: Page = {
  path: '/account/password',
  right: 'orders.see',
  post: {
    right: 'orders.see',
    holdsSecrets: true,
    async act(context, form) {
      const { deps, person, words } = context;
      const password = secretOf(form, 'chosen');
      const chosen = passwordProblem(password, person);
      if (chosen !== null) return shown(context, { old: null, chosen });
      const change = () => changePassword({ ...deps, ...deps.entry }, context, { old: secretOf(form, 'old'), password });
      const made = await attempted(context, { account: person.email, try: async () => ((await change()) ? { isChanged: true } : null) });
      if (!isHeld(made)) {
        mailPasswordSet(context, person);
        return { goTo: '/console/account', done: 'password-changed' };
      }
      const page = await shown(context, { old: made.why === 'wrong' ? words.account.oldWrong : heldWords(made, words), chosen: null });
      return { ...page, status: made.why === 'wrong' ? 422 : (heldStatus(made).status ?? 429) };
    },
  },
};

/** `POST /console/account/sessions`: one of his own ends, or all but this. */
export const ownSessionsPage: Page = {
  path: '/account/sessions',
  right: 'orders.see',
  post: {
    right: 'orders.see',
    async act({ deps, person, session, by }, form) {
      const which = form.text('which');
      await endSessionsOf(deps, { person: person.id, by, ...(which === 'others' ? { allBut: session } : { one: which }) });
      return { goTo: '/console/account', done: which === 'others' ? 'sessions-ended' : 'session-ended' };
    },
  },
};

async function shown({ deps, words, person, session }: PageContext, problems?: PasswordProblems): Promise<Shown> {
  const sessions = await sessionsOf(deps, person);
  const body = accountView({ words, person, sessions, session, now: deps.now(), ...(problems === undefined ? {} : { problems }) });
  return { ...(problems === undefined ? {} : { status: 422 }), title: words.account.title, body };
}
