import type { Request, RequestHandler, Response } from 'express';
import { type Listened, listen } from '../operations/activity/listen.ts';
import { may } from '../operations/people/rights.ts';
import type { SignedIn } from '../operations/people/sessions.ts';
import type { ConsoleDeps } from './base/console-deps.ts';
import { beginStream, sendEvent } from './frame/event-stream.ts';
import { liveLine } from './pages/live/live-line.ts';
import { whoIs } from './session/who-is.ts';
import { type Words, wordsIn } from './words/words.ts';

/** How often the session is looked up, and a stream in which nothing happens is kept open. */
const LOOK_MS = 10_000;
const STOP_LOOK_MS = 500;

/** `GET /console/live/stream?store=`: each thing that happens, as a line of markup, as long as somebody looks and may. */
export function liveStream(deps: ConsoleDeps): RequestHandler {
  return async (req, res) => {
    const signedIn = await whoMay(deps, req);
    if (signedIn === null) return void res.status(401).end();
    const store = typeof req.query['store'] === 'string' ? req.query['store'] : null;
    if (!(await isKnown(deps, store))) return void res.status(404).end();
    const words = wordsIn(signedIn.person.lang);
    beginStream(res);
    using watched = untilGone(deps, { req, res });
    const since = deps.now().toISOString();
    for await (const event of listen(deps, { connection: store, since, signal: watched.signal })) tell(res, event, words);
    res.end();
  };
}

function tell(res: Response, event: Listened, words: Words): void {
  if ('heard' in event) return sendEvent(res, 'line', { markup: liveLine(event.heard, words).markup });
  const { lost, back } = words.activity.live;
  sendEvent(res, 'note', { words: 'lost' in event ? lost : back });
}

async function whoMay(deps: ConsoleDeps, req: Request): Promise<SignedIn | null> {
  const found = await whoIs(deps, req, { isLook: true });
  return found !== null && may(found.person.role, 'activity.see') ? found : null;
}

async function isKnown({ connections }: ConsoleDeps, store: string | null): Promise<boolean> {
  return store === null || (await connections.list()).some(({ id }) => id === store);
}

type Stream = { req: Request; res: Response };

/** Aborted when nobody looks any more, the session ended, or the process stops. */
function untilGone(deps: ConsoleDeps, { req, res }: Stream): { signal: AbortSignal } & Disposable {
  const gone = new AbortController();
  const end = () => gone.abort();
  const look = async () => ((await whoMay(deps, req)) === null ? end() : void res.write(': here\n\n'));
  const looking = setInterval(() => void look().catch(end), LOOK_MS);
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
