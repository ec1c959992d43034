import type { Request } from 'express';

type Wanted = { url: URL; params: Record<string, string> };

/** The request as that page would have got it. */
export function requestFor(req: Request, { url, params }: Wanted): Request {
  const query = Object.fromEntries(url.searchParams);
  return Object.create(req, { params: { value: params }, query: { value: query }, originalUrl: { value: url.pathname + url.search } });
}
