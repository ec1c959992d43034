import { z } from 'zod';
import type { LocalizedText } from '../../../../contract/messages.ts';
import { Failure } from '../../../order/facts/failure.ts';
import type { AppClient, AppGrant, Granted } from '../../app-grant.ts';
import type { AccessToken, StoreAccess, StoreMeans } from '../../contract.ts';
import type { StoreProblem } from '../../onboarding.ts';
import { StoreFailure } from '../../store-failure.ts';
import { scopesIn } from '../scopes.ts';
import { failureOfRefusal, forMerchant, GrantEnded, type GrantGiven, noToken, type TokenRefusal, tokenRefusal } from './token-refusal.ts';

type Ask = { url: string; given: GrantGiven; body: TokenBody };

type TokenAnswer = { ok: true; token: AccessToken; scopes: string[] } | { ok: false; refusal: TokenRefusal };

/** Anyone who makes a token holds up the others: it is made within this time, or another process tries. */
const LONGEST_MS = 8_000;
/** In Shopify's words; lifetimes in seconds. */
const answer = z.object({
  access_token: z.string().min(1),
  scope: z.string().optional(),
  expires_in: z.number().positive().optional(),
  refresh_token: z.string().min(1).optional(),
});

/** One request for a token. Throws what `fetchJson` throws. */
export async function askToken({ url, given, body }: Ask, { fetchJson, now }: Pick<StoreMeans, 'fetchJson' | 'now'>): Promise<TokenAnswer> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  const { status, body: said } = await fetchJson({ url: `${url}/admin/oauth/access_token`, method: 'POST', body, signal });
  if (status !== 200) return { ok: false, refusal: tokenRefusal(given, { status, body: said }) };
  const read = answer.safeParse(said);
  // Of a refresh both come anew: half of the pair would be the end of the grant.
  if (!read.success || (given === 'refresh' && read.data.refresh_token === undefined))
    return { ok: false, refusal: { isFinal: false, status: null, refused: false, denial: null, said: noToken } };
  return { ok: true, token: tokenOf(read.data, now), scopes: scopesIn(read.data.scope ?? '') };
}

function tokenOf({ access_token: token, expires_in, refresh_token: refreshToken }: z.output<typeof answer>, now: number): AccessToken {
  const expiresAt = expires_in === undefined ? null : new Date(now + expires_in * 1000).toISOString();
  return { token, expiresAt, ...(refreshToken === undefined ? {} : { refreshToken }) };
}

/** The first tokens of a grant. */
export async function exchangeCode({ url, code, app }: Parameters<AppGrant['exchange']>[0], means: Parameters<AppGrant['exchange']>[1]): Promise<Granted> {
  try {
    const answer = await askToken({ url, given: 'code', body: codeBody(app, code) }, means);
    if (answer.ok) return answer;
    return { ok: false, again: !answer.refusal.refused, problem: problemOf(answer.refusal), said: forMerchant(answer.refusal) };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { ok: false, again: true, problem: null, said: noAnswer };
  }
}

/** Anyone who can mend it is not who would approve again. */
function problemOf({ denial }: TokenRefusal): StoreProblem | null {
  if (denial === 'app') return { code: 'app.refused' };
  if (denial === 'frozen') return { code: 'shop.frozen' };
  return denial === 'locked' ? { code: 'shop.locked' } : null;
}

const noAnswer: LocalizedText = {
  en: 'the shop gave no answer; try again in a minute',
  bg: 'магазинът не отговори; опитайте отново след минута',
};

type RefreshMeans = Pick<StoreMeans, 'fetchJson' | 'now' | 'app'>;

/**
 * The next pair of tokens of a grant. An answer that was lost is asked for again with the same refresh token, which is usable until its successor is used.
 * If the known one is refused, its predecessor is tried: a request of it that came late may have put another one in its place. Throws as
 * `StoreApi.complete`, and `GrantEnded` if only the merchant can go on.
 */
export async function refreshGrant(access: StoreAccess, before: AccessToken | null, means: RefreshMeans): Promise<AccessToken> {
  if (before === null) throw new GrantEnded(noGrant);
  const { refreshToken, earlierToken } = before;
  if (refreshToken === undefined) throw new GrantEnded(noRefresh);
  try {
    return await refreshWith(access, refreshToken, means);
  } catch (thrown) {
    if (!(thrown instanceof GrantEnded) || earlierToken === undefined) throw thrown;
    return refreshWith(access, earlierToken, means);
  }
}

async function refreshWith({ url }: StoreAccess, refreshToken: string, { app, ...means }: RefreshMeans): Promise<AccessToken> {
  if (app === undefined) throw new StoreFailure('storefront.refused', noApp, 'app');
  const answer = await askToken({ url, given: 'refresh', body: refreshBody(app, refreshToken) }, means);
  if (!answer.ok) throw failureOfRefusal(answer.refusal);
  return { ...answer.token, earlierToken: refreshToken };
}

const noGrant = 'there is no token that can be read of what the merchant granted; they must approve the app again';
const noRefresh =
  'the shop refuses the app’s token, which can’t be renewed: the app was uninstalled, or its access withdrawn; the merchant must approve the app again';
const noApp = 'the app that the merchant approved is not known here any more, or has no live secret; add it again, or have the merchant approve another one';

/** What is posted to `/admin/oauth/access_token`, as JSON. */
type TokenBody = Readonly<Record<string, string>>;

/** A code of the way back, for a token that expires. */
export function codeBody(app: AppClient, code: string): TokenBody {
  return { ...clientOf(app), code, expiring: '1' };
}

/** The next pair of tokens. */
export function refreshBody(app: AppClient, refreshToken: string): TokenBody {
  return { ...clientOf(app), refresh_token: refreshToken, grant_type: 'refresh_token' };
}

/** A token for a day, for an app of the shop's own organisation. */
export function credentialsBody(app: AppClient): TokenBody {
  return { ...clientOf(app), grant_type: 'client_credentials' };
}

function clientOf({ clientId, clientSecret }: AppClient): TokenBody {
  return { client_id: clientId, client_secret: clientSecret };
}
