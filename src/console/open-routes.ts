import type { Request, RequestHandler, Response, Router } from 'express';
import { Refusal } from '../operations/refusal.ts';
import type { ConsoleDeps } from './base/console-deps.ts';
import { formOf } from './base/form.ts';
import type { Entered, Entrant, OpenPage } from './base/page.ts';
import { backFrom } from './before.ts';
import { pageFrame } from './frame/page-frame.ts';
import { sendOn, sendPage } from './frame/send-reply.ts';
import { type Words, wordsIn } from './messages/messages.ts';
import { foreignPage, refusedPage } from './problem-pages.ts';
import { isSameOrigin, keepPassage, keepSession, whoIs } from './session.ts';

type Answering = (entrant: Entrant) => Promise<Entered>;
type Wiring = {
  deps: ConsoleDeps;
  readForm: RequestHandler;
  /** Answers what was thrown. */
  apologize(req: Request, res: Response, thrown: unknown): Promise<void>;
  refuseMethod: RequestHandler;
};

/** The pages that need no session. */
export function openRoutes(router: Router, pages: readonly OpenPage[], { deps, readForm, apologize, refuseMethod }: Wiring): void {
  const answered =
    (answering: Answering): RequestHandler =>
    async (req, res) => {
      try {
        send(res, await answer(deps, req, answering), deps);
      } catch (thrown) {
        await apologize(req, res, thrown);
      }
    };
  for (const { path, get, post } of pages) {
    const route = router.route(path);
    route.get(answered(get));
    if (post !== undefined)
      route.post(
        readForm,
        answered((entrant) => post(entrant, formOf(entrant.req))),
      );
    route.all(refuseMethod);
  }
}

async function answer(deps: ConsoleDeps, req: Request, answering: Answering): Promise<Entered> {
  const words = wordsOf(req);
  if (req.method === 'POST' && !isSameOrigin(req)) return foreignPage(words, backFrom(req));
  try {
    return await answering({ req, deps, words, signedIn: await whoIs(deps, req) });
  } catch (thrown) {
    if (thrown instanceof Refusal) return refusedPage(words, thrown, { back: backFrom(req), form: null });
    throw thrown;
  }
}

function send(res: Response, entered: Entered, { entry }: ConsoleDeps): void {
  if (entered.passage !== undefined) keepPassage(res, { publicUrl: entry.url, passage: entered.passage });
  if ('goTo' in entered) {
    if (entered.token !== undefined) keepSession(res, { publicUrl: entry.url, token: entered.token });
    return sendOn(res, entered);
  }
  const { waitMs, passage: _kept, ...shown } = entered;
  if (waitMs !== undefined) res.setHeader('Retry-After', String(Math.ceil(waitMs / 1000)));
  sendPage(res, shown.status ?? 200, pageFrame({ words: wordsOf(res.req), ...shown, person: null }));
}

/** The words for somebody who is not signed in: in the language that their browser prefers. */
export function wordsOf(req: Request): Words {
  return wordsIn(req.acceptsLanguages('en', 'bg') === 'bg' ? 'bg' : 'en');
}
