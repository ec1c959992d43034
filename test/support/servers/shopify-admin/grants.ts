import { randomBytes } from 'node:crypto';
import type { Json } from './json.ts';
import { namedScopes } from './shopify-app.ts';

export type Bucket = { maximumAvailable: number; currentlyAvailable: number; restoreRate: number };

type Chained = { endsAt: number; usedAt: number | null; before: string | null; isDead: boolean };

/** An app in a shop: what it may do there, and the tokens that are good. `accessTokens`: until when, null for good. */
export type Installation = {
  clientId: string;
  scopes: string[];
  bucket: Bucket;
  accessTokens: Map<string, number | null>;
  refreshTokens: Map<string, Chained>;
};

type Lifetimes = { now(): number; accessSeconds: number; refreshSeconds: number; bucket: Bucket };
type Code = { clientId: string; endsAt: number };

const CODE_MS = 60_000;
const DAY_MS = 86_400_000;
/** An old refresh token ends so long after its first use at the latest. */
const AFTER_USE_MS = 30 * DAY_MS;

/** The apps in one shop, and their grants. */
export class Grants {
  readonly installations = new Map<string, Installation>();
  readonly #codes = new Map<string, Code>();
  readonly #of: () => Lifetimes;

  constructor(of: () => Lifetimes) {
    this.#of = of;
  }

  /** Installs it, or changes what it may do. */
  install(clientId: string, scopes: readonly string[]): Installation {
    const known = this.installations.get(clientId);
    const installation = known ?? { clientId, scopes: [], bucket: { ...this.#of().bucket }, accessTokens: new Map(), refreshTokens: new Map() };
    installation.scopes = namedScopes(scopes);
    this.installations.set(clientId, installation);
    return installation;
  }

  /** All its tokens and codes are dead. */
  uninstall(clientId: string): void {
    this.installations.delete(clientId);
    for (const [code, of] of this.#codes) if (of.clientId === clientId) this.#codes.delete(code);
  }

  /** The app that this token lets in. */
  holderOf(token: string): (Installation & { lasts: boolean }) | null {
    for (const installation of this.installations.values()) {
      const until = installation.accessTokens.get(token);
      if (until === null) return { ...installation, lasts: true };
      if (until !== undefined && until > this.#of().now()) return { ...installation, lasts: false };
    }
    return null;
  }

  /** Good for 60 seconds, and once. */
  newCode(clientId: string): string {
    const code = randomBytes(16).toString('hex');
    this.#codes.set(code, { clientId, endsAt: this.#of().now() + CODE_MS });
    return code;
  }

  byCode(clientId: string, code: string, expiring: boolean): Json | null {
    const known = this.#codes.get(code);
    const installation = this.installations.get(clientId);
    if (known?.clientId !== clientId || installation === undefined) return null;
    this.#codes.delete(code);
    if (known.endsAt < this.#of().now()) return null;
    return this.#granted(installation, expiring);
  }

  /** The old token stays usable until its successor is used. */
  byRefreshToken(clientId: string, text: string): Json | null {
    const installation = this.installations.get(clientId);
    const known = installation?.refreshTokens.get(text);
    const now = this.#of().now();
    if (installation === undefined || known === undefined || known.isDead || known.endsAt <= now) return null;
    if (known.usedAt !== null && now - known.usedAt > AFTER_USE_MS) return null;
    known.usedAt ??= now;
    for (const [other, one] of installation.refreshTokens) if (isReplacedBy(text, known, { other, one })) one.isDead = true;
    return this.#pair(installation, text);
  }

  byClientCredentials(clientId: string, seconds: number): Json | null {
    const installation = this.installations.get(clientId);
    if (installation === undefined) return null;
    const token = newToken('shpat_');
    installation.accessTokens.set(token, this.#of().now() + seconds * 1000);
    return { access_token: token, scope: installation.scopes.join(','), expires_in: seconds };
  }

  /** Ends the time of all access tokens; refresh tokens stay. */
  expire(clientId: string): void {
    for (const [token, until] of this.installations.get(clientId)?.accessTokens ?? []) {
      if (until !== null) this.installations.get(clientId)?.accessTokens.delete(token);
    }
  }

  /** A new grant ends all others of the app in this shop. One that does not expire is the same each time. */
  #granted(installation: Installation, expiring: boolean): Json {
    for (const one of installation.refreshTokens.values()) one.isDead = true;
    if (expiring) return this.#pair(installation, null);
    const lasting = [...installation.accessTokens].find(([, until]) => until === null)?.[0] ?? newToken('shpat_');
    installation.accessTokens.set(lasting, null);
    return { access_token: lasting, scope: installation.scopes.join(',') };
  }

  #pair({ accessTokens, refreshTokens, scopes }: Installation, before: string | null): Json {
    const { now, accessSeconds, refreshSeconds } = this.#of();
    const [access, refresh] = [newToken('shpat_'), newToken('shprt_')];
    accessTokens.set(access, now() + accessSeconds * 1000);
    refreshTokens.set(refresh, { endsAt: now() + refreshSeconds * 1000, usedAt: null, before, isDead: false });
    const lifetimes = { expires_in: accessSeconds, refresh_token_expires_in: refreshSeconds };
    return { access_token: access, scope: scopes.join(','), refresh_token: refresh, ...lifetimes };
  }
}

/** What a refresh token's use ends: its predecessor, and the siblings that came of answers which were lost. */
function isReplacedBy(text: string, { before }: Chained, { other, one }: { other: string; one: Chained }): boolean {
  return before !== null && other !== text && (other === before || one.before === before);
}

function newToken(prefix: string): string {
  return `${prefix}${randomBytes(16).toString('hex')}`;
}
