import type { Request } from 'express';
import type { Page } from './base/page.ts';
import { pageAt, pages } from './pages.ts';
import type { Before } from './problem-pages.ts';

/** Where the page can be loaded again: what a form answered is shown at an address of its own, which may have no page. */
export function loadable({ method, originalUrl }: Pick<Request, 'method' | 'originalUrl'>): string {
  if (method === 'GET' || pageAt(pages, originalUrl) !== null) return originalUrl;
  const parent = originalUrl.replace(/\/[^/]*$/, '');
  return pageAt(pages, parent) === null ? '/console' : parent;
}

/** The page from which a request came, as its browser says; else the one that its address is about. */
export function backFrom(req: Request): string {
  const from = URL.parse(req.get('referer') ?? '');
  if (from === null || from.host !== req.get('host') || !/^\/console(?:\/|$)/.test(from.pathname)) return fallback(req);
  from.searchParams.delete('done');
  const address = `${from.pathname}${from.search}`;
  return address === req.originalUrl && req.method === 'GET' ? '/console' : loadable({ method: 'POST', originalUrl: address });
}

/** A page that can't be shown is no way back. */
function fallback(req: Request): string {
  return req.method === 'GET' ? '/console' : loadable(req);
}

/** Of what was sent where secrets are typed, only what has a name for people is kept; see `typedIn`. */
export function beforeOf(req: Request, post: Page['post'] | null): Before {
  const back = backFrom(req);
  if (req.method !== 'POST' || post === null || post === undefined) return { back, form: null };
  const body: Record<string, unknown> = typeof req.body === 'object' && req.body !== null ? req.body : {};
  const fields = Object.entries(body).flatMap(([name, value]) => [value].flat().flatMap((one) => (typeof one === 'string' ? [[name, one] as const] : [])));
  return { back, form: { at: req.originalUrl, fields, holdsSecrets: post.holdsSecrets === true } };
}
