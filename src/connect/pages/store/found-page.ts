import { beginHandOver, HAND_OVER_MINUTES } from '../../../operations/onboarding/hand-over-keys.ts';
import { foundStore, nameOf, type StoreAtAddress } from '../../../operations/onboarding/store-progress.ts';
import { newToken } from '../../../operations/people/sessions.ts';
import { type Html, html } from '../../../web/html.ts';
import type { ConnectPage, ConnectReply, Visit } from '../../base/connect-page.ts';
import { returnCookie } from '../../return-cookie.ts';
import { notesView, versionView } from './problem-view.ts';
import { wayOn } from './store-page.ts';

/** `GET /connect/{token}/store/found`: what was found at the address, and how its keys are given. */
export const foundPage: ConnectPage = { path: '/store/found', of: 'store', get: async (visit) => show(visit) };

/** `GET /connect/{token}/store/go`: leads to the store, which asks the merchant. A link, because a form may lead to no other site. */
export const goPage: ConnectPage = { path: '/store/go', of: 'store', get: go };

function show(visit: Visit): ConnectReply {
  const { onboarding, words, base } = visit;
  const { found: say } = words.store;
  const store = foundStore(onboarding);
  if (store === null) return { goTo: onboarding.done.includes('store') ? base : `${base}/store` };
  const isConnected = onboarding.connectionId !== null;
  const way = onboarding.done.includes('store') && !isConnected ? wayOn(visit) : wayToKeys(visit, store);
  const other = html`<p><a href="${base}/store">${isConnected ? words.steps.back : words.store.other}</a></p>\n`;
  return {
    title: say.title,
    body: html`<p>${say.body(nameOf(store), new URL(store.url).host)}</p>\n${versionView(words, store.version)}${notesView(words, store.notes)}${way}${other}`,
  };
}

function wayToKeys({ deps, words, base }: Visit, { url, canHandOver }: StoreAtAddress): Html {
  const { found: say } = words.store;
  if (!canHandOver || deps.config.publicUrl === null) {
    return html`<p>${canHandOver ? say.noPublicUrl : say.pasteNext}</p>
<p class="verbs"><a class="verb" href="${base}/store/keys">${say.pasteVerb}</a></p>
`;
  }
  return html`<p>${say.next}</p>
<p class="verbs"><a class="verb" href="${base}/store/go">${say.verb(new URL(url).host)}</a></p>
<p><a href="${base}/store/keys">${say.paste}</a></p>
`;
}

async function go(visit: Visit): Promise<ConnectReply> {
  const { deps, onboarding, base, req } = visit;
  const { publicUrl } = deps.config;
  if (publicUrl === null || foundStore(onboarding)?.canHandOver !== true || (onboarding.done.includes('store') && onboarding.connectionId === null))
    return { goTo: `${base}/store/found` };
  const code = newToken();
  const goTo = await beginHandOver(deps, onboarding, { base: publicUrl, returnUrl: `${publicUrl}/connect/back/${code}` });
  const token = base.slice('/connect/'.length);
  return { goTo, cookie: returnCookie({ req, publicUrl }, { code, token, minutes: HAND_OVER_MINUTES }) };
}
