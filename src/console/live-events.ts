import type { Request, RequestHandler, Response } from 'express';
import { may } from '../operations/people/rights.ts';
import { actorOf } from '../operations/people/sessions.ts';
import type { ConsoleDeps } from './base/console-deps.ts';
import type { Page, PageContext } from './base/page.ts';
import { beginStream, endBrokenStream, type StreamOptions, sendEvent } from './event-stream.ts';
import { pageTitle } from './frame/page-frame.ts';
import { wordsIn } from './messages/messages.ts';
import { type FoundPage, pageAt } from './pages.ts';
import { whoIs } from './session.ts';

type Options = StreamOptions & { deps: ConsoleDeps };

const EVERY_MS = 2_000;
/** No part has this id. */
const TITLE = '<title>';

/**
 * `GET /console/events?page=/console/…`: the parts of that page that changed, as long as somebody looks. Nothing is asked when nobody does; the session
 * is looked up each time, so that one that was ended elsewhere ends here, too.
 */
export function liveEvents({ deps, log }: Options, pages: readonly Page[]): RequestHandler {
  return async (req, res) => {
    const found = pageAt(pages, String(req.query['page'] ?? ''));
    if (found === null) return void res.status(404).end();
    beginStream(res);
    const known = new Map<string, string>();
    const look = async (): Promise<void> => {
      if (deps.isStopping()) return void res.end();
      try {
        if (!(await tell({ deps, req, res, found, known }))) res.end();
      } catch (thrown) {
        await endBrokenStream({ deps, log }, { req, res }, thrown);
      }
    };
    await follow(res, look);
  };
}

type Telling = { deps: ConsoleDeps; req: Request; res: Response; found: FoundPage; known: Map<string, string> };

/** False: the session ended, or the page is not for this person any more. */
async function tell({ deps, req, res, found, known }: Telling): Promise<boolean> {
  const signedIn = await whoIs(deps, req, { isLook: true });
  if (signedIn === null || !may(signedIn.person.role, found.page.right)) {
    sendEvent(res, 'ended', null);
    return false;
  }
  const context: PageContext = { ...signedIn, req: requestFor(req, found), deps, words: wordsIn(signedIn.person.lang), by: actorOf(signedIn.person) };
  const reply = await found.page.get?.(context);
  // Loaded anew, it leads where it leads now.
  if (reply === undefined || !('body' in reply)) {
    sendEvent(res, 'ended', null);
    return false;
  }
  const health = signedIn.person.shops === null ? await deps.readHealth() : null;
  tellTitle({ res, known }, pageTitle({ words: context.words, title: reply.title, health }));
  // At first each part is sent: it may have changed since the page was loaded, or while nobody looked.
  for (const { id, markup } of partsOf(reply.body.markup)) {
    if (known.get(id) === markup) continue;
    sendEvent(res, 'part', { id, markup });
    known.set(id, markup);
  }
  return true;
}

function tellTitle({ res, known }: Pick<Telling, 'res' | 'known'>, title: string): void {
  if (known.get(TITLE) !== title) sendEvent(res, 'title', title);
  known.set(TITLE, title);
}

/** Looks again and again until the other side is gone. */
async function follow(res: Response, look: () => Promise<void>): Promise<void> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  while (!gone.signal.aborted && !res.writableEnded) {
    await look();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, EVERY_MS);
      gone.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

const OPEN = /<div id="([^"]+)" data-live="">/g;
const TAG = /<(\/?)div\b[^>]*>/g;

/** The parts of a page that `live` made, by id: what is between their tags. */
export function partsOf(markup: string): { id: string; markup: string }[] {
  return [...markup.matchAll(OPEN)].map((found) => {
    const from = found.index + found[0].length;
    return { id: found[1] ?? '', markup: markup.slice(from, endOf(markup, from)) };
  });
}

/** Where the element ends whose content begins there. */
function endOf(markup: string, from: number): number {
  let depth = 1;
  TAG.lastIndex = from;
  for (let tag = TAG.exec(markup); tag !== null; tag = TAG.exec(markup)) {
    depth += tag[1] === '/' ? -1 : 1;
    if (depth === 0) return tag.index;
  }
  return markup.length;
}

type Wanted = { url: URL; params: Record<string, string> };

/** The request as that page would have got it. */
function requestFor(req: Request, { url, params }: Wanted): Request {
  const query = Object.fromEntries(url.searchParams);
  return Object.create(req, { params: { value: params }, query: { value: query }, originalUrl: { value: url.pathname + url.search } });
}
