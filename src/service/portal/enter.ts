import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { clientOf, networkOf } from '../../platform/http/request-origin.ts';
import type { TokenBuckets } from '../../platform/rate-limit.ts';
import { button, formTo } from '../../web/forms.ts';
import { sofiaDay } from '../law/calendar.ts';
import { isOpened } from '../links/link-mail.ts';
import { findLink, formToken, type LinkDeps, type OpeningLink } from '../links/month-link.ts';
import { type PortalMessages, portalMessages } from './messages.ts';
import { type PortalReply, plainPage } from './page-document.ts';
import { type PortalPaths, portalPaths } from './portal-paths.ts';

/** A request that came by a link. `kept`: what its browser keeps, for which a code is good; null: nothing yet. */
export type Visitor = { req: Request; words: PortalMessages; paths: PortalPaths; link: OpeningLink; isExpired: boolean; kept: string | null };

/** Unknown links that one address may open in a minute or so. */
export const UNKNOWN_AT_ONCE = 30;
const UNKNOWN_A_SECOND = 0.5;

/** Who comes by a link; or what is answered to a link that is none, the same whatever is wrong with it. */
export async function enter({ links, unknown }: { links: LinkDeps; unknown: TokenBuckets }, req: Request): Promise<Visitor | PortalReply> {
  const words = wordsOf(req);
  const token = String(req.params['token']);
  const link = await findLink(links.pool, token);
  if (link === null) return unknown.take(networkOf(clientOf(req) ?? ''), UNKNOWN_A_SECOND) === 0 ? unknownLink(words) : tooMany(words);
  const at = links.now();
  const kept = new RegExp(`(?:^|; ?)${cookieName(links)}=([\\w-]{43})(?:;|$)`).exec(req.get('cookie') ?? '')?.[1] ?? null;
  return {
    ...{ req, words, kept },
    paths: portalPaths(links.publicUrl, token, words.lang),
    link: { ...link, isOpened: kept !== null && (await isOpened(links, link, kept)) },
    isExpired: link.expiresOn < sofiaDay(at.toISOString()),
  };
}

/** Longer than a code, and what it opens, are good. */
const KEPT_SECONDS = 3_600;

/** A random number that a browser keeps from its first look at a list on. What a code opened by one link is open by that alone. */
export function keptCookie({ kept }: Visitor, links: LinkDeps): string {
  const value = kept ?? randomBytes(32).toString('base64url');
  return `${cookieName(links)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${KEPT_SECONDS}${isEncrypted(links) ? '; Secure' : ''}`;
}

const isEncrypted = ({ publicUrl }: LinkDeps) => publicUrl.startsWith('https:');
const cookieName = (links: LinkDeps) => `${isEncrypted(links) ? '__Host-' : ''}orderbridge-months`;

/** The same for what a link does not lead to. */
export function unknownLink(words: PortalMessages): PortalReply {
  return { status: 404, page: plainPage(words, words.pages.unknown) };
}

function tooMany(words: PortalMessages): PortalReply {
  return { status: 429, page: plainPage(words, words.pages.tooMany), headers: { 'retry-after': '60' } };
}

/** Says nothing of shop, month or address: who has an old link is not known. */
export function expiredLink({ words, paths, link }: Visitor, { sealing }: LinkDeps): PortalReply {
  const action = formTo(paths.renew, { hidden: { form: formToken(sealing, link.id) }, buttons: [button(words.renew)] });
  return { status: 410, page: plainPage(words, words.pages.expired, action) };
}

/** The words of the language that the address names, or else the browser; Bulgarian for every other. */
export function wordsOf(req: Request): PortalMessages {
  const named = req.query['lang'];
  const wanted = named === 'bg' || named === 'en' ? named : req.acceptsLanguages('bg', 'en');
  return portalMessages[wanted === 'en' ? 'en' : 'bg'];
}
