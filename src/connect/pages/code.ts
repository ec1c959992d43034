import type { Form } from '../../console/base/page.ts';
import { isMailbox, newCode, takeCode } from '../../operations/onboarding/codes.ts';
import { mailboxOf } from '../../operations/onboarding/confirm-company.ts';
import { merchantMailWords } from '../../operations/onboarding/merchant-mail.ts';
import { newToken } from '../../operations/people/sessions.ts';
import { button, field, formTo } from '../../web/forms.ts';
import { type Html, html, nothing } from '../../web/html.ts';
import { askWhom } from '../answer.ts';
import type { ConnectContext, ConnectPage, ConnectReply } from '../base/connect-page.ts';
import { keptByBrowser, openedCookie } from '../return-cookies.ts';

/** `/connect/{token}/status/code`: a code is mailed to the merchant, and opens what needs one, in this browser. */
export const codePage: ConnectPage = { path: '/status/code', of: 'status', get: (context) => shown(context, wanted(context.req.query['to'])), post: act };

/** `/connect/{token}/status/mailbox`: a new mailbox confirms itself by a code before anything else goes there. */
export const mailboxPage: ConnectPage = { path: '/status/mailbox', of: 'status', code: 'always', get: async (context) => mailboxShown(context), post: change };

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
  const ask = formTo(`${base}/status/code`, {
    hidden: { to, act: 'send' },
    buttons: [button(isSent ? say.again : say.send, isSent ? { class: 'second' } : {})],
  });
  const body = html`${intro}${isSent ? codeForm(context, { to: '/status/code', hidden: { to }, press: say.enter, isWrong }) : nothing}${ask}`;
  return { status: isWrong ? 422 : 200, title: say.title, body, cookie: browserOf(context).cookie };
}

type CodeForm = { to: string; hidden: Readonly<Record<string, string>>; press: string; isWrong: boolean };

function codeForm({ words, base }: ConnectContext, { to, hidden, press, isWrong }: CodeForm): Html {
  const { code: say } = words.own;
  const more = { inputmode: 'numeric', maxlength: 12 };
  const typed = field({
    name: 'code',
    label: say.label,
    hint: say.hint,
    required: true,
    autocomplete: 'one-time-code',
    problem: isWrong ? say.wrong : null,
    more,
  });
  return html`<p role="status">${say.sent}</p>
${formTo(`${base}${to}`, { hidden: { ...hidden, act: 'open' }, body: typed, buttons: [button(press)] })}`;
}

async function act(context: ConnectContext, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, base } = context;
  const to = wanted(form.text('to'));
  if (onboarding.startedAt === null) return { goTo: base };
  const { kept, cookie } = browserOf(context);
  if (form.text('act') === 'send') {
    mailCode(context, { browser: kept, address: null });
    return { goTo: `${base}/status/code?sent=1&to=${to}`, cookie };
  }
  const taken = await takeCode(deps, onboarding, { browser: kept, typed: form.text('code'), isNewMailbox: false });
  return taken === null ? shown(context, to, true) : { goTo: `${base}${to}`, cookie };
}

/** Behind the answer, so that nobody learns by waiting whether a mail goes. */
function mailCode({ deps, onboarding }: ConnectContext, asking: Parameters<typeof newCode>[2]): void {
  deps.entry.post?.(async () => {
    const made = await newCode(deps, onboarding, asking);
    if (made === null) return null;
    const words = merchantMailWords(onboarding.lang);
    return { to: made.to, ...(asking.address === null ? words.code(made.code) : words.newMailbox(made.code)) };
  });
}

function mailboxShown(context: ConnectContext, { status = 200, typed = '', problem = null as 'address' | 'code' | null } = {}): ConnectReply {
  const { words, base, onboarding, req } = context;
  const { mailbox: say } = words.own;
  const isSent = problem === 'code' || req.query['sent'] === '1';
  const address = field({
    name: 'mailbox',
    label: say.label,
    hint: say.hint,
    value: typed,
    type: 'email',
    required: true,
    problem: problem === 'address' ? say.wrong : null,
  });
  const ask = formTo(`${base}/status/mailbox`, { hidden: { act: 'send' }, body: address, buttons: [button(say.send, isSent ? { class: 'second' } : {})] });
  const entered = isSent ? codeForm(context, { to: '/status/mailbox', hidden: {}, press: say.confirm, isWrong: problem === 'code' }) : nothing;
  const done = req.query['changed'] === '1' ? html`<div class="banner ok" role="status"><p>${say.changed}</p></div>\n` : nothing;
  return {
    status,
    title: say.title,
    body: html`${done}<p>${say.now(onboarding.email ?? '')}</p>\n${entered}${ask}<p><a href="${base}/status">${words.steps.back}</a></p>`,
  };
}

async function change(context: ConnectContext, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, base, words } = context;
  const { kept, cookie } = browserOf(context);
  if (form.text('act') === 'send') {
    const address = form.text('mailbox');
    if (!isMailbox(address)) return mailboxShown(context, { status: 422, typed: address, problem: 'address' });
    mailCode(context, { browser: kept, address });
    return { goTo: `${base}/status/mailbox?sent=1`, cookie };
  }
  const taken = await takeCode(deps, onboarding, { browser: kept, typed: form.text('code'), isNewMailbox: true });
  if (taken === null) return mailboxShown(context, { status: 422, problem: 'code' });
  const whom = deps.config.mail.replyTo === undefined ? '' : ` ${words.steps.ask(deps.config.mail.replyTo)}`;
  for (const to of taken.before) deps.entry.post?.(async () => ({ to, ...merchantMailWords(onboarding.lang).mailboxChanged(whom) }));
  return { goTo: `${base}/status/mailbox?changed=1`, cookie };
}
