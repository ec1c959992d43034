import type { Request, Response } from 'express';
import { type SignedIn, signedInBy } from '../operations/people/sessions.ts';
import { isSameOrigin } from '../platform/http/request-origin.ts';
import type { ConsoleDeps } from './base/console-deps.ts';

/** Who sent a request; null: nobody who is signed in. `isLook`: a page that is open asks by itself, which keeps nobody signed in. */
export async function whoIs(deps: Pick<ConsoleDeps, 'pool' | 'entry'>, req: Request, look: { isLook?: boolean } = {}): Promise<SignedIn | null> {
  const token = sessionToken(req, deps.entry.url);
  return token === null ? null : signedInBy(deps, token, look);
}

/** As long as a session can last; the server ends it earlier if nobody comes. */
const SECONDS = 7 * 24 * 3_600;

type Names = Readonly<Record<'secure' | 'plain', string>>;
const NAMES: Names = { secure: '__Host-orderbridge', plain: 'orderbridge' };
const PASSAGE_NAMES: Names = { secure: '__Host-orderbridge-oidc', plain: 'orderbridge-oidc' };
const HALF_NAMES: Names = { secure: '__Host-orderbridge-half', plain: 'orderbridge-half' };
const HALF_SECONDS = 600;
/** In which somebody has signed in with their identity provider. */
export const PASSAGE_SECONDS = 600;

/**
 * Is the browser's way to here encrypted? A page of ours that sent a form says so itself. Else it is known of TLS here, of a trusted proxy, and of the
 * address that is published.
 */
function isEncrypted(req: Request, publicUrl: string | null): boolean {
  const sender = isSameOrigin(req) ? URL.parse(req.get('origin') ?? '') : null;
  if (sender !== null) return sender.protocol === 'https:';
  return req.secure || (publicUrl?.startsWith('https:') === true && req.get('host') === new URL(publicUrl).host);
}

/**
 * The token of the session; null: the browser sent none. `__Host-` is a name that browsers take from no other host and over no plain connection, so
 * where the way is known to be encrypted only that counts.
 */
export function sessionToken(req: Request, publicUrl: string | null): string | null {
  return keptIn(req, NAMES, publicUrl);
}

/** What it took along to the identity provider; null: nothing. */
export function passageOf(req: Request, publicUrl: string | null): string | null {
  return keptIn(req, PASSAGE_NAMES, publicUrl);
}

/** The token of a sign-in that lacks a second factor alone; null: there is none. */
export function halfOf(req: Request, publicUrl: string | null): string | null {
  return keptIn(req, HALF_NAMES, publicUrl);
}

function keptIn(req: Request, names: Names, publicUrl: string | null): string | null {
  return cookieOf(req, names.secure) ?? (isEncrypted(req, publicUrl) ? null : cookieOf(req, names.plain));
}

function cookieOf(req: Request, name: string): string | null {
  const pairs = (req.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

/** Signs the browser in. Lax, so that a link in a mail or a chat opens a page. */
export function keepSession(res: Response, { publicUrl, token }: { publicUrl: string | null; token: string }): void {
  setCookie(res, isEncrypted(res.req, publicUrl), { names: NAMES, value: token, seconds: SECONDS });
}

export function dropSession(res: Response, publicUrl: string | null): void {
  drop(res, NAMES, publicUrl);
}

/** Null: it is of no more use. Lax, because the browser brings it back from another site. */
export function keepPassage(res: Response, { publicUrl, passage }: { publicUrl: string | null; passage: string | null }): void {
  if (passage === null) drop(res, PASSAGE_NAMES, publicUrl);
  else setCookie(res, isEncrypted(res.req, publicUrl), { names: PASSAGE_NAMES, value: passage, seconds: PASSAGE_SECONDS });
}

/** Null: it is of no more use. */
export function keepHalf(res: Response, { publicUrl, half }: { publicUrl: string | null; half: string | null }): void {
  if (half === null) drop(res, HALF_NAMES, publicUrl);
  else setCookie(res, isEncrypted(res.req, publicUrl), { names: HALF_NAMES, value: half, seconds: HALF_SECONDS });
}

function drop(res: Response, names: Names, publicUrl: string | null): void {
  setCookie(res, false, { names, value: '', seconds: 0 });
  if (isEncrypted(res.req, publicUrl)) setCookie(res, true, { names, value: '', seconds: 0 });
}

function setCookie(res: Response, isSecure: boolean, { names, value, seconds }: { names: Names; value: string; seconds: number }): void {
  const name = isSecure ? names.secure : names.plain;
  res.append('Set-Cookie', `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`);
}
