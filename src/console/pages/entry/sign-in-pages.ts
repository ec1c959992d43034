import { isSetup, signInToDemo } from '../../../operations/people/links.ts';
import { type NotEntered, signInByOidc, signInByPassword } from '../../../operations/people/sign-in.ts';
import { isFromThisMachine } from '../../../platform/http/request-origin.ts';
import type { Identity, Passage } from '../../../platform/oidc/identity-provider.ts';
import { ProviderProblem, type ProviderProblemKind } from '../../../platform/oidc/provider-problem.ts';
import { html } from '../../../web/html.ts';
import type { Oidc } from '../../base/console-deps.ts';
import type { Entered, Entrant, Form, OpenPage } from '../../base/page.ts';
import { missingPage } from '../../problem-pages.ts';
import { PASSAGE_SECONDS, passageOf } from '../../sign-in-cookies.ts';
import { ownAddress } from '../language.ts';
import { attempted, browserOf, isRefused, mailLink, noteRefused, type RefusedSignIn, refusedStatus, secretOf } from './entering.ts';
import { refusedWords, signInForm } from './entry-views.ts';
import { goneOn } from './second-step-page.ts';

/** `GET /console/sign-in?to=`: e-mail and password, or a link by mail; then on to where somebody wanted. The address that a demo prints signs in. */
export const signInPage: OpenPage = {
  path: '/sign-in',
  get(entrant) {
    const to = ownAddress(String(entrant.req.query['to'] ?? ''));
    if (entrant.signedIn !== null) return Promise.resolve({ goTo: to });
    // No page of anybody's led here.
    const isOpened = entrant.req.get('sec-fetch-site') === 'none' && demoOwner(entrant) !== null;
    return isOpened ? byPress(entrant, { to, email: '' }) : shown(entrant, { to, email: '' });
  },
  async post(entrant, form) {
    const given = { to: ownAddress(form.text('to')), email: form.text('email') };
    if (form.text('way') === 'demo') return byPress(entrant, given);
    if (given.email === '') return shown(entrant, { ...given, isMissing: true });
    return form.text('way') === 'link' && entrant.deps.entry.post !== null ? mailed(entrant, given) : byPassword(entrant, form, given);
  },
};

type SignInForm = { to: string; email: string };

async function shown(
  { deps, words, req }: Entrant,
  { refused, isMissing, ...given }: SignInForm & { refused?: RefusedSignIn; isMissing?: true },
): Promise<Entered> {
  const problem = refused === undefined ? (isMissing ? words.entry.signIn.missing : null) : refusedWords(refused, words);
  const { oidc, url } = deps.entry;
  // At the address to which the provider sends them back: there their cookie counts.
  const provider = oidc && { host: oidc.provider.host, path: `${url ?? ''}/console/oidc?to=${encodeURIComponent(given.to)}` };
  const more = {
    problem,
    provider,
    canMail: deps.entry.post !== null,
    isDemo: demoOwner({ deps, req }) !== null,
    isNobodyThere: provider === null && (await isSetup(deps)),
  };
  const status = refused === undefined ? (isMissing ? { status: 422 } : {}) : refusedStatus(refused);
  return { ...status, title: words.entry.signIn.title, body: signInForm({ words, ...given, ...more }) };
}

async function byPassword(entrant: Entrant, form: Form, given: SignInForm): Promise<Entered> {
  const { deps } = entrant;
  const { email, to } = given;
  const attempt = () => signInByPassword({ ...deps, ...deps.entry }, { email, password: secretOf(form, 'password'), ...browserOf(entrant) });
  const made = await attempted(entrant, { account: email, try: attempt });
  return isRefused(made) ? shown(entrant, { ...given, refused: made }) : goneOn(made, to);
}

/** Who is signed in by a press alone; null: nobody, as this is no demo, or is asked from elsewhere. */
function demoOwner({ deps, req }: Pick<Entrant, 'deps' | 'req'>): string | null {
  return isFromThisMachine(req) ? deps.entry.demoOwner : null;
}

async function byPress(entrant: Entrant, given: SignInForm): Promise<Entered> {
  const email = demoOwner(entrant);
  const made = email === null ? null : await signInToDemo(entrant.deps, { email, ...browserOf(entrant) });
  if (made !== null) return { goTo: given.to, token: made.token };
  noteRefused(entrant, 'wrong');
  return shown(entrant, { ...given, refused: { why: 'wrong' } });
}

/** The answer is the same, and as quick, no matter who asks. */
async function mailed(entrant: Entrant, given: SignInForm): Promise<Entered> {
  const { words } = entrant;
  const waitMs = await mailLink(entrant, given);
  if (waitMs > 0) return shown(entrant, { ...given, refused: { why: 'throttled', waitMs } });
  const { title, body, again } = words.entry.mailed;
  return { title, body: html`<p role="status">${body}</p>\n<p><a href="/console/sign-in">${again}</a></p>` };
}

