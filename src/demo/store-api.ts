import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { StoreAccess } from '../bridge/storefronts/contract.ts';
import type { Story } from './story.ts';

export type DemoStoreApi = AsyncDisposable & { access: StoreAccess };

const NO_ROUTE = { status: 404, body: { code: 'rest_no_route', message: 'No route was found.', data: { status: 404 } } };

/** The part of WooCommerce's REST API that serves refund lines and trashed orders, on a free local port. */
export async function startStoreApi(stories: readonly Story[]): Promise<DemoStoreApi> {
  const [consumerKey, consumerSecret] = [`ck_${randomBytes(20).toString('hex')}`, `cs_${randomBytes(20).toString('hex')}`];
  const expected = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`;
  const server = createServer(({ headers, url = '' }, response) => {
    const known = headers.authorization === expected;
    const { status, body } = known
      ? answer(stories, url)
      : { status: 401, body: { code: 'woocommerce_rest_cannot_view', message: 'Unknown key.', data: { status: 401 } } };
    response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body));
  });
  const port = await listen(server);
  return {
    access: { url: `http://127.0.0.1:${port}`, consumerKey, consumerSecret },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(stories: readonly Story[], url: string): { status: number; body: unknown } {
  const [, orderId, refunds] = /^\/wp-json\/wc\/v3\/orders\/(\d+)(\/refunds)?(?:\?|$)/.exec(url) ?? [];
  const story = stories.find((each) => each.orderId === orderId);
  if (story === undefined) return NO_ROUTE;
  if (refunds !== undefined) return { status: 200, body: story.storeRefunds ?? [] };
  const newest = story.webhooks.findLast(({ topic }) => topic !== 'order.deleted');
  return newest === undefined ? NO_ROUTE : { status: 200, body: newest.body };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
