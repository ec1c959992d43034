import type { Form } from '../../console/base/page.ts';
import { confirmByMailbox, isItsMailbox } from '../../operations/onboarding/confirm-company.ts';
import { type ConfirmScope, mailboxSays, sayWhose } from '../../operations/onboarding/onboarding.ts';
import { companyOf } from '../../operations/onboarding/own-company.ts';
import { button, formTo } from '../../web/forms.ts';
import { html } from '../../web/html.ts';
import type { ConnectContext, ConnectPage, ConnectReply } from '../base/connect-page.ts';

/**
 * `/connect/{token}/confirm`: anyone who reads a mailbox says that mails may go there, and a company is theirs, or that the store is not. What they see is the
 * same no matter who has the company, and has nothing that somebody typed.
 */
export const confirmPage: ConnectPage = {
  path: '/confirm',
  of: 'confirm',
  get: async (context) => (context.scope.kind === 'confirm' ? shown(context, context.scope) : over(context)),
  post: async (context, form) => (context.scope.kind === 'confirm' ? act(context, context.scope, form) : over(context)),
};

function over({ words: { confirm: say } }: ConnectContext): ConnectReply {
  return { title: say.mailsTitle, body: html`<p>${say.over}</p>` };
}

async function shown(context: ConnectContext, { mailbox }: ConfirmScope): Promise<ConnectReply> {
  const { words, deps, onboarding, base } = context;
  const { confirm: say } = words;
  const { isConfirmed, isRefused } = await mailboxSays(deps, onboarding, Buffer.from(mailbox, 'hex'));
  const form = (verb: string, press: string, hidden: Record<string, string> = {}) =>
    formTo(`${base}/confirm`, { class: 'verbs', hidden: { verb, ...hidden }, buttons: [button(press, { class: verb === 'yes' ? null : 'second' })] });
  if (isRefused) return { title: say.mailsTitle, body: html`<p role="status">${say.refused}</p>\n${form('mine', say.mine)}` };
  const no = html`${form('not-mine', say.notMine)}\n<p class="soft">${say.notMineHint}</p>`;
  if (!isItsMailbox(deps.pool, onboarding, mailbox)) return { title: say.mailsTitle, body: html`<p>${say.over}</p>\n${no}` };
  const company = companyOf(onboarding).waits?.company ?? null;
  if (company !== null) return { title: say.title, body: html`<p>${say.words(company)}</p>\n${form('yes', say.yes, { company })}\n${no}` };
  const asked = isConfirmed ? html`<p>${say.mailsCome}</p>` : html`<p>${say.mailsWords}</p>\n${form('yes', say.mailsYes)}`;
  return { title: say.mailsTitle, body: html`${asked}\n${no}` };
}

async function act(context: ConnectContext, scope: ConfirmScope, form: Form): Promise<ConnectReply> {
  const { words, deps, onboarding } = context;
  const { confirm: say } = words;
  const verb = form.text('verb');
  if (verb === 'yes') {
    const company = form.text('company') || null;
    const isTaken = await confirmByMailbox(deps, onboarding, { company, mailbox: scope.mailbox });
    const thanks = company === null ? say.mailsThanks : say.thanks;
    return { title: company === null ? say.mailsTitle : say.title, body: html`<p role="status">${isTaken ? thanks : say.over}</p>` };
  }
  if (verb !== 'mine' && verb !== 'not-mine') return shown(context, scope);
  const wanted = { mailbox: Buffer.from(scope.mailbox, 'hex'), isRefused: verb === 'not-mine' };
  const isSaid = await sayWhose(deps, onboarding, wanted);
  const { isRefused } = await mailboxSays(deps, onboarding, wanted.mailbox);
  // Pressed twice, it is so already; pressed to and fro, it takes a while.
  if (!isSaid && isRefused !== wanted.isRefused) return { status: 429, title: say.mailsTitle, body: html`<p>${say.wait}</p>` };
  return shown(context, scope);
}
