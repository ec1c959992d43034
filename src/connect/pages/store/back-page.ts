import { live } from '../../../console/frame/parts.ts';
import { areKeysHere, finishHandOver } from '../../../operations/onboarding/hand-over-keys.ts';
import { foundStore } from '../../../operations/onboarding/store-progress.ts';
import { type Html, html } from '../../../web/html.ts';
import type { ConnectPage, ConnectReply, Visit } from '../../base/connect-page.ts';
import { problemView } from './problem-view.ts';
import { afterKeys, tooOften } from './store-page.ts';

/** `GET /connect/{token}/store/back`: the browser is back from the store. What its address says proves nothing: what counts is the keys that came. */
export const backPage: ConnectPage = { path: '/store/back', of: 'store', get: show };

const LOOK_SECONDS = 3;

async function show(visit: Visit): Promise<ConnectReply> {
  const { deps, onboarding, words, req } = visit;
  const { back: say } = words.store;
  if (foundStore(onboarding) === null) return { goTo: `${visit.base}/store` };
  const often = (await areKeysHere(deps, onboarding)) ? tooOften(visit) : null;
  if (often !== null) return often;
  const over = await finishHandOver(deps, onboarding, visit.by);
  if (over.kind === 'proved') return { goTo: afterKeys(visit) };
  if (over.kind === 'refused') {
    const title = over.problem.code.startsWith('keys.') ? say.refused : say.unusable;
    return { title, body: html`${problemView(words, { title, platform: onboarding.platform, problem: over.problem })}${ways(visit)}` };
  }
  if (req.query['success'] === '0') return { title: say.denied, body: html`<p>${say.deniedBody}</p>\n${ways(visit)}` };
  return { title: say.awaited, body: html`${live('keys', html`<p>${say.awaitedBody}</p>`)}\n${ways(visit)}`, refreshPlainly: LOOK_SECONDS };
}

function ways({ words: { store: say }, base }: Visit): Html {
  return html`<p class="verbs"><a class="verb" href="${base}/store/found">${say.back.again}</a> <a href="${base}/store/keys">${say.found.paste}</a></p>
`;
}
