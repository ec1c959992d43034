import type { Request, Response } from 'express';
import { originOf } from '../platform/http/request-origin.ts';
import type { ConsoleDeps, ConsoleLog } from './base/console-deps.ts';
import { isAway } from './base/is-away.ts';
import { pageHeaders } from './frame/send-reply.ts';

const RETRY_MS = 5_000;

/** Begins a stream of events (`text/event-stream`). */
export function beginStream(res: Response): void {
  // The answer has the id under which the log has what breaks it.
  originOf(res.req, res);
  // A proxy must not keep them to itself.
  res.writeHead(200, { ...pageHeaders, 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
  res.write(`retry: ${RETRY_MS}\n\n`);
}

export function sendEvent(res: Response, event: string, data: unknown): void {
  res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** What the next event is known by: a browser sends it as `Last-Event-ID` when it opens the stream again. */
export function nameEvent(res: Response, id: string): void {
  res.write(`id: ${id}\n`);
}

export type StreamOptions = { deps: Pick<ConsoleDeps, 'pool' | 'isStopping'>; log: ConsoleLog };

/**
 * Ends a stream whose look failed; the browser opens it again. The log has the error, unless it is explained otherwise: nobody looks any more, the process
 * stops, or the database is away.
 */
export async function endBrokenStream({ deps, log }: StreamOptions, { req, res }: { req: Request; res: Response }, thrown: unknown): Promise<void> {
  const isExpected = res.destroyed || res.writableEnded || deps.isStopping() || (await isAway(deps.pool));
  if (!isExpected) log.failed(thrown, { method: req.method, ...originOf(req, res) });
  res.end();
}
