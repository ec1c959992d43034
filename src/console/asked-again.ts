import type { Request } from 'express';
import { confirmWithFactor } from '../operations/people/second-factor.ts';
import { newToken, type SignedIn, signedInBy } from '../operations/people/sessions.ts';
import { confirmWithPassword } from '../operations/people/sign-in.ts';
import { isFromThisMachine } from '../platform/http/request-origin.ts';
import { openOrNull } from '../platform/seal.ts';
import { hashOf } from '../platform/token-hash.ts';
import { button, field, formTo, hidden } from '../web/forms.ts';
import { type Html, html, nothing } from '../web/html.ts';
import type { ConsoleDeps } from './base/console-deps.ts';
import { formOf } from './base/form.ts';
import type { Page, PageContext, PageReply, ShownPage } from './base/page.ts';
import { attempted, isRefused, mailLink, type RefusedSignIn, refusedStatus, secretOf } from './pages/entry/entering.ts';
import { refusedWords } from './pages/entry/entry-views.ts';
import { codeField } from './pages/entry/factor-views.ts';
import { givenFactor, passkeyPart } from './pages/entry/passkey-views.ts';
import { keepSession, sessionToken } from './sign-in-cookies.ts';

/** The form that waits, sealed: it may hold secrets. */
const SENT = 'sent-before';
type Fields = Record<string, unknown>;
/**
 * `was`: the mark of the session's token, when they were asked. `next`: the token under which the session goes on once they proved who they are, the same for
 * each press of that page: the answer to the first of two is lost.
 */
type Waiting = { person: string; was: string; next: string; fields: Fields };
/** mailed: a link to sign in anew is on its way. none: they were only asked. */
type Asked = RefusedSignIn | { why: 'mailed' | 'none' };

/** What they are asked for here (null: they prove it elsewhere), and whether a session has lately been proved so. */
type Asking = { way: 'password' | 'code' | null; isProved(one: SignedIn): boolean };

/**
 * What a form does, once somebody has proved lately who they are; until then they are asked, and the form that they sent waits in the page. `isByFactor`:
 * who has a second factor proves it with that, so that a password alone changes none.
 */
export async function whenConfirmed(context: PageContext, act: NonNullable<Page['post']>['act'], { isByFactor = false } = {}): Promise<PageReply> {
  const { req, deps, person } = context;
  const isCode = person.hasFactor && (isByFactor || !person.hasPassword);
  const isProved = (one: SignedIn) => (isByFactor && isCode ? one.isByFactor : one.isConfirmed);
  const asking: Asking = { way: isCode ? 'code' : person.hasPassword ? 'password' : null, isProved };
  const waiting = waitingIn(context);
  // Of a demo a press alone signs in.
  const isDemo = deps.entry.demoOwner === person.email && isFromThisMachine(req);
  const asked = isDemo || isProved(context) ? null : await confirmed(context, asking, waiting);
  if (asked !== null) return askPage(context, waiting, { asked, way: asking.way });
  req.body = waiting.fields;
  return act(context, formOf(req));
}

/** What was sealed for another person or address is a form without fields. */
function waitingIn({ deps, req, person }: PageContext): Waiting {
  const sealed = formOf(req).text(SENT);
  const waiting = opened({ deps, req }, sealed);
  if (waiting?.person === person.id) return waiting;
  return { person: person.id, was: markOf(deps, req), next: newToken(), fields: sealed === '' ? req.body : {} };
}

/**
 * Who pressed twice, so that the session goes on under a token that their browser does not have: it is given that. Null: it brings no page in which it was
 * asked, or nobody proved there lately who they are.
 */
export async function pressedBefore(deps: ConsoleDeps, req: Request): Promise<SignedIn | null> {
  const waiting = opened({ deps, req }, formOf(req).text(SENT));
  const signedIn = waiting !== null && waiting.was === markOf(deps, req) ? await signedInBy(deps, waiting.next) : null;
  if (waiting === null || signedIn?.isConfirmed !== true || req.res === undefined) return null;
  keepSession(req.res, { publicUrl: deps.entry.url, token: waiting.next });
  return signedIn;
}

