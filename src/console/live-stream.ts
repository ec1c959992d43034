import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import type { Mark } from '../bridge/ledger/recent-events.ts';
import { isYoungerThan, markOf, markText, tailFrom } from '../operations/activity/tail.ts';
import { may } from '../operations/people/rights.ts';
import { actorOf, type SignedIn } from '../operations/people/sessions.ts';
import { originOf } from '../platform/http/request-origin.ts';
import type { ConsoleDeps, ConsoleLog } from './base/console-deps.ts';
import { isAway } from './base/is-away.ts';
import type { Page, PageContext } from './base/page.ts';
import { pageTitle } from './frame/page-frame.ts';
import { pageHeaders } from './frame/send-reply.ts';
import { type Words, wordsIn } from './messages/messages.ts';
import { LATELY_MS, liveLine, MOST_LINES } from './pages/live.ts';
import { type FoundPage, pageAt } from './pages.ts';
import { whoIs } from './sign-in-cookies.ts';

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
    await followEvents(res, look);
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
async function followEvents(res: Response, look: () => Promise<void>): Promise<void> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  while (!gone.signal.aborted && !res.writableEnded) {
    await look();
    await sleep(EVERY_MS, undefined, { signal: gone.signal }).catch(() => undefined);
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

/** The request as that page would have got it. */
function requestFor(req: Request, { url, params }: { url: URL; params: Record<string, string> }): Request {
  const query = Object.fromEntries(url.searchParams);
  return Object.create(req, { params: { value: params }, query: { value: query }, originalUrl: { value: url.pathname + url.search } });
}

/** How often the session is looked up, and a stream in which nothing happens is kept open. */
const LOOK_MS = 10_000;
const STOP_LOOK_MS = 500;

type Stream = { req: Request; res: Response };

/**
 * `GET /console/live/stream?store=&mark=`: what happens, as lines of markup, as long as somebody looks and may. It goes on from the mark of the page, or of
 * the last event that a browser got which comes back; a mark that can't be gone on from is answered by `ended`, at which the page is loaded anew.
 */
export function liveStream({ deps, log }: Options): RequestHandler {
  return async (req, res) => {
    const signedIn = await whoMay(deps, req);
    if (signedIn === null) return void res.status(401).end();
    const store = typeof req.query['store'] === 'string' ? req.query['store'] : null;
    if (!(await isKnown(deps, store))) return void res.status(404).end();
    const from = await fromWhere(deps, req);
    beginStream(res);
    if (from === 'nowhere') {
      sendEvent(res, 'ended', null);
      return void res.end();
    }
    await follow({ deps, log }, { req, res }, { store, from, words: wordsIn(signedIn.person.lang) }).catch((thrown: unknown) =>
      endBrokenStream({ deps, log }, { req, res }, thrown),
    );
    res.end();
  };
}

/** Null: from now on. */
async function fromWhere(deps: ConsoleDeps, req: Request): Promise<Mark | null | 'nowhere'> {
  // A browser that opens the stream again by itself keeps the address, and says how far it came.
  const given = req.get('last-event-id') ?? req.query['mark'];
  if (given === undefined) return null;
  const mark = typeof given === 'string' ? markOf(given) : null;
  // The page itself does not look further back.
  return mark !== null && (await isYoungerThan(deps, mark, LATELY_MS)) ? mark : 'nowhere';
}

type Following = { store: string | null; from: Mark | null; words: Words };

async function follow({ deps, log }: Options, stream: Stream, { store, from, words }: Following): Promise<void> {
  const { res } = stream;
  using watched = untilGone({ deps, log }, stream);
  const { lost, back } = words.activity.live;
  let markedAt = 0;
  const since = deps.now().toISOString();
  for await (const event of tailFrom(deps, { connection: store, since, mark: from, signal: watched.signal })) {
    if (!('events' in event)) {
      sendEvent(res, 'note', { words: 'lost' in event ? lost : back });
      continue;
    }
    const { events, mark } = event;
    // A mark that grew old unsaid would make the browser load the page anew.
    if (events.length === 0 && performance.now() - markedAt < LOOK_MS) continue;
    const lines = events.slice(-MOST_LINES).map((one) => ({ key: one.key, markup: liveLine(one, words).markup }));
    // One event, so that a connection breaks before or after all of it.
    nameEvent(res, markText(mark));
    sendEvent(res, 'lines', lines);
    markedAt = performance.now();
  }
}

async function whoMay(deps: ConsoleDeps, req: Request): Promise<SignedIn | null> {
  const found = await whoIs(deps, req, { isLook: true });
  return found !== null && may(found.person.role, 'activity.see') ? found : null;
}

async function isKnown({ connections }: ConsoleDeps, store: string | null): Promise<boolean> {
  return store === null || (await connections.list()).some(({ id }) => id === store);
}

/** Aborted when nobody looks any more, the session ended or can't be looked up, or the process stops. */
function untilGone({ deps, log }: Options, { req, res }: Stream): { signal: AbortSignal } & Disposable {
  const gone = new AbortController();
  const end = () => gone.abort();
  const look = async () => ((await whoMay(deps, req)) === null ? end() : void res.write(': here\n\n'));
  const looking = setInterval(() => void look().catch((thrown: unknown) => endBrokenStream({ deps, log }, { req, res }, thrown).finally(end)), LOOK_MS);
  const stopping = setInterval(() => deps.isStopping() && end(), STOP_LOOK_MS);
  res.once('close', end);
  return {
    signal: gone.signal,
    [Symbol.dispose]() {
      clearInterval(looking);
      clearInterval(stopping);
    },
  };
}

const RETRY_MS = 5_000;

/** Begins a stream of events (`text/event-stream`). */
function beginStream(res: Response): void {
  // The answer has the id under which the log has what breaks it.
  originOf(res.req, res);
  // A proxy must not keep them to itself.
  res.writeHead(200, { ...pageHeaders, 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
  res.write(`retry: ${RETRY_MS}\n\n`);
}

function sendEvent(res: Response, event: string, data: unknown): void {
  res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** What the next event is known by: a browser sends it as `Last-Event-ID` when it opens the stream again. */
function nameEvent(res: Response, id: string): void {
  res.write(`id: ${id}\n`);
}

type StreamOptions = { deps: Pick<ConsoleDeps, 'pool' | 'isStopping'>; log: ConsoleLog };

/**
 * Ends a stream whose look failed; the browser opens it again. The log has the error, unless it is explained otherwise: nobody looks any more, the process
 * stops, or the database is away.
 */
async function endBrokenStream({ deps, log }: StreamOptions, { req, res }: { req: Request; res: Response }, thrown: unknown): Promise<void> {
  const isExpected = res.destroyed || res.writableEnded || deps.isStopping() || (await isAway(deps.pool));
  if (!isExpected) log.failed(thrown, { method: req.method, ...originOf(req, res) });
  res.end();
}
