/** How a merchant lets an app into their store by approving it there (OAuth 2), so that no page names a platform. */
import type { LocalizedText } from '../../contract/messages.ts';
import type { AccessToken, StoreAccess, StoreMeans } from './contract.ts';
import type { StoreProblem } from './onboarding.ts';

/** By what an app proves at a store that it is itself. */
export type AppClient = { clientId: string; clientSecret: string };

/**
 * What the platform sends a browser with, signed with the app's secret. `url`: of the store's API. `state` null: an install that begins at the platform;
 * else the way back from the consent page, `code` null if the merchant did not approve. malformed: it is not such a query. unsigned: no secret signed it.
 * stale: one did, but not now.
 */
export type GrantQuery = { ok: true; url: string; code: string | null; state: string | null } | { ok: false; why: 'malformed' | 'unsigned' | 'stale' };

/** `scopes`: what the merchant granted, which may be less than what was asked for. `again`: the same request may work later. `problem`: which it is, if it is one with words of its own. */
export type Granted =
  | { ok: true; token: AccessToken; scopes: readonly string[] }
  | { ok: false; again: boolean; problem: StoreProblem | null; said: LocalizedText };

export type ConsentGiven = { url: string; clientId: string; scopes: readonly string[]; redirectUrl: string; state: string };

/** A store as it calls itself: `identity` stays whatever its domains; `scopes`: what the app may do there now. */
export type StoreSelf = { ok: true; identity: string; store: string; scopes: readonly string[] } | { ok: false; problem: StoreProblem };

export type AppGrant = {
  /** The address of a store's API by what somebody typed; null: it can't be a store of this platform. */
  storeUrl(typed: string): string | null;
  /** `query`: as it came, without its question mark. `secrets`: of the app. `now`: ms since 1970. */
  readQuery(query: string, secrets: readonly string[], now: number): GrantQuery;
  /** Where the browser is sent, so that the merchant approves. `url` is one that this gave. */
  consentUrl(given: ConsentGiven): string;
  /** Changes a code of the way back for a token that expires. Each code works once. What it says is for the merchant. Throws only what is a defect. */
  exchange(given: { url: string; code: string; app: AppClient }, means: Pick<StoreMeans, 'fetchJson' | 'now'>): Promise<Granted>;
  /** Those that were asked for and not granted: a right to write is one to read, too. */
  lacking(asked: readonly string[], granted: readonly string[]): string[];
  /** Who the store is. Throws only what is a defect. */
  whoIs(access: StoreAccess, means: StoreMeans): Promise<StoreSelf>;
};
