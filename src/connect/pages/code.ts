import type { Form } from '../../console/base/page.ts';
import { newCode, takeCode } from '../../operations/onboarding/codes.ts';
import { isTypedMailbox, mailboxOf } from '../../operations/onboarding/confirm-company.ts';
import { withWayOut } from '../../operations/onboarding/merchant-mail.ts';
import { newToken } from '../../operations/people/sessions.ts';
import { button, codeForms, field, formTo } from '../../web/forms.ts';
import { html } from '../../web/html.ts';
import { askWhom, noteRefused } from '../answer.ts';
import type { ConnectContext, ConnectPage, ConnectReply } from '../base/connect-page.ts';
import { keptByBrowser, openedCookie } from '../return-cookies.ts';

/** `/connect/{token}/status/code`: a code is mailed to the merchant, and opens what needs one, in this browser. */
export const codePage: ConnectPage = { path: '/status/code', of: 'status', get: (context) => shown(context, wanted(context.req.query['to'])), post: act };

/** `/connect/{token}/status/mailbox`: a new mailbox confirms itself by a code before anything else goes there. */
export const mailboxPage: ConnectPage = {
  path: '/status/mailbox',
  of: 'status',
  code: 'always',
  get: async (context) => mailboxShown(context, null),
  post: change,
};

/** Where a code leads, if not to the store’s status page. */
const WANTED = ['/mapping', '/company', '/status/mailbox'] as const;

function wanted(given: unknown): string {
  return WANTED.find((one) => one === given) ?? '/status';
}

/** The browser keeps a number from its first look on, so that a press that is doubled asks for the same browser. */
function browserOf({ req, deps, base }: ConnectContext): { kept: string; cookie: string } {
  const returning = { req, publicUrl: deps.config.publicUrl };
  const token = base.slice('/connect/'.length);
  const kept = keptByBrowser(returning, token) ?? newToken();
  return { kept, cookie: openedCookie(returning, { token, kept }) };
}

async function shown(context: ConnectContext, to: string, isWrong = false): Promise<ConnectReply> {
  const { words, base, onboarding, deps, req } = context;
  const { code: say } = words.own;
  if (onboarding.startedAt === null) return { goTo: base };
  const intro = html`<p>${say.intro}</p>\n`;
  if (deps.entry.post === null || mailboxOf(onboarding) === null) {
    return { title: say.title, body: html`${intro}<p class="notice">${say.none}</p>${askWhom(words.steps, deps.config.mail)}` };
  }
  const step = isWrong ? 'wrong' : req.query['sent'] === '1' ? 'sent' : 'first';
  const forms = codeForms(`${base}/status/code`, { hidden: { to }, words: say, step, mayAskAgain: to !== '/status/mailbox' });
  return { status: isWrong ? 422 : 200, title: say.title, body: html`${intro}${forms}`, cookie: browserOf(context).cookie };
}

async function act(context: ConnectContext, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, base } = context;
  const to = wanted(form.text('to'));
  if (onboarding.startedAt === null) return { goTo: base };
  const { kept, cookie } = browserOf(context);
  const typed = form.text('code');
  if (typed === '') return mailed(context, { to, address: null });
  if (await takeCode(deps, onboarding, { browser: kept, typed })) return { goTo: `${base}${to}`, cookie };
  noteRefused(context, 'wrong');
  return shown(context, to, true);
}

/** Behind the answer, so that nobody learns by waiting whether a mail goes. */
function mailed(context: ConnectContext, { to, address }: { to: string; address: string | null }): ConnectReply {
  const { deps, onboarding, base } = context;
  const { kept: browser, cookie } = browserOf(context);
  deps.entry.post?.(async () => {
    const made = await newCode(deps, onboarding, { browser, address });
    if (made === null) return null;
    return withWayOut({ pool: deps.pool, base: await deps.stores.base() }, { ...onboarding, to: made.to }, (words) => words.code(made.code));
  });
  return { goTo: `${base}/status/code?sent=1&to=${to}`, cookie };
}

function mailboxShown({ words, base, onboarding }: ConnectContext, wrong: string | null): ConnectReply {
  const { mailbox: say } = words.own;
  const problem = wrong === null ? null : say.wrong;
  const body = field({ name: 'mailbox', label: say.label, hint: say.hint, value: wrong ?? '', type: 'email', required: true, problem });
  return {
    status: wrong === null ? 200 : 422,
    title: say.title,
    body: html`<p>${say.now(onboarding.email ?? '')}</p>
${formTo(`${base}/status/mailbox`, { body, buttons: [button(say.send)] })}<p><a href="${base}/status">${words.steps.back}</a></p>`,
  };
}

async function change(context: ConnectContext, form: Form): Promise<ConnectReply> {
  const address = form.text('mailbox');
  return address !== '' && isTypedMailbox(address) ? mailed(context, { to: '/status/mailbox', address }) : mailboxShown(context, address);
}
