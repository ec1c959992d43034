import { z } from 'zod';
import type { AccessToken, StoreMeans } from '../../contract.ts';
import { scopesIn } from './scopes.ts';
import type { TokenBody } from './token-bodies.ts';
import { type Given, noToken, type TokenRefusal, tokenRefusal } from './token-refusal.ts';

type TokenMeans = Pick<StoreMeans, 'fetchJson' | 'now'>;
type Ask = { url: string; given: Given; body: TokenBody };

export type TokenAnswer = { ok: true; token: AccessToken; scopes: string[] } | { ok: false; refusal: TokenRefusal };

/** Whoever makes a token holds up the others: it is made within this time, or another process tries. */
const LONGEST_MS = 8_000;
/** In Shopify's words; lifetimes in seconds. */
const answer = z.object({
  access_token: z.string().min(1),
  scope: z.string().optional(),
  expires_in: z.number().positive().optional(),
  refresh_token: z.string().min(1).optional(),
  refresh_token_expires_in: z.number().positive().optional(),
});

/** One request for a token. Throws what `fetchJson` throws. */
export async function askToken({ url, given, body }: Ask, { fetchJson, now }: TokenMeans): Promise<TokenAnswer> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  const { status, body: said } = await fetchJson({ url: `${url}/admin/oauth/access_token`, method: 'POST', body, signal });
  if (status !== 200) return { ok: false, refusal: tokenRefusal(given, { status, body: said }) };
  const read = answer.safeParse(said);
  // Of a refresh both come anew: half of the pair would be the end of the grant.
  if (!read.success || (given === 'refresh' && read.data.refresh_token === undefined))
    return { ok: false, refusal: { isFinal: false, status: null, refused: false, denial: null, said: noToken } };
  return { ok: true, token: tokenOf(read.data, now), scopes: scopesIn(read.data.scope ?? '') };
}

function tokenOf({ access_token: token, expires_in, refresh_token, refresh_token_expires_in }: z.output<typeof answer>, now: number): AccessToken {
  const until = (seconds: number | undefined) => (seconds === undefined ? null : new Date(now + seconds * 1000).toISOString());
  const renewal = refresh_token === undefined ? {} : { refreshToken: refresh_token, refreshExpiresAt: until(refresh_token_expires_in) };
  return { token, expiresAt: until(expires_in), ...renewal };
}
