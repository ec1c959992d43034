import type { Request, RequestHandler, Response } from 'express';
import type { ConsoleLog } from '../console/base/console-deps.ts';
import { isAway } from '../console/base/is-away.ts';
import { databasePage, failedPage } from '../console/problem-pages.ts';
import { originOf } from '../platform/http/request-origin.ts';
import { html, nothing } from '../web/html.ts';
import type { ConnectPageDeps, ConnectReply } from './base/connect-page.ts';
import { connectFrame, connectHeaders } from './frame.ts';
import { problemWords, type Words, wordsOf } from './messages/messages.ts';

export type ConnectOptions = { deps: ConnectPageDeps; log: ConsoleLog };

/** `way`: where its merchant is on their way. `refresh`: as the meta element has it. */
export type ConnectAnswer = ConnectReply & { words: Words; way?: Parameters<typeof connectFrame>[0]['way']; refresh?: string };

export type Handling = (req: Request, res: Response) => Promise<void>;

/** Whatever is thrown becomes a page; the log names neither the address nor what was typed. `backOf`: the address of a page from which one can go on. */
export function guarded({ deps, log }: ConnectOptions, backOf: (req: Request) => string, handling: Handling): RequestHandler {
  return async (req, res) => {
    const about = originOf(req, res);
    try {
      await handling(req, res);
    } catch (thrown) {
      if (res.headersSent) return void res.destroy();
      const isDatabaseAway = await isAway(deps.pool);
      if (!isDatabaseAway) log.failed(thrown, { method: req.method, ...about });
      const words = wordsOf(req);
      const where = { back: backOf(req), isSent: req.method === 'POST' };
      send(res, brokenReply({ words, mail: deps.config.mail, isAway: isDatabaseAway }, { ...where, requestId: about.requestId }));
    }
  };
}

/** Somebody was not let in: for the log, without the address. */
export function noteRefused({ deps, req }: { deps: ConnectPageDeps; req: Request }, why: 'link' | 'foreign' | 'wrong'): void {
  if (req.res !== undefined) deps.entry.onRefused({ why, person: null, ...originOf(req, req.res) });
}

/** The page that says that the database is away tries again. */
const RETRY_SECONDS = 10;

/** What is wrong on our side, and whom to write to if it lasts. */
function brokenReply({ words, mail, isAway }: { words: Words; mail: Mail; isAway: boolean }, where: Parameters<typeof failedPage>[1]): ConnectAnswer {
  const page = isAway ? databasePage(problemWords(words), where) : failedPage(problemWords(words), where);
  // What a form answered is at an address that may have no page.
  const again = where.isSent ? `${RETRY_SECONDS}; url=${where.back}` : `${RETRY_SECONDS}`;
  return { ...page, body: html`${page.body}${askWhom(words.steps, mail)}`, words, ...(isAway ? { refresh: again } : {}) };
}

export function send(res: Response, sent: ConnectAnswer): void {
  if (sent.cookie !== undefined) res.append('Set-Cookie', sent.cookie);
  if ('goTo' in sent) return void res.writeHead(303, { ...connectHeaders, location: sent.goTo, 'content-length': 0 }).end();
  const page = connectFrame({ ...sent, way: sent.way ?? null });
  res.writeHead(sent.status ?? 200, { ...connectHeaders, 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(page) });
  res.end(page);
}

type Mail = { replyTo?: string };

/** `/connect` without a link: nobody begins there. */
export function linkNeededPage({ steps }: Words, mail: Mail): ConnectReply {
  return { status: 404, title: steps.neededTitle, body: html`<p>${steps.needed}</p>${askWhom(steps, mail)}` };
}

/** Why a link opens nothing, and whom to ask for another. */
export function gonePage({ steps }: Words, why: keyof Words['steps']['gone'], mail: Mail): ConnectReply {
  return { status: 404, title: why === 'unknown' ? steps.unknownTitle : steps.goneTitle, body: html`<p>${steps.gone[why]}</p>${askWhom(steps, mail)}` };
}

/** Nothing where nobody is named (`MAIL_REPLY_TO`). */
export function askWhom(steps: Words['steps'], { replyTo }: Mail) {
  return replyTo === undefined ? nothing : html`\n<p>${steps.ask(replyTo)}</p>`;
}