/** Null: they are confirmed, and their session goes on under another token: what they proved is of use to nobody who copied the one of before. */
async function confirmed(context: PageContext, { way, isProved }: Asking, waiting: Waiting): Promise<Asked | null> {
  const { deps, person, session, req } = context;
  const given = formOf(req);
  const password = secretOf(given, 'confirm-password');
  const factor = givenFactor(given, askingOf(context));
  if (given.text(SENT) !== '' && given.text('way') === 'link' && mayMail(context)) return mailed(context);
  if (given.text(SENT) === '' || way === null || (password === '' && factor === '')) return { why: 'none' };
  const entry = { ...deps, ...deps.entry };
  const isFactor = way === 'code' || typeof factor !== 'string';
  // Where they were asked in another session, its next token is not of this one.
  const token = waiting.was === markOf(deps, req) ? waiting.next : newToken();
  const proving = { person, session, token };
  const check = () => (isFactor ? confirmWithFactor(entry, proving, factor) : confirmWithPassword(entry, proving, password));
  const isGoingOn = async () => {
    const now = await signedInBy(deps, token);
    return now?.session === session && isProved(now);
  };
  const account = isFactor ? `factor ${person.id}` : person.email;
  const made = await attempted(context, { account, person: person.id, try: async () => ((await check()) || (await isGoingOn()) ? { token } : null) });
  if (isRefused(made)) return made;
  if (req.res !== undefined) keepSession(req.res, { publicUrl: deps.entry.url, token });
  return null;
}

/** Who left the session open may have left a key in the machine, too: a PIN or a finger is wanted. */
function askingOf({ person, session }: PageContext) {
  return { person, bound: session, isVerified: true };
}

/** Who has neither password nor second factor, and comes by no provider. */
function mayMail({ person, deps }: PageContext): boolean {
  return !person.hasPassword && !person.hasFactor && person.issuer === null && deps.entry.post !== null;
}

async function mailed({ deps, person, req }: PageContext): Promise<Asked> {
  const waitMs = await mailLink({ deps, req }, { email: person.email, to: '/console/account?done=confirmed' });
  return waitMs > 0 ? { why: 'throttled', waitMs } : { why: 'mailed' };
}

function placeOf({ originalUrl }: Request) {
  return { table: 'form', column: 'sent', id: originalUrl };
}

/** Null: it is none, or was sealed for another address. */
function opened({ deps, req }: Pick<PageContext, 'deps' | 'req'>, sealed: string): Waiting | null {
  return JSON.parse(openOrNull(deps.entry.sealer, sealed, placeOf(req)) ?? 'null');
}

/** Tells the token that a browser brings from others, and nothing of it. */
function markOf({ entry }: ConsoleDeps, req: Request): string {
  return hashOf(sessionToken(req, entry.url) ?? '').toString('base64url');
}

function isAnswer(asked: Asked): asked is RefusedSignIn {
  return asked.why !== 'none' && asked.why !== 'mailed';
}

async function askPage(context: PageContext, waiting: Waiting, { asked, way }: Pick<Asking, 'way'> & { asked: Asked }): Promise<ShownPage> {
  const { words, req, deps } = context;
  const sealed = deps.entry.sealer.seal(JSON.stringify(waiting), placeOf(req));
  const { again } = words.factor;
  const refused = isAnswer(asked) ? asked : null;
  const wrong = way === 'password' && formOf(req).text('passkey') === '' ? words.account.oldWrong : words.factor.wrong;
  const problem = refused === null ? null : refused.why === 'wrong' ? wrong : refusedWords(refused, words);
  const status = (refused === null ? null : refusedStatus(refused).status) ?? 403;
  const { fields, verb } = way !== null ? given(context, { way, problem }) : elsewhere(context, asked);
  const passkey = await passkeyPart(context, askingOf(context));
  const body = html`${hidden(SENT, sealed)}${problem !== null && way === null ? html`<p class="problem" role="alert">${problem}</p>` : nothing}${fields}${passkey}`;
  return {
    ...{ status, title: again.title },
    body: html`<p>${again.body}</p>\n${formTo(req.originalUrl, { class: 'entry', body, buttons: [button(verb)] })}`,
  };
}

type Ways = { fields: Html; verb: string };

function given({ words }: PageContext, { way, problem }: Pick<Asking, 'way'> & { problem: string | null }): Ways {
  const { entry, factor } = words;
  const name = { name: 'confirm-password', label: entry.password, type: 'password' };
  const fields = way === 'password' ? field({ ...name, required: true, autocomplete: 'current-password', problem }) : codeField(words, { problem });
  return { fields, verb: factor.again.verb };
}

/** In another tab; then this one goes on. */
function elsewhere(context: PageContext, asked: Asked): Ways {
  const { words, person, deps } = context;
  const { again } = words.factor;
  const verb = again.goOn;
  const { oidc, url } = deps.entry;
  if (person.issuer !== null && oidc !== null) {
    const to = `${url ?? ''}/console/oidc?again=1&to=${encodeURIComponent('/console/account?done=confirmed')}`;
    return { fields: html`<p><a class="verb" href="${to}" target="_blank" rel="noopener">${again.provider(oidc.provider.host)}</a></p>`, verb };
  }
  if (!mayMail(context)) return { fields: html`<p>${again.none}</p>`, verb };
  const mail = button(words.entry.signIn.mail, { class: 'second', name: 'way', value: 'link' });
  return { fields: asked.why === 'mailed' ? html`<p role="status">${again.mailed}</p>` : html`<p>${mail}</p>`, verb };
}
