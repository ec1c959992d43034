import type { Request, RequestHandler, Response } from 'express';
import { answerAndClose, isBodyLeft } from '../../platform/http/read-body.ts';
import { clientOf, requestIdOf } from '../../platform/http/request-origin.ts';
import { isAppId } from '../connections/connection.ts';
import { type FailureCode, failureWords } from '../order/facts/failure.ts';
import type { Storefronts } from '../storefronts/contract.ts';
import { acceptRequest, type Intaken, type RefusedRequest, type RequestDeps, unavailable, type WebhookPath } from './accept-request.ts';
import { answerStatus } from './answer-status.ts';
import type { KeptHeaders } from './kept-headers.ts';

/** Connections have shorter ids, made of these characters alone: anything else is not looked up. */
const ID = /^[\w-]{1,64}$/;
/** Comes before the id of an app, where addresses of connections have theirs; no connection has this id. */
const APP = 'app';

/** Reads what follows `/webhooks` in an address, with or without a slash at the end; null: it leads nowhere. */
export function webhookPath(path: string): WebhookPath | null {
  const parts = /^\/[^/]+(?:\/([^/]+))?(?:\/([^/]+))?\/?$/.exec(path);
  if (parts === null) return null;
  const [first, second] = [parts[1], parts[2]].map((part) => (part === undefined ? null : decoded(part)));
  const platform = platformIn(path);
  if (first == null) return { platform, connectionId: null, app: null };
  if (first.toLowerCase() === APP) return second != null && isAppId(second.toLowerCase()) ? { platform, connectionId: null, app: second.toLowerCase() } : null;
  return second === null && ID.test(first) ? { platform, connectionId: first, app: null } : null;
}

/** The platform that an address names, in any case, whatever follows; '' if none. */
export function platformIn(path: string): string {
  const [, platform = ''] = path.split('/');
  return decoded(platform).toLowerCase();
}

// An escape that is none, such as %ff, names nothing.
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

type WebhookDeps = RequestDeps & {
  onAnswer(event: WebhookAnswer): void;
  now(): number;
};

export type WebhookAnswer = {
  platform: string;
  connectionId: string | null;
  /** The platform's id of the order that the webhook is about. */
  orderId: string | null;
  /** Its id here; null: it was not handed over. */
  delivery: string | null;
  code: FailureCode | null;
  what: string | null;
  ms: number;
  /** Of the request, as its sender or a proxy named it, or a new one. */
  requestId: string;
  /** The sender's address. */
  client: string | null;
  /** As the headers name it; '' if they do not. */
  topic: string;
  /** Its headers are such as the platform sends. Anybody who knows the address can send them, but nobody does by chance. */
  isPlatforms: boolean;
  /** See `Envelope`. */
  isByModule: boolean;
  /** Of a refused one: the platform's id of the delivery, and the headers that people may see. */
  deliveryId: string | null;
  headers: KeptHeaders;
  /** The error, if the delivery could not be taken because of it. */
  err?: unknown;
};

/**
 * `POST /webhooks/{platform}/{connectionId}`, `POST /webhooks/{platform}/app/{app}` for all stores of an app, and `POST /webhooks/{platform}` for
 * those of the app that the environment names. Addresses that were typed into a store are read leniently: in any case, with or without a slash at the end.
 */
export function webhookRouter(deps: WebhookDeps): RequestHandler {
  return (request, response, next) => (WEBHOOKS.test(request.path) ? handle(deps, request, response) : next());
}

const ROOT = '/webhooks';
const WEBHOOKS = new RegExp(`^${ROOT}(/|$)`, 'i');

async function handle(deps: WebhookDeps, request: Request, response: Response): Promise<void> {
  const began = deps.now();
  const requestId = requestIdOf(request);
  response.setHeader('X-Request-Id', requestId);
  const below = request.path.slice(ROOT.length);
  const path = webhookPath(below);
  const platform = platformIn(below);
  const result = await accept(deps, path, request);
  const { connectionId, code, topic = '', isPlatforms = false, isByModule = false, deliveryId = null, headers = {} } = result;
  // `json` of Express takes longer than all else that it does.
  if (result.code === null) response.setHeader('Content-Type', 'application/json; charset=utf-8').end(JSON.stringify({ accepted: result.what }));
  else reject(request, response, { ...result, words: result.isNowhere === true && path !== null ? unknownAddress(deps.intake.storefronts, path) : null });
  deps.onAnswer({
    // Any other name in an address counts as one platform.
    platform: Object.hasOwn(deps.intake.storefronts, platform) ? platform : 'unknown',
    connectionId,
    code,
    what: result.code === null ? result.what : null,
    orderId: result.code === null ? (result.orderId ?? null) : null,
    delivery: result.code === null ? (result.delivery ?? null) : null,
    ms: deps.now() - began,
    requestId,
    client: clientOf(request),
    topic,
    isPlatforms,
    isByModule,
    deliveryId,
    headers,
    ...(result.code === null || result.err === undefined ? {} : { err: result.err }),
  });
}

/** The storefront repeats a delivery that can't be looked up or stored in time. */
async function accept(deps: WebhookDeps, path: WebhookPath | null, request: Request): Promise<Intaken> {
  if (request.method !== 'POST') return { connectionId: null, code: 'method.not-allowed' };
  if (path === null) return { connectionId: null, code: 'connection.unknown' };
  return acceptRequest(deps, path, request).catch((err: unknown) => unavailable(null, err));
}

/** `words`: more exact ones than those of the code. */
function reject(request: Request, response: Response, { code, retryAfterMs, words }: RefusedRequest & { words: string | null }): void {
  const { means, todo } = failureWords(code);
  if (code === 'method.not-allowed') response.set('Allow', 'POST');
  if (retryAfterMs !== undefined) response.set('Retry-After', String(Math.ceil(retryAfterMs / 1000)));
  response.status(answerStatus(code));
  // Whoever sends is no operator: commands are nothing to them.
  const body = { code, detail: words ?? `${means} ${todo.replace(/ \(`orderbridge [^`]*`\)/, '')}` };
  if (isBodyLeft(request)) answerAndClose(request, response.type('json'), JSON.stringify(body));
  else response.json(body);
}

/** Why an address leads to nothing, and what to do; null: the address itself is right, but there is no such connection. */
function unknownAddress(storefronts: Storefronts, path: WebhookPath): string | null {
  const storefront = Object.hasOwn(storefronts, path.platform) ? storefronts[path.platform] : undefined;
  if (storefront === undefined) {
    const names = Object.keys(storefronts).join(', ');
    return `No platform has the name in this address. Those that do: ${names}. Copy the webhook address that \`orderbridge connect\` printed.`;
  }
  if (path.connectionId !== null) return null;
  if (storefront.appWide === undefined) {
    return 'The address names no connection, and stores of this platform share none. Copy the webhook address that `orderbridge connect` printed.';
  }
  if (path.app !== null) {
    return `No app has the name in this address. \`orderbridge ${storefront.name}-app list\` shows those that do, and \`print\` their addresses.`;
  }
  const { secretVariable } = storefront.appWide;
  return `${secretVariable} is not set here, so the address that all stores of an app share is off. Set it, or use the address that \`orderbridge connect\` printed.`;
}
