import type { Response } from 'express';
import { pageHeaders } from './page-headers.ts';

const RETRY_MS = 5_000;

/** Begins a stream of events (`text/event-stream`). */
export function beginStream(res: Response): void {
  // A proxy must not keep them to itself.
  res.writeHead(200, { ...pageHeaders, 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
  res.write(`retry: ${RETRY_MS}\n\n`);
}

export function sendEvent(res: Response, event: string, data: unknown): void {
  res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}
