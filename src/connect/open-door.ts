import type { Request } from 'express';
import { foreignPage } from '../console/problem-pages.ts';
import { beginUninvited } from '../operations/onboarding/invitations.ts';
import { networkOf } from '../platform/http/network-of.ts';
import { clientOf } from '../platform/http/request-source.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import { html, nothing } from '../web/html.ts';
import type { ConnectDeps } from './base/connect-deps.ts';
import type { ConnectReply } from './base/connect-page.ts';
import { isOwnForm } from './own-form.ts';
import { problemWords, type Words } from './words/words.ts';

/** So many may begin from one network at once, and so many a second after that: 6 an hour. */
const AT_ONCE = 5;
const PER_SECOND = 6 / 3_600;

type Door = { get(words: Words): ConnectReply; post(req: Request, words: Words): Promise<ConnectReply> };

/** `/connect` without a link: where CONNECT says so, everybody may begin, a few at a time from one network. */
export function openDoor(deps: Pick<ConnectDeps, 'pool' | 'config'>): Door {
  const brake = new TokenBuckets({ burst: AT_ONCE, now: () => performance.now() });
  const isOpen = deps.config.connect === 'open';
  return {
    get: (words) => (isOpen ? doorPage(words) : closedPage(words, deps.config.mail)),
    async post(req, words) {
      if (!isOwnForm(req)) return foreignPage(problemWords(words), '/connect');
      if (!isOpen) return closedPage(words, deps.config.mail);
      const waits = brake.take(networkOf(clientOf(req) ?? ''), PER_SECOND) > 0;
      if (waits) return { status: 429, title: words.open.title, body: html`<p role="alert">${words.open.slow}</p>` };
      const { token } = await beginUninvited(deps);
      return { goTo: `/connect/${token}` };
    },
  };
}

function doorPage({ open: say }: Words): ConnectReply {
  return {
    title: say.title,
    body: html`<p>${say.words}</p>
<p class="soft">${say.keep}</p>
<form class="verbs" method="post" action="/connect"><button>${say.begin}</button></form>`,
  };
}

export type Mail = { replyTo?: string };

function closedPage({ open: say, steps }: Words, mail: Mail): ConnectReply {
  return { status: 404, title: say.closedTitle, body: html`<p>${say.closed}</p>${askWhom(steps, mail)}` };
}

/** Why a link opens nothing, and whom to ask for another. */
export function gonePage({ steps }: Words, why: keyof Words['steps']['gone'], mail: Mail): ConnectReply {
  return { status: 404, title: steps.goneTitle, body: html`<p>${steps.gone[why]}</p>${askWhom(steps, mail)}` };
}

/** Nothing where nobody is named (`MAIL_REPLY_TO`). */
export function askWhom(steps: Words['steps'], { replyTo }: Mail) {
  return replyTo === undefined ? nothing : html`\n<p>${steps.ask(replyTo)}</p>`;
}
