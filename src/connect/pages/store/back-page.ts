import { live } from '../../../console/frame/parts.ts';
import { areKeysHere, finishHandOver } from '../../../operations/onboarding/hand-over-keys.ts';
import { foundStore } from '../../../operations/onboarding/store-progress.ts';
import { type Html, html } from '../../../web/html.ts';
import type { ConnectPage, ConnectReply, PageContext } from '../../base/connect-page.ts';
import { problemView } from './problem-view.ts';
import { afterKeys, tooOften } from './store-page.ts';

/** `GET /connect/{token}/store/back`: the browser is back from the store. What its address says proves nothing: what counts is the keys that came. */
export const backPage: ConnectPage = { path: '/store/back', of: 'store', get: show };

const LOOK_SECONDS = 3;

async function show(context: PageContext): Promise<ConnectReply> {
  const { deps, onboarding, words, req } = context;
  const { back: say } = words.store;
  if (foundStore(onboarding) === null) return { goTo: `${context.base}/store` };
  const often = (await areKeysHere(deps, onboarding)) ? tooOften(context) : null;
  if (often !== null) return often;
  const over = await finishHandOver(deps, onboarding, context.by);
  if (over.kind === 'proved') return { goTo: afterKeys(context) };
  if (over.kind === 'refused') {
    const title = over.problem.code.startsWith('keys.') ? say.refused : say.unusable;
    return { title, body: html`${problemView(words, { title, platform: onboarding.platform, problem: over.problem })}${ways(context)}` };
  }
  if (req.query['success'] === '0') return { title: say.denied, body: html`<p>${say.deniedBody}</p>\n${ways(context)}` };
  return { title: say.awaited, body: html`${live('keys', html`<p>${say.awaitedBody}</p>`)}\n${ways(context)}`, refreshPlainly: LOOK_SECONDS };
}

function ways({ words: { store: say }, base }: PageContext): Html {
  return html`<p class="verbs"><a class="verb" href="${base}/store/found">${say.back.again}</a> <a href="${base}/store/keys">${say.found.paste}</a></p>
`;
}
