import { type Request, type Response, Router } from 'express';
import { requestFailed } from '../bridge/bridge-events.ts';
import { type LinkAnswer, makeReceiptLink, openReceiptLink, type ReceiptLinkDeps, tellStates } from '../bridge/intake/receipt-links.ts';
import { ordersOfConnection } from '../bridge/ledger/orders/read-orders.ts';
import { storefronts } from '../bridge/storefronts/registry.ts';
import { webhookAddress } from '../operations/connections/store-webhooks.ts';
import { whyIn } from '../operations/note-text.ts';
import { readBody } from '../platform/http/read-body.ts';
import { clientOf, requestIdOf } from '../platform/http/request-origin.ts';
import { TokenBuckets } from '../platform/rate-limit.ts';
import { webhookBase } from './addresses.ts';
import { openComplianceClient } from './compliance-api.ts';
import type { Core } from './core.ts';
import { openDocumentNumbers } from './document-numbers.ts';
import { openEndpoints } from './gateway.ts';
import { findServer } from './running-server.ts';

/** Nobody opens more receipts, or pages of orders, at once. */
const BURST = 50;
const LARGEST = 32 * 1024;
const BODY_MS = 10_000;
/** The modules hang up after 3 s. */
const NUMBERS_MS = 2_500;
// The receipt has its style inline and runs no script.
const POLICY = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** What is below the webhook address of a connection. */
const below = (path: string) => new RegExp(`^/webhooks/(?<platform>[\\w-]+)/(?!app/)(?<connection>[\\w-]{1,64})/${path}/?$`, 'i');

/**
 * For a module in the store: `POST {webhook address}/order-states` tells what became of orders; `POST {webhook address}/receipt-link` makes a link of a few
 * minutes to the receipt of one, and `GET {webhook address}/receipt/…` is the receipt.
 */
export function receiptLinkRouter(core: Core): Router {
  const deps = linkDeps(core);
  const router = Router();
  const at = ({ params }: Request) => ({ platform: String(params['platform']).toLowerCase(), connectionId: String(params['connection']) });
  const signed = (path: string, tell: typeof tellStates) =>
    router.post(below(path), async (request, response) => {
      const closed = new AbortController();
      response.once('close', () => closed.abort());
      const read = await readBody(request, { limit: LARGEST, withinMs: BODY_MS, free: LARGEST, reserve: async () => false });
      const headers = new Map(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      if (!read.ok) return answer(response, { status: 400, refused: 'The body could not be read.' });
      answer(response, await tell(deps, at(request), { headers, body: read.body, closed: closed.signal }).catch(unavailable(core, request)));
    });
  signed('receipt-link', makeReceiptLink);
  signed('order-states', tellStates);
  router.get(below('receipt/(?<token>[\\w.-]{1,100})'), async (request, response) => {
    answer(response, await openReceiptLink(deps, at(request), String(request.params['token'])).catch(unavailable(core, request)));
  });
  return router;
}

function linkDeps(core: Core): ReceiptLinkDeps {
  const { cache, config, log, pool, sealer } = core;
  const buckets = new TokenBuckets({ burst: BURST, now: Date.now });
  const endpoints = openEndpoints(core, async () => {
    const server = await findServer(config.dataDir, ['all', 'compliance']);
    if (server === null) throw new Error('no server with the embedded compliance service is known');
    return server.url;
  });
  const client = openComplianceClient(config);
  const documentNumbers = openDocumentNumbers({ client, endpoints, log });
  return {
    storefronts,
    connection: (id) => cache.get(id),
    throttle: ({ id, settings }) => buckets.take(id, settings.ratePerSecond),
    recordOf: async (id, order) => (await ordersOfConnection(pool, id, typeof order === 'number' ? order : [order]))[0] ?? null,
    async states(connectionId, { orders, lang }, closed) {
      const found = await ordersOfConnection(pool, connectionId, orders);
      const numbers = await documentNumbers(found, AbortSignal.any([AbortSignal.timeout(NUMBERS_MS), closed]));
      return found.map(({ orderRef, order, state, ...one }) => {
        const isAsked = state === 'review' || state === 'unconfirmed';
        return { order, state, document: numbers.get(orderRef) ?? null, why: isAsked ? whyIn(one, lang) : null };
      });
    },
    page: async ({ complianceId, destinationId }) => client.receiptPage(await endpoints(destinationId), complianceId),
    addressOf: async (connection) => webhookAddress(await webhookBase(config), connection),
    digest: (text) => sealer.digest(text),
    now: Date.now,
  };
}

const AGAIN_MS = 5_000;

/** Such as while database or service are down. */
function unavailable({ log }: Core, request: Request): (thrown: unknown) => LinkAnswer {
  return (thrown) => {
    requestFailed(log, thrown, { method: request.method, client: clientOf(request), requestId: requestIdOf(request) });
    return { status: 503, refused: 'This can’t be looked up now: try again in a moment.', retryAfterMs: AGAIN_MS };
  };
}

function answer(response: Response, given: LinkAnswer): void {
  if ('html' in given) return void response.set('Content-Security-Policy', POLICY).type('html').send(given.html);
  if ('json' in given) return void response.json(given.json);
  const { status, refused: detail, retryAfterMs } = given;
  if (retryAfterMs !== undefined) response.set('Retry-After', String(Math.ceil(retryAfterMs / 1_000)));
  response.status(status).type('application/problem+json').send(JSON.stringify({ status, detail }));
}