/** `GET /console/oidc?to=`: to the identity provider. A link, not a form: browsers follow no form to another site. */
const beginPage: OpenPage = { path: '/oidc', get: (entrant) => withOidc(entrant, begun) };
/** `GET /console/oidc/callback`: back from there, with what the browser took along. */
const callbackPage: OpenPage = { path: '/oidc/callback', get: (entrant) => withOidc(entrant, back) };

export const oidcPages: readonly OpenPage[] = [beginPage, callbackPage];

/** Why nobody is let in: the provider, what came back, or what is known here. */
type Why = ProviderProblemKind | NotEntered['why'];

const STATUS: Readonly<Record<Why, number>> = { away: 503, denied: 403, refused: 400, 'no-role': 403, disabled: 403, taken: 409 };

async function withOidc(entrant: Entrant, answer: (entrant: Entrant, oidc: Oidc) => Promise<Entered>): Promise<Entered> {
  const { oidc } = entrant.deps.entry;
  if (oidc === null) return missingPage(entrant.words);
  try {
    return await answer(entrant, oidc);
  } catch (thrown) {
    if (!(thrown instanceof ProviderProblem)) throw thrown;
    return over(entrant, oidc, { why: thrown.kind, code: thrown.code });
  }
}

/** Older signing-in at the provider is no proof of who is there now. */
const AGAIN_SECONDS = 60;

type Kept = Passage & { to: string; until: number };

async function begun({ req, deps }: Entrant, { provider, seal }: Oidc): Promise<Entered> {
  const to = ownAddress(String(req.query['to'] ?? ''));
  // Nobody is signed in because a page of another site sent their browser here.
  if (!['same-origin', 'none'].includes(req.get('sec-fetch-site') ?? 'none')) return { goTo: `/console/sign-in?to=${encodeURIComponent(to)}` };
  const { url, passage } = await provider.begin(req.query['again'] === undefined ? {} : { maxAge: AGAIN_SECONDS });
  const kept: Kept = { ...passage, to, until: deps.now().getTime() + PASSAGE_SECONDS * 1000 };
  return { goTo: url, passage: seal(JSON.stringify(kept)) };
}

/** Counted as a try before anything is sent, and given back unless something was not right. */
async function back(entrant: Entrant, oidc: Oidc): Promise<Entered> {
  const { req, deps, words } = entrant;
  const { throttle } = deps.entry;
  // Of everybody together they are not counted: then anybody could hold up all.
  const counted = { address: req.ip ?? '', account: `oidc ${req.ip}` };
  const waitMs = throttle.take(counted);
  if (waitMs > 0) {
    noteRefused(entrant, 'throttled');
    return {
      ...refusedStatus({ why: 'throttled', waitMs }),
      title: words.entry.oidc.title,
      body: html`<p role="alert">${refusedWords({ why: 'throttled', waitMs }, words)}</p>`,
    };
  }
  const kept = keptBy(entrant, oidc);
  if (kept === null) return over(entrant, oidc, { why: 'refused', code: 'no passage' });
  const made = await recognised(entrant, oidc, kept).catch((thrown: unknown) => {
    if (thrown instanceof ProviderProblem && thrown.kind !== 'refused') throttle.giveBack(counted);
    throw thrown;
  });
  throttle.giveBack(counted);
  return 'why' in made ? over(entrant, oidc, { why: made.why, code: made.why }) : { goTo: kept.to, token: made.token, passage: null };
}

async function recognised(entrant: Entrant, { provider, rules }: Oidc, kept: Kept): Promise<{ token: string } | NotEntered> {
  const identity: Identity = await provider.finish(queryOf(entrant), kept);
  return signInByOidc(entrant.deps, { identity, rules, lang: entrant.words.lang, ...browserOf(entrant) });
}

function queryOf({ req }: Entrant): string {
  const at = req.originalUrl.indexOf('?');
  return at < 0 ? '' : req.originalUrl.slice(at);
}

/** What was sealed here, not too long ago; null: there is none. */
function keptBy({ req, deps }: Entrant, { open }: Oidc): Kept | null {
  const sealed = passageOf(req, deps.entry.url);
  const text = sealed === null ? null : open(sealed);
  // Nobody else can have sealed it.
  const kept: Kept | null = text === null ? null : JSON.parse(text);
  return kept === null || kept.until < deps.now().getTime() ? null : kept;
}

function over(entrant: Entrant, { provider }: Oidc, { why, code }: { why: Why; code: string }): Entered {
  noteRefused(entrant, `oidc: ${code}`);
  const { title, because, again, back: toSignIn } = entrant.words.entry.oidc;
  return {
    ...{ status: STATUS[why], title, passage: null },
    body: html`<p role="alert">${because[why](provider.host)}</p>
<p class="verbs"><a class="verb" href="/console/oidc">${again}</a></p>
<p><a href="/console/sign-in">${toSignIn}</a></p>`,
  };
}
