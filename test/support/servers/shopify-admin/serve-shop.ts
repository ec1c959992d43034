import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isJson, type Json } from './json.ts';
import { oauthPage } from './oauth-pages.ts';
import { page } from './pages.ts';
import { serveAdmin } from './serve-admin.ts';
import type { ShopifyAdmin } from './shopify-admin.ts';

type Answer = { status: number; headers?: Record<string, string>; body: Json | string };

/** In place of the shop's answer: another one; lost: the work is done, and the connection cut; undefined: the shop answers. */
export type Instead = Answer | 'lost' | undefined;

/** What Shopify answers in place of a shop that can't be used. */
export const denials = {
  frozen: { status: 402, body: { errors: 'Unavailable Shop' } },
  forbidden: { status: 403, body: { errors: '[API] This action requires merchant approval for read_orders scope.' } },
  gone: { status: 404, body: page('Not Found', '') },
  locked: { status: 423, body: { errors: 'Locked' } },
  throttled: {
    status: 429,
    headers: { 'retry-after': '2.0' },
    body: { errors: 'Exceeded 2 calls per second for api client. Reduce request rates to resume uninterrupted service.' },
  },
  security: { status: 430, body: page('Shopify Security Rejection', '') },
  broken: { status: 500, body: page('Something went wrong', '') },
} as const satisfies Record<string, Answer>;

/** Every request to a shop: pages of its administration, tokens, and the API. */
export async function answerShop(shop: ShopifyAdmin, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url: uri = '/', headers } = request;
  const bytes = (await buffer(request)).toString();
  const body = parsed(bytes, headers['content-type']);
  const instead = await shop.state.intercept({ method, path: new URL(uri, 'http://any').pathname, body });
  if (typeof instead === 'object') return send(response, instead);
  const { broken } = shop.state;
  if (broken !== null) return send(response, { status: broken, body: '<h1>Something went wrong</h1>' });
  const shown = oauthPage(shop, { method, uri, cookie: headers.cookie ?? '', body: bytes });
  const token = headers['x-shopify-access-token'];
  const answer = shown ?? front(uri) ?? (await serveAdmin(shop, { path: uri, token: typeof token === 'string' ? token : '', body }));
  if (instead === 'lost') request.socket.destroy();
  else send(response, answer);
}

/** What customers see, and the first page of the administration. */
function front(uri: string): Answer | undefined {
  if (uri === '/') return { status: 200, body: page('Corner', '') };
  if (uri === '/favicon.ico') return { status: 204, body: '' };
  return uri === '/admin' ? { status: 200, body: page('Home', '') } : undefined;
}

function send(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers }).end(typeof body === 'string' ? body : JSON.stringify(body));
}

function parsed(bytes: string, type = ''): Json {
  if (type.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(bytes));
  try {
    const body: unknown = JSON.parse(bytes);
    return isJson(body) ? body : {};
  } catch {
    return {};
  }
}
