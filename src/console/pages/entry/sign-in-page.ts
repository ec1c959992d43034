import { isSetup, signInLink } from '../../../operations/people/links.ts';
import { signInByPassword } from '../../../operations/people/sign-in.ts';
import { html } from '../../../web/html.ts';
import type { Entered, Entrant, Form, OpenPage } from '../../base/page.ts';
import { wordsIn } from '../../messages/messages.ts';
import { ownAddress } from '../language.ts';
import { attempted, browserOf, isRefused, type Refused, refusedStatus, secretOf } from './entering.ts';
import { refusedWords, signInForm } from './entry-views.ts';

/** `GET /console/sign-in?to=`: e-mail and password, or a link by mail; then on to where somebody wanted. */
export const signInPage: OpenPage = {
  path: '/sign-in',
  get(entrant) {
    const to = ownAddress(String(entrant.req.query['to'] ?? ''));
    return entrant.signedIn === null ? shown(entrant, { to, email: '' }) : Promise.resolve({ goTo: to });
  },
  async post(entrant, form) {
    const given = { to: ownAddress(form.text('to')), email: form.text('email') };
    if (given.email === '') return shown(entrant, { ...given, isMissing: true });
    return form.text('way') === 'link' && entrant.deps.entry.post !== null ? mailed(entrant, given) : byPassword(entrant, form, given);
  },
};

type SignInForm = { to: string; email: string };
type View = SignInForm & { refused?: Refused; isMissing?: true };

async function shown({ deps, words }: Entrant, { refused, isMissing, ...given }: View): Promise<Entered> {
  const problem = refused === undefined ? (isMissing ? words.entry.signIn.missing : null) : refusedWords(refused, words);
  const { oidc, url } = deps.entry;
  // At the address to which the provider sends them back: there their cookie counts.
  const provider = oidc && { host: oidc.provider.host, path: `${url ?? ''}/console/oidc?to=${encodeURIComponent(given.to)}` };
  const more = { problem, provider, canMail: deps.entry.post !== null, isNobodyThere: provider === null && (await isSetup(deps)) };
  const status = refused === undefined ? (isMissing ? { status: 422 } : {}) : refusedStatus(refused);
  return { ...status, title: words.entry.signIn.title, body: signInForm({ words, ...given, ...more }) };
}

async function byPassword(entrant: Entrant, form: Form, given: SignInForm): Promise<Entered> {
  const { deps } = entrant;
  const { email, to } = given;
  const attempt = () => signInByPassword({ ...deps, ...deps.entry }, { email, password: secretOf(form, 'password'), ...browserOf(entrant) });
  const made = await attempted(entrant, { account: email, try: attempt });
  return isRefused(made) ? shown(entrant, { ...given, refused: made }) : { goTo: to, token: made.token };
}

/** The answer is the same, and as quick, whoever asks. */
async function mailed(entrant: Entrant, given: SignInForm): Promise<Entered> {
  const { deps, words, req } = entrant;
  const waitMs = deps.entry.throttle.take({ address: req.ip ?? '', account: given.email });
  if (waitMs > 0) return shown(entrant, { ...given, refused: { why: 'throttled', waitMs } });
  deps.entry.post?.(async () => {
    const link = await signInLink(deps, given);
    if (link === null) return null;
    const { subject, text } = wordsIn(link.person.lang).entry.mail.signIn;
    return { to: link.person.email, subject, text: text(`${deps.entry.url}${link.path}`) };
  });
  const { title, body, again } = words.entry.mailed;
  return { title, body: html`<p role="status">${body}</p>\n<p><a href="/console/sign-in">${again}</a></p>` };
}
