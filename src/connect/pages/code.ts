import type { Form } from '../../console/base/page.ts';
import { newCode, takeCode } from '../../operations/onboarding/codes.ts';
import { isTypedMailbox, mailboxOf } from '../../operations/onboarding/confirm-company.ts';
import { merchantMailWords } from '../../operations/onboarding/merchant-mail.ts';
import { newToken } from '../../operations/people/sessions.ts';
import { button, field, formTo } from '../../web/forms.ts';
import { html, nothing } from '../../web/html.ts';
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

/** Where a code leads, if not to the page of how the store does. */
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
  const isSent = isWrong || req.query['sent'] === '1';
  const verb = (act: string, parts: Pick<Parameters<typeof formTo>[1], 'body' | 'buttons'>) => formTo(`${base}/status/code`, { hidden: { to, act }, ...parts });
  const more = { inputmode: 'numeric', maxlength: 12 };
  const body = field({
    name: 'code',
    label: say.label,
    hint: say.hint,
    required: true,
    autocomplete: 'one-time-code',
    problem: isWrong ? say.wrong : null,
    more,
  });
  const enter = isSent ? html`<p role="status">${say.sent}</p>\n${verb('open', { body, buttons: [button(say.enter)] })}` : nothing;
  const send =
    to === '/status/mailbox' && isSent ? nothing : verb('send', { buttons: [button(isSent ? say.again : say.send, { class: isSent ? 'second' : null })] });
  return { status: isWrong ? 422 : 200, title: say.title, body: html`${intro}${enter}${send}`, cookie: browserOf(context).cookie };
}

async function act(context: ConnectContext, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, base, words } = context;
  const to = wanted(form.text('to'));
  if (onboarding.startedAt === null) return { goTo: base };
  const { kept, cookie } = browserOf(context);
  if (form.text('act') === 'send') return mailed(context, { to, address: null });
  const taken = await takeCode(deps, onboarding, { browser: kept, typed: form.text('code') });
  if (taken === null) {
    noteRefused(context, 'wrong');
    return shown(context, to, true);
  }
  const { replyTo } = deps.config.mail;
  const whom = replyTo === undefined ? '' : ` ${words.steps.ask(replyTo)}`;
  for (const mailbox of taken.before) deps.entry.post?.(async () => ({ to: mailbox, ...merchantMailWords(onboarding.lang).mailboxChanged(whom) }));
  return { goTo: `${base}${to}`, cookie };
}

/** Behind the answer, so that nobody learns by waiting whether a mail goes. */
function mailed(context: ConnectContext, { to, address }: { to: string; address: string | null }): ConnectReply {
  const { deps, onboarding, base } = context;
  const { kept: browser, cookie } = browserOf(context);
  deps.entry.post?.(async () => {
    const made = await newCode(deps, onboarding, { browser, address });
    return made === null ? null : { to: made.to, ...merchantMailWords(onboarding.lang).code(made.code) };
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
