import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FetchJson } from '../../../src/bridge/storefronts/contract.ts';

type Answer = { status: number; body: unknown };

export type StoreApi = AsyncDisposable & { url: string; asked: { path: string; authorization: string }[] };

/** A store's REST API on a free port of 127.0.0.1 that answers by path and query, and 404 `rest_no_route` where it has no answer. */
export async function startStoreApi(answer: (path: string) => Answer | undefined): Promise<StoreApi> {
  const asked: StoreApi['asked'] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push({ path, authorization: request.headers.authorization ?? '' });
    const { status, body } = answer(path) ?? { status: 404, body: { code: 'rest_no_route', message: 'No route.', data: { status: 404 } } };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${portOf(server.address())}`, asked, [Symbol.asyncDispose]: async () => void server.close() };
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return address.port;
}

/** Requests JSON, redirects not followed; an empty body is null. */
export const fetchJson: FetchJson = async ({ url, authorization, method = 'GET', headers = {}, body }) => {
  const sent = { ...headers, connection: 'close', ...(authorization === undefined ? {} : { authorization }) };
  const json = body === undefined ? {} : { body: JSON.stringify(body), headers: { ...sent, 'content-type': 'application/json' } };
  const response = await fetch(url, { method, headers: sent, redirect: 'manual', ...json });
  const text = await response.text();
  const location = response.headers.get('location');
  const pages = response.headers.get('x-wp-totalpages');
  const more = { ...(location === null ? {} : { location }), ...(pages === null ? {} : { totalPages: Number(pages) }) };
  return { status: response.status, body: text === '' ? null : JSON.parse(text), ...more };
};
