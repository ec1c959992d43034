import type { Request, RequestHandler, Response } from 'express';
import type { Mark } from '../bridge/ledger/recent-events.ts';
import { isYoungerThan, markOf, markText, tailFrom } from '../operations/activity/tail.ts';
import { may } from '../operations/people/rights.ts';
import type { SignedIn } from '../operations/people/sessions.ts';
import type { ConsoleDeps } from './base/console-deps.ts';
import { beginStream, endBrokenStream, nameEvent, type StreamOptions, sendEvent } from './event-stream.ts';
import { type Words, wordsIn } from './messages/messages.ts';
import { LATELY_MS, liveLine, MOST_LINES } from './pages/live.ts';
import { whoIs } from './session.ts';

/** How often the session is looked up, and a stream in which nothing happens is kept open. */
const LOOK_MS = 10_000;
const STOP_LOOK_MS = 500;

type Options = StreamOptions & { deps: ConsoleDeps };
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
    if (!('told' in event)) {
      sendEvent(res, 'note', { words: 'lost' in event ? lost : back });
      continue;
    }
    const { told, mark } = event;
    // A mark that grew old unsaid would make the browser load the page anew.
    if (told.length === 0 && performance.now() - markedAt < LOOK_MS) continue;
    const lines = told.slice(-MOST_LINES).map((one) => ({ key: one.key, markup: liveLine(one, words).markup }));
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
