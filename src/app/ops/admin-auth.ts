import { timingSafeEqual } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { DashboardPass } from '../../console/dashboard-pass.ts';
import { networkOf, originOf, type RequestOrigin } from '../../platform/http/request-origin.ts';

/** foreign: sent by a page of another site. type: a body that is not JSON, as forms send it. method: it would change something. session: nobody is signed in. */
export const ADMIN_REFUSALS = ['foreign', 'type', 'method', 'password', 'throttled', 'session'] as const;
type AdminRefusal = (typeof ADMIN_REFUSALS)[number];

export type RefusedAdmin = RequestOrigin & { why: AdminRefusal; method: string };

export type AdminAuthDeps = {
  /** The password, with any user name; null: none opens it. */
  token: string | null;
  /** Who is signed in to the console at the same address; null: there is none. */
  pass: DashboardPass | null;
  throttle: PasswordThrottle;
  onRefused(refused: RefusedAdmin): void;
};

const answers = {
  foreign: { status: 403, detail: 'A page of another site sent this request.' },
  type: { status: 415, detail: 'Only application/json is taken here.' },
  method: { status: 405, detail: 'The dashboard only shows; `orderbridge` commands change things.' },
  password: { status: 401, detail: 'Any user name, ADMIN_TOKEN as the password.' },
  session: { status: 401, detail: 'Sign in at /console.' },
  throttled: { status: 429, detail: 'Too many wrong passwords. Try again after the time in Retry-After.' },
} as const satisfies Record<AdminRefusal, { status: number; detail: string }>;

const codes = {
  foreign: 'foreign',
  type: 'body.wrong-type',
  method: 'method.not-allowed',
  password: 'unauthorized',
  throttled: 'throttled',
  session: 'unauthorized',
} as const satisfies Record<AdminRefusal, string>;

/** Lets those through who only look, come from no other site, and know the password or are signed in. */
export function adminAuth(deps: AdminAuthDeps): RequestHandler {
  const expected = deps.token === null ? null : Buffer.from(deps.token);
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const why = bySender(request) ?? (await byPerson(deps, { request, response, expected })) ?? byMethod(request);
    if (why === null) return next();
    if (why === 'answered') return;
    refuse(response, why);
    // A browser's first request has no password yet.
    if (why === 'session' || (why === 'password' && request.get('authorization') === undefined)) return;
    deps.onRefused({ ...originOf(request, response), why, method: request.method });
  };
}

/** A password that is given counts; else who is signed in. */
async function byPerson(deps: AdminAuthDeps, attempt: Attempt): Promise<AdminRefusal | 'answered' | null> {
  const { pass } = deps;
  const { request, response, expected } = attempt;
  if (pass === null || (expected !== null && request.get('authorization') !== undefined)) return byPassword(deps, attempt);
  // Without the database nobody is signed in; the password, and the sign-in's own page, are still there.
  const seen = await pass.look(request).catch(() => 'nobody' as const);
  if (seen === 'may') return null;
  if (seen === 'nobody' && expected !== null) return byPassword(deps, attempt);
  const isPage = isReading(request) && request.accepts(['json', 'html']) === 'html';
  if (seen === 'nobody' && !isPage) return 'session';
  if (seen === 'nobody') pass.lead(response);
  else await pass.refuse(request, response);
  return 'answered';
}

function refuse(response: Response, why: AdminRefusal): void {
  const { status, detail } = answers[why];
  if (why === 'password') response.set('WWW-Authenticate', 'Basic realm="orderbridge", charset="UTF-8"');
  if (why === 'method') response.set('Allow', 'GET, HEAD');
  response.status(status).json({ code: codes[why], detail });
}

/** Before the password is looked at: browsers attach it to whatever a foreign page makes them send. */
function bySender(request: Request): AdminRefusal | null {
  if (isForeign(request)) return 'foreign';
  return isReading(request) || request.is('application/json') ? null : 'type';
}

