import type { Response } from 'express';
import { originOf } from '../../platform/http/request-origin.ts';
import { pageHeaders } from './page-headers.ts';

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
