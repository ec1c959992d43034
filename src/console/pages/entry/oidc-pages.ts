import { type NotEntered, signInByOidc } from '../../../operations/people/sign-in-by-oidc.ts';
import type { Identity, Passage } from '../../../platform/oidc/identity-provider.ts';
import { type ProblemKind, ProviderProblem } from '../../../platform/oidc/provider-problem.ts';
import { html } from '../../../web/html.ts';
import type { Oidc } from '../../base/console-deps.ts';
import type { Entered, Entrant, OpenPage } from '../../base/page.ts';
import { missingPage } from '../../problem-pages.ts';
import { PASSAGE_SECONDS, passageOf } from '../../session.ts';
import { ownAddress } from '../language.ts';
import { browserOf, noteRefused, refusedStatus } from './entering.ts';
import { refusedWords } from './entry-views.ts';

/** `GET /console/oidc?to=`: to the identity provider. A link, not a form: browsers follow no form to another site. */
const beginPage: OpenPage = { path: '/oidc', get: (entrant) => withOidc(entrant, begun) };
/** `GET /console/oidc/callback`: back from there, with what the browser took along. */
const callbackPage: OpenPage = { path: '/oidc/callback', get: (entrant) => withOidc(entrant, back) };

export const oidcPages: readonly OpenPage[] = [beginPage, callbackPage];

/** Why nobody is let in: the provider, what came back, or what is known here. */
type Why = ProblemKind | NotEntered['why'];

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

type Kept = Passage & { to: string; until: number };

async function begun({ req, deps }: Entrant, { provider, seal }: Oidc): Promise<Entered> {
  const to = ownAddress(String(req.query['to'] ?? ''));
  const { url, passage } = await provider.begin();
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