function byMethod(request: Request): AdminRefusal | null {
  return isReading(request) ? null : 'method';
}

function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function isForeign(request: Request): boolean {
  const origin = request.get('origin');
  if (origin !== undefined && URL.parse(origin)?.host !== request.get('host')) return true;
  const site = request.get('sec-fetch-site') ?? 'none';
  // A link on another site may lead here: it opens the page, and the other site sees nothing of it.
  const isLink = isReading(request) && request.get('sec-fetch-mode') === 'navigate' && request.get('sec-fetch-dest') === 'document';
  return site !== 'same-origin' && site !== 'none' && !isLink;
}

type Attempt = { request: Request; response: Response; expected: Buffer | null };

function byPassword({ throttle }: AdminAuthDeps, { request, response, expected }: Attempt): AdminRefusal | null {
  const given = passwordOf(request);
  if (given === null) return 'password';
  const address = request.ip ?? '';
  const waitMs = throttle.waitMs(address);
  if (waitMs > 0) {
    response.set('Retry-After', String(Math.ceil(waitMs / 1000)));
    return 'throttled';
  }
  const isRight = expected !== null && given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
  if (isRight) throttle.succeeded(address);
  else throttle.failed(address);
  return isRight ? null : 'password';
}

function passwordOf(request: Request): Buffer | null {
  const header = request.get('authorization');
  if (header === undefined) return null;
  const [, encoded = ''] = /^Basic (\S+)$/i.exec(header) ?? [];
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  return Buffer.from(pair.replace(/^[^:]*:/, ''));
}

type PasswordThrottleOptions = {
  /** ms, never going back */
  now(): number;
  /** How many addresses are remembered; the one that failed longest ago goes first. */
  size?: number;
};

/** Wrong passwords of one address that cost it nothing. */
const FREE = 5;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
const FORGOTTEN_AFTER_MS = 15 * 60_000;
/** Wrong passwords of all addresses in a minute, from which on each address has one alone. */
const MANY = 100;
const MINUTE_MS = 60_000;

/**
 * Slows those who guess the password: after five failures an address waits, twice as long after each, up to a minute. While many addresses guess, one
 * that failed waits a minute at once; an address that never failed may always try, so that nobody is locked out by others.
 */
export class PasswordThrottle {
  readonly #now: () => number;
  readonly #size: number;
  readonly #failures = new Map<string, { count: number; lastAt: number }>();
  /** Of the minute that began at `since`. */
  #all = { since: Number.NEGATIVE_INFINITY, count: 0 };

  constructor({ now, size = 10_000 }: PasswordThrottleOptions) {
    this.#now = now;
    this.#size = size;
  }

  /** Milliseconds until this address may try again; 0: now. */
  waitMs(address: string): number {
    const key = networkOf(address);
    const known = this.#failures.get(key);
    if (known === undefined) return 0;
    const passed = this.#now() - known.lastAt;
    if (passed >= FORGOTTEN_AFTER_MS) {
      this.#failures.delete(key);
      return 0;
    }
    return Math.max(0, this.#waitAfter(known.count) - passed);
  }

  failed(address: string): void {
    const key = networkOf(address);
    const now = this.#now();
    const count = (this.#failures.get(key)?.count ?? 0) + 1;
    this.#failures.delete(key);
    this.#failures.set(key, { count, lastAt: now });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > this.#size && oldest !== undefined) this.#failures.delete(oldest);
    if (now - this.#all.since >= MINUTE_MS) this.#all = { since: now, count: 0 };
    this.#all.count += 1;
  }

  succeeded(address: string): void {
    this.#failures.delete(networkOf(address));
  }

  #waitAfter(count: number): number {
    const isCrowded = this.#all.count >= MANY && this.#now() - this.#all.since < MINUTE_MS;
    if (isCrowded) return LONGEST_WAIT_MS;
    return count < FREE ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (count - FREE), LONGEST_WAIT_MS);
  }
}
