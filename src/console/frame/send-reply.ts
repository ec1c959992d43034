import { pipeline } from 'node:stream/promises';
import type { RequestHandler, Response } from 'express';
import { assetAt } from '../assets/assets.ts';
import type { Download, GoTo } from '../base/page.ts';

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
export async function sendFile(res: Response, { content, type, name }: Download, headers = pageHeaders): Promise<void> {
  res.writeHead(200, { ...headers, 'content-type': type, 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` });
  if (typeof content === 'string') return void res.end(content);
  await pipeline(content, res);
}

const YEAR = 'public, max-age=31536000, immutable';

/** A file of the pages, at `…/assets/:name`. */
export const sendAsset: RequestHandler = (req, res, next) => {
  const asset = assetAt(String(req.params['name']));
  if (asset === null) return next();
  res.writeHead(200, { ...pageHeaders, 'cache-control': YEAR, 'content-type': asset.type, 'content-length': asset.content.length });
  res.end(asset.content);
};

/** What every answer of the console bears: nothing is loaded from elsewhere, nothing is kept, and no other site may show it. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
