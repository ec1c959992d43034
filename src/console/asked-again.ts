import { confirmWithFactor } from '../operations/people/second-factor.ts';
import { renewedToken } from '../operations/people/sessions.ts';
import { confirmWithPassword } from '../operations/people/sign-in.ts';
import { isFromThisMachine } from '../platform/http/request-origin.ts';
import { openOrNull } from '../platform/seal.ts';
import { button, field, formTo, hidden } from '../web/forms.ts';
import { type Html, html, nothing } from '../web/html.ts';
import { formOf } from './base/form.ts';
import type { Form, Page, PageContext, PageReply, ShownPage } from './base/page.ts';
import { attempted, isRefused, mailLink, type RefusedSignIn, refusedStatus, secretOf } from './pages/entry/entering.ts';
import { refusedWords } from './pages/entry/entry-views.ts';
import { codeField } from './pages/entry/factor-views.ts';
import { keepSession } from './session.ts';

/** The form that waits, sealed: it may hold secrets. */
const SENT = 'sent-before';
type Fields = Record<string, unknown>;
/** mailed: a link to sign in anew is on its way. none: they were only asked. */
type Asked = RefusedSignIn | { why: 'mailed' | 'none' };

/** What they are asked for here; null: they prove it elsewhere. */
type Way = 'password' | 'code' | null;

/**
 * What a form does, once somebody has proved lately who they are; until then they are asked, and the form that they sent waits in the page. `isByFactor`:
 * who has a second factor proves it with that, so that a password alone changes none.
 */
export async function whenConfirmed(context: PageContext, act: NonNullable<Page['post']>['act'], { isByFactor = false } = {}): Promise<PageReply> {
  const { req, person } = context;
  const isCode = person.hasFactor && (isByFactor || !person.hasPassword);
  const way: Way = isCode ? 'code' : person.hasPassword ? 'password' : null;
  const isProved = isByFactor && isCode ? context.isByFactor : context.isConfirmed;
  const given = formOf(req);
  const sealed = given.text(SENT);
  const fields: Fields = sealed === '' ? req.body : opened(context, sealed);
  const asked = isProved ? null : await confirmed(context, given, way);
  if (asked !== null) return askPage(context, sealed === '' ? sealedForm(context, fields) : sealed, { asked, way });
  if (!isProved) await renew(context, way ?? 'demo');
  req.body = fields;
  return act(context, formOf(req));
}

/** What they proved is of use to nobody who copied the token before. */
async function renew({ deps, req, session, person }: PageContext, way: string): Promise<void> {
  const token = await renewedToken(deps, { session, person, way });
  if (req.res !== undefined) keepSession(req.res, { publicUrl: deps.entry.url, token });
}

/** Null: they are confirmed. */
async function confirmed(context: PageContext, given: Form, way: Way): Promise<Asked | null> {
  const { deps, person, req } = context;
  // Of a demo a press alone signs in.
  if (deps.entry.demoOwner === person.email && isFromThisMachine(req)) return null;
  const [password, code] = [secretOf(given, 'confirm-password'), given.text('code')];
  if (given.text(SENT) !== '' && given.text('way') === 'link' && mayMail(context)) return mailed(context);
  if (given.text(SENT) === '' || way === null || (password === '' && code === '')) return { why: 'none' };
  const entry = { ...deps, ...deps.entry };
  const check = () => (way === 'code' ? confirmWithFactor(entry, context, code) : confirmWithPassword(entry, context, password));
  const account = way === 'code' ? `factor ${person.id}` : person.email;
  const made = await attempted(context, { account, person: person.id, try: async () => ((await check()) ? { isRight: true } : null) });
  return isRefused(made) ? made : null;
}

/** Who has neither password nor second factor, and comes by no provider. */
function mayMail({ person, deps }: PageContext): boolean {
  return !person.hasPassword && !person.hasFactor && person.issuer === null && deps.entry.post !== null;
}

async function mailed({ deps, person, req }: PageContext): Promise<Asked> {
  const waitMs = await mailLink({ deps, req }, { email: person.email, to: '/console/account?done=confirmed' });
  return waitMs > 0 ? { why: 'throttled', waitMs } : { why: 'mailed' };
}

function placeOf({ person, req }: PageContext) {
  return { table: 'form', column: 'sent', id: `${person.id} ${req.originalUrl}` };
}

function sealedForm(context: PageContext, fields: Fields): string {
  return context.deps.entry.sealer.seal(JSON.stringify(fields), placeOf(context));
}

/** What was sealed for another person or address is a form without fields. */
function opened(context: PageContext, sealed: string): Fields {
  return JSON.parse(openOrNull(context.deps.entry.sealer, sealed, placeOf(context)) ?? '{}');
}

function isAnswer(asked: Asked): asked is RefusedSignIn {
  return asked.why !== 'none' && asked.why !== 'mailed';
}

function askPage(context: PageContext, sealed: string, { asked, way }: { asked: Asked; way: Way }): ShownPage {
  const { words, req } = context;
  const { again } = words.factor;
  const refused = isAnswer(asked) ? asked : null;
  const wrong = way === 'password' ? words.account.oldWrong : words.factor.wrong;
  const problem = refused === null ? null : refused.why === 'wrong' ? wrong : refusedWords(refused, words);
  const status = (refused === null ? null : refusedStatus(refused).status) ?? 403;
  const { fields, verb } = way !== null ? given(context, { way, problem }) : elsewhere(context, asked);
  const body = html`${hidden(SENT, sealed)}${problem !== null && way === null ? html`<p class="problem" role="alert">${problem}</p>` : nothing}${fields}`;
  return {
    ...{ status, title: again.title },
    body: html`<p>${again.body}</p>\n${formTo(req.originalUrl, { class: 'entry', body, buttons: [button(verb)] })}`,
  };
}

type Ways = { fields: Html; verb: string };

function given({ words }: PageContext, { way, problem }: { way: Way; problem: string | null }): Ways {
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
