import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Download, GoTo } from '../base/page.ts';
import { pageHeaders } from './page-headers.ts';

export function sendPage(res: Response, status: number, page: string): void {
  res.writeHead(status, { ...pageHeaders, 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(page) });
  res.end(page);
}

/** `done` becomes a part of the address, so that the page to come says what was done. */
export function sendOn(res: Response, { goTo, done }: GoTo): void {
  const location = done === undefined ? goTo : `${goTo}${goTo.includes('?') ? '&' : '?'}done=${encodeURIComponent(done)}`;
  res.writeHead(303, { ...pageHeaders, location, 'content-length': 0 }).end();
}

/** If it fails on the way, the connection is cut, because the status was sent, and the error is rethrown. */
export async function sendFile(res: Response, { content, type, name }: Download): Promise<void> {
  res.writeHead(200, { ...pageHeaders, 'content-type': type, 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` });
  if (typeof content === 'string') return void res.end(content);
  await pipeline(content, res);
}
