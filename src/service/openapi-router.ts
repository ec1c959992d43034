import { createHash } from 'node:crypto';
import express, { type Request, type Response, type Router } from 'express';
import { refuse } from './http/operation.ts';
import { documentPage } from './openapi/document-page.ts';
import { openApiDocument } from './openapi/openapi-document.ts';
import { pageStyle } from './openapi/page-style.ts';

/**
 * The interface for programs at /openapi.json and for people at /openapi, without authentication, and the answer to its addresses of other versions; to be
 * mounted at the root, after the routers of the interface.
 */
export function openApiRouter(): Router {
  const json = answer('application/json; charset=utf-8', () => JSON.stringify(openApiDocument()), { 'access-control-allow-origin': '*' });
  const page = answer('text/html; charset=utf-8', () => documentPage(openApiDocument()), { 'content-security-policy': CSP, 'referrer-policy': 'no-referrer' });
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const [path, handler] of [
    ['/openapi.json', json],
    ['/openapi', page],
  ] as const)
    router
      .route(path)
      .get(handler)
      .all(refuse(['GET', 'HEAD']));
  return router.use(['/public-api', '/service'], refuse([]));
}

// The page loads nothing: no script, no font, no picture.
const CSP = `default-src 'none'; style-src 'sha256-${hash(pageStyle.text)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** `write`: the text, which is made when it is asked for first. */
function answer(type: string, write: () => string, headers: Record<string, string>) {
  let text: string | undefined;
  return (req: Request, res: Response): void => {
    text ??= write();
    const etag = `"${hash(text)}"`;
    const always = { etag, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff', ...headers };
    if (req.get('if-none-match') === etag) return void res.writeHead(304, always).end();
    res.writeHead(200, { ...always, 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text);
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
