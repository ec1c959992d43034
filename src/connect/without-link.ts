import { html, nothing } from '../web/html.ts';
import type { ConnectReply } from './base/connect-page.ts';
import type { Words } from './words/words.ts';

export type Mail = { replyTo?: string };

/** `/connect` without a link: nobody begins there. */
export function linkNeededPage({ steps }: Words, mail: Mail): ConnectReply {
  return { status: 404, title: steps.neededTitle, body: html`<p>${steps.needed}</p>${askWhom(steps, mail)}` };
}

/** Why a link opens nothing, and whom to ask for another. */
export function gonePage({ steps }: Words, why: keyof Words['steps']['gone'], mail: Mail): ConnectReply {
  return { status: 404, title: steps.goneTitle, body: html`<p>${steps.gone[why]}</p>${askWhom(steps, mail)}` };
}

/** Nothing where nobody is named (`MAIL_REPLY_TO`). */
export function askWhom(steps: Words['steps'], { replyTo }: Mail) {
  return replyTo === undefined ? nothing : html`\n<p>${steps.ask(replyTo)}</p>`;
}
