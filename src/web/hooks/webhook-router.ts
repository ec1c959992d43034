import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { asFailure, type FailureCode, failures } from '../../domain/failure.ts';
import { PLATFORMS, type Platform } from '../../domain/order-key.ts';
import { type Acceptance, acceptDelivery, type Incoming, type Intake } from '../../intake/accept-delivery.ts';
import type { Connection } from '../../ledger/connection.ts';
import { within } from '../../platform/within.ts';
import type { Delivery } from '../../storefronts/contract.ts';

export type WebhookDeps = {
  intake: Intake;
  /** Null: unknown. Throws if it can't be looked up. */
  connection(id: string): Promise<Connection | null>;
  /** For the app-wide Shopify address. */
  connectionOfShop(domain: string): Promise<Connection | null>;
  shopifyAppSecret: string | null;
  onAnswer(event: { platform: string; connectionId: string | null; code: FailureCode | null; what: string | null; ms: number }): void;
  now(): number;
};

/** A storefront is answered within 2 s, whatever is away. */
const LOOKUP_MS = 1_500;
const BODY_LIMIT = 5 * 1024 * 1024;

const statuses = {
  'connection.unknown': 404,
  'connection.closed': 410,
  'signature.missing': 401,
  'signature.mismatch': 401,
  'signature.expired': 401,
  'body.too-large': 413,
  'body.not-json': 400,
  'body.wrong-type': 415,
  'intake.unavailable': 503,
} as const satisfies Partial<Record<FailureCode, number>>;

type RejectCode = keyof typeof statuses;

/** `POST /webhooks/{platform}/{connectionId}`, and `POST /webhooks/shopify` for all shops of one app. */
export function webhookRouter(deps: WebhookDeps): Router {
  const router = Router();
  const raw = express.raw({ type: () => true, limit: BODY_LIMIT, inflate: true });
  router.post('/webhooks/shopify', raw, (request, response) => handle(deps, { request, response, find: () => ofShop(deps, request) }));
  router.post('/webhooks/:platform/:connectionId', raw, (request, response) => handle(deps, { request, response, find: () => ofAddress(deps, request) }));
  router.use('/webhooks', (request: Request, response: Response) => {
    if (request.method === 'POST') return reject(response, 'connection.unknown');
    return response.set('Allow', 'POST').status(405).json({ code: 'method.not-allowed', detail: 'Webhooks are sent with POST.' });
  });
  router.use('/webhooks', unreadable);
  return router;
}

type Found = { connection: Connection; secrets?: readonly string[] } | null;

async function ofAddress({ connection }: WebhookDeps, { params }: Request): Promise<Found> {
  const { platform, connectionId } = params;
  if (typeof platform !== 'string' || typeof connectionId !== 'string' || !PLATFORMS.includes(platform as Platform)) return null;
  const found = await connection(connectionId);
  return found === null || found.platform !== platform ? null : { connection: found };
}

async function ofShop({ connectionOfShop, shopifyAppSecret }: WebhookDeps, request: Request): Promise<Found> {
  const domain = request.get('x-shopify-shop-domain');
  if (shopifyAppSecret === null || domain === undefined) return null;
  const found = await connectionOfShop(domain.toLowerCase());
  return found === null ? null : { connection: found, secrets: [shopifyAppSecret] };
}

type Exchange = { request: Request; response: Response; find(): Promise<Found> };

async function handle(deps: WebhookDeps, { request, response, find }: Exchange): Promise<void> {
  const began = deps.now();
  let found: Found = null;
  let acceptance: Acceptance;
  try {
    found = await within(LOOKUP_MS, find());
    acceptance = found === null ? { accepted: false, code: 'connection.unknown' } : await acceptDelivery(deps.intake, incoming(found, request));
  } catch (thrown) {
    // What can't be looked up or stored in time is sent again by the storefront.
    const failure = asFailure(thrown);
    acceptance = { accepted: false, code: 'intake.unavailable' };
    response.set('Retry-After', String(Math.ceil((failure.retryAfterMs ?? 5_000) / 1000)));
  }
  if (acceptance.accepted) response.status(200).json({ accepted: acceptance.what });
  else reject(response, acceptance.code);
  const code = acceptance.accepted ? null : acceptance.code;
  deps.onAnswer({
    platform: String(request.params['platform'] ?? 'shopify'),
    connectionId: found?.connection.id ?? null,
    code,
    what: acceptance.accepted ? acceptance.what : null,
    ms: deps.now() - began,
  });
}

function incoming({ connection, secrets }: NonNullable<Found>, request: Request): Incoming {
  const delivery: Delivery = { headers: headersOf(request), body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0) };
  return secrets === undefined ? { connection, delivery } : { connection, delivery, secrets };
}

function headersOf(request: Request): ReadonlyMap<string, string> {
  return new Map(Object.entries(request.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])));
}

function reject(response: Response, code: FailureCode): void {
  const { means, todo } = failures[code];
  response.status(isReject(code) ? statuses[code] : 500).json({ code, detail: `${means} ${todo}` });
}

function isReject(code: FailureCode): code is RejectCode {
  return code in statuses;
}

/** What the body reader refuses before anything of ours runs. */
// biome-ignore lint/complexity/useMaxParams: Express knows an error handler by its four parameters
function unreadable(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  const status = error !== null && typeof error === 'object' && 'status' in error ? error.status : undefined;
  if (status === 413) reject(response, 'body.too-large');
  else if (status === 400 || status === 415) reject(response, status === 400 ? 'body.not-json' : 'body.wrong-type');
  else next(error);
}
