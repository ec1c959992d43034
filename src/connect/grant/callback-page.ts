import type { Request } from 'express';
import { type Finished, finishGrant, type Outcome } from '../../operations/grants/finish-grant.ts';
import { findNewest, type Onboarding, openLink } from '../../operations/onboarding/onboarding.ts';
import { type Html, html, nothing } from '../../web/html.ts';
import type { ConnectOptions, Sent } from '../answer.ts';
import type { ConnectReply } from '../base/connect-page.ts';
import { endedGrantCookie, grantReturning } from '../grant-cookie.ts';
import { problemView } from '../pages/store/problem-view.ts';
import { afterKeys } from '../pages/store/store-page.ts';
import { askWhom, gonePage } from '../without-link.ts';
import { type Words, wordsIn, wordsOf } from '../words/words.ts';
import { queryOf, textOf } from './query-of.ts';

/** `base`: of the pages of his link; null: he came from none. `request`: what he was sent with; null: it is not known. */
type Back = { options: ConnectOptions; words: Words; platform: string; onboarding: Onboarding | null; base: string | null; request: Outcome['request'] };

/** `GET /{platform}/callback`: the store sends back whoever was asked to approve an app. It counts in the browser that was sent, once, and if the app's secret signed it. */
export async function showCallback(options: ConnectOptions, req: Request): Promise<Sent> {
  const { deps } = options;
  const platform = String(req.params['platform']);
  const state = textOf(req, 'state');
  const from = grantReturning({ req, publicUrl: deps.config.publicUrl }, state);
  const words = wordsOf(req);
  const unlinked: Back = { options, words, platform, onboarding: null, base: null, request: null };
  if (from === null) return { words, ...(await replyOf(unlinked, { kind: 'unknown' })) };
  const opened = from.token === null ? null : await openLink(deps, from.token);
  if (opened !== null && 'gone' in opened) return { words, ...gonePage(words, opened.gone, deps.config.mail) };
  const came = opened === null ? unlinked : linked(unlinked, { onboarding: opened.onboarding, token: from.token ?? '' });
  const { finished, request } = await finishGrant(deps, { platform, query: queryOf(req), state, onboarding: came.onboarding });
  const back = { ...came, request };
  const isOver = finished.kind !== 'distrusted' && finished.kind !== 'denied';
  const cookie = isOver ? { cookie: endedGrantCookie({ req, publicUrl: deps.config.publicUrl }, state) } : {};
  return { words: back.words, ...(await replyOf(back, finished)), ...cookie };
}

function linked(back: Back, { onboarding, token }: { onboarding: Onboarding; token: string }): Back {
  return { ...back, onboarding, base: `/connect/${token}`, words: onboarding.lang === null ? back.words : wordsIn(onboarding.lang) };
}

async function replyOf(back: Back, finished: Finished): Promise<ConnectReply> {
  const { words, base, options } = back;
  const { grant: say } = words;
  switch (finished.kind) {
    case 'way':
      return { goTo: finished.token === null ? await onHisWay(back) : `/connect/${finished.token}` };
    case 'denied':
      return base === null ? problem(back, { title: say.deniedTitle, said: say.denied, status: 200 }) : { goTo: `${base}/store/back?success=0` };
    case 'unknown':
      return problem(back, { title: say.unknownTitle, said: say.unknown, status: 400 });
    case 'distrusted':
      return problem(back, { title: say.distrustedTitle, said: say.distrusted, status: 400 });
    case 'refused':
      return problem(back, { title: say.refusedTitle, said: finished.again ? say.refusedNow : say.refused(finished.said[words.lang]), status: 422 });
    case 'problem':
      return storeProblem(back, finished);
    case 'taken':
      return { status: 409, title: say.takenTitle(finished.store), body: html`<p>${say.taken}</p>${askWhom(words.steps, options.deps.config.mail)}` };
    case 'connected':
      return { title: say.connectedTitle(finished.store), body: html`<p role="status"><span class="tag ok">✓</span> ${say.connected}</p>` };
  }
}

async function onHisWay({ options, onboarding, base }: Back): Promise<string> {
  if (onboarding === null || base === null) throw new Error('he came from no link');
  return afterKeys({ onboarding: await findNewest(options.deps, onboarding.id), base });
}

function storeProblem(back: Back, { problem: found }: Extract<Finished, { kind: 'problem' }>): ConnectReply {
  const { words, platform, request } = back;
  const title = request === null ? words.grant.refusedTitle : words.store.wrongTitle(new URL(request.url).host);
  return { status: 422, title, body: html`${problemView(words, { title: null, platform, problem: found })}${again(back)}` };
}

type Told = { title: string; said: string; status: number };

function problem(back: Back, { title, said, status }: Told): ConnectReply {
  return { status, title, body: html`<p role="alert">${said}</p>\n${again(back)}` };
}

/** Where he can begin anew; nothing, if that is not known. */
function again({ words, base, platform, request }: Back): Html {
  const query = request === null ? null : new URLSearchParams({ app: request.app, shop: new URL(request.url).host });
  const address = base === null ? query && `/${platform}/install?${query}` : `${base}/store/found`;
  return address === null ? nothing : html`<p class="verbs"><a class="verb" href="${address}">${words.grant.again}</a></p>\n`;
}
