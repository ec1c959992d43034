import { confirmByMailbox, isToConfirm } from '../../operations/onboarding/confirm-company.ts';
import { html } from '../../web/html.ts';
import type { ConnectPage, ConnectReply, PageContext } from '../base/connect-page.ts';

/** `/connect/{token}/confirm`: whoever reads a mailbox says that a company is theirs. What they see is the same whoever has the company. */
export const confirmPage: ConnectPage = { path: '/confirm', of: 'confirm', get: async (context) => asked(context), post: confirm };

function asked({ words: { confirm: say }, onboarding, scope, base }: PageContext): ConnectReply {
  if (scope.kind !== 'confirm' || !isToConfirm(onboarding, scope)) return { title: say.title, body: html`<p>${say.over}</p>` };
  return {
    title: say.title,
    body: html`<p>${say.words(scope.company)}</p>
<form class="verbs" method="post" action="${base}/confirm"><button>${say.yes}</button></form>
<p class="soft">${say.no}</p>`,
  };
}

async function confirm({ words: { confirm: say }, onboarding, scope, deps }: PageContext): Promise<ConnectReply> {
  const isTaken = scope.kind === 'confirm' && (await confirmByMailbox(deps, onboarding, scope));
  return { title: say.title, body: html`<p role="status">${isTaken ? say.thanks : say.over}</p>` };
}
