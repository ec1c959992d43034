import express, { type ErrorRequestHandler, type NextFunction, type Request, type Response, Router } from 'express';
import { within } from '../../platform/within.ts';
import type { Connection } from '../connections/connection.ts';
import { asFailure, type FailureCode, failures } from '../order/failure.ts';
import type { Delivery, Storefront } from '../storefronts/contract.ts';
import { acceptAppDelivery } from './accept-app-delivery.ts';
import { type Acceptance, acceptDelivery, type Intake } from './accept-delivery.ts';

export type WebhookDeps = {
  intake: Intake;
  /** Null: unknown. Throws if it can't be looked up. */
  connection(id: string): Promise<Connection | null>;
  /** Every connection that a store of this name ever had, live ones first. */
  connectionsOfStore(platform: string, store: string): Promise<Connection[]>;
  /** The secret of a storefront's app. Null: there is no app, and nothing at the address for all of its stores. */
  appSecret(storefront: Storefront): string | null;
  onAnswer(event: WebhookAnswer): void;
  now(): number;
};

export type WebhookAnswer = {
  platform: string;
  connectionId: string | null;
  /** The platform's id of the order that the webhook is about. */
  orderId: string | null;
  code: FailureCode | null;
  what: string | null;
  ms: number;
  /** The error, if the delivery could not be taken because of it. */
  err?: unknown;
};

/** A storefront is answered within 2 s, even if queue and database are down. */
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
  'method.not-allowed': 405,
  'intake.unavailable': 503,
} as const satisfies Partial<Record<FailureCode, number>>;

type RejectCode = keyof typeof statuses;

/** `POST /webhooks/{platform}/{connectionId}`, and `POST /webhooks/{platform}` for all stores of one app. */
export function webhookRouter(deps: WebhookDeps): Router {
  const router = Router();
  const raw = express.raw({ type: () => true, limit: BODY_LIMIT, inflate: true });
  router.use('/webhooks', (_request: Request, response: Response, next: NextFunction) => {
    response.locals['began'] = deps.now();
    next();
  });
  for (const storefront of Object.values(deps.intake.storefronts).filter(({ appWide }) => appWide !== undefined)) {
    const accept = (request: Request) => () => ofApp(deps, storefront, request);
    router.post(`/webhooks/${storefront.name}`, raw, (request, response) => handle(deps, { request, response, accept: accept(request) }));
  }
  router.post('/webhooks/:platform/:connectionId', raw, (request, response) => handle(deps, { request, response, accept: () => ofAddress(deps, request) }));
  router.use('/webhooks', (request: Request, response: Response) => {
    refuse(deps, { request, response, code: request.method === 'POST' ? 'connection.unknown' : 'method.not-allowed' });
  });
  router.use('/webhooks', unreadable(deps));
  return router;
}

type Verdict = { connectionId: string | null; acceptance: Acceptance };

const UNKNOWN: Verdict = { connectionId: null, acceptance: { accepted: false, code: 'connection.unknown' } };

async function ofAddress({ connection, intake }: WebhookDeps, request: Request): Promise<Verdict> {
  const { platform, connectionId } = request.params;
  if (typeof platform !== 'string' || typeof connectionId !== 'string' || !Object.hasOwn(intake.storefronts, platform)) return UNKNOWN;
  const found = await within(LOOKUP_MS, connection(connectionId));
  if (found === null || found.platform !== platform) return UNKNOWN;
  return { connectionId, acceptance: await acceptDelivery(intake, { connection: found, delivery: deliveryOf(request) }) };
}

async function ofApp(deps: WebhookDeps, storefront: Storefront, request: Request): Promise<Verdict> {
  const appSecret = deps.appSecret(storefront);
  if (appSecret === null) return UNKNOWN;
  const delivery = deliveryOf(request);
  const { store } = storefront.envelope(delivery.headers);
  const connections = store === null ? [] : await within(LOOKUP_MS, deps.connectionsOfStore(storefront.name, store));
  return { connectionId: connections[0]?.id ?? null, acceptance: await acceptAppDelivery(deps.intake, { storefront, connections, delivery, appSecret }) };
}

type Exchange = { request: Request; response: Response; accept(): Promise<Verdict> };

async function handle(deps: WebhookDeps, { request, response, accept }: Exchange): Promise<void> {
  const { connectionId, acceptance, err }: Verdict & { err?: unknown } = await accept().catch((thrown: unknown) => unavailable(thrown, response));
  if (acceptance.accepted) response.status(200).json({ accepted: acceptance.what });
  else reject(response, acceptance.code);
  deps.onAnswer({
    platform: platformOf(deps, request),
    connectionId,
    code: acceptance.accepted ? null : acceptance.code,
    what: acceptance.accepted ? acceptance.what : null,
    orderId: acceptance.accepted ? (acceptance.orderId ?? null) : null,
    ms: msSince(deps, response),
    ...(err === undefined ? {} : { err }),
  });
}

/** The storefront repeats a delivery that can't be looked up or stored in time. */
function unavailable(thrown: unknown, response: Response): Verdict & { err: unknown } {
  response.set('Retry-After', String(Math.ceil((asFailure(thrown).retryAfterMs ?? 5_000) / 1000)));
  return { connectionId: null, acceptance: { accepted: false, code: 'intake.unavailable' }, err: thrown };
}

function deliveryOf(request: Request): Delivery {
  return { headers: headersOf(request), body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0) };
}

function headersOf(request: Request): ReadonlyMap<string, string> {
  return new Map(Object.entries(request.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])));
}

function reject(response: Response, code: FailureCode): void {
  const { means, todo } = failures[code];
  if (code === 'method.not-allowed') response.set('Allow', 'POST');
  response.status(isReject(code) ? statuses[code] : 500).json({ code, detail: `${means} ${todo}` });
}

function isReject(code: FailureCode): code is RejectCode {
  return code in statuses;
}

type Refused = { request: Request; response: Response; code: RejectCode };

/** Refusals before the connection was looked up are counted like any other. */
function refuse(deps: WebhookDeps, { request, response, code }: Refused): void {
  reject(response, code);
  deps.onAnswer({ platform: platformOf(deps, request), connectionId: null, orderId: null, code, what: null, ms: msSince(deps, response) });
}

/** By the address; any other name in it counts as one platform, `unknown`. */
function platformOf({ intake }: WebhookDeps, { originalUrl }: Request): string {
  const [, named = ''] = /^\/webhooks\/([^/?]+)/.exec(originalUrl) ?? [];
  return Object.hasOwn(intake.storefronts, named) ? named : 'unknown';
}

function msSince({ now }: WebhookDeps, { locals }: Response): number {
  const began: unknown = locals['began'];
  return typeof began === 'number' ? now() - began : 0;
}

const unreadableCodes: Partial<Record<number, RejectCode>> = { 400: 'body.not-json', 413: 'body.too-large', 415: 'body.wrong-type' };

/** Refusals of the body reader, before any code of ours runs. */
function unreadable(deps: WebhookDeps): ErrorRequestHandler {
  // biome-ignore lint/complexity/useMaxParams: Express knows an error handler by its four parameters
  return (error: unknown, request, response, next) => {
    const status = error !== null && typeof error === 'object' && 'status' in error ? Number(error.status) : 0;
    const code = unreadableCodes[status];
    if (code === undefined) next(error);
    else refuse(deps, { request, response, code });
  };
}
