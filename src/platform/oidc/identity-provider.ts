import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { AnswerCache } from '../answer-cache.ts';
import { ProviderProblem, problemOf } from './provider-problem.ts';

export type ProviderOptions = {
  /** As the provider names itself. `http` only for tests and development on this machine. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Where the provider sends browsers back to. */
  redirectUri: string;
  /** Without these in the identity's own token, they are asked for where the provider tells more. */
  wanted: readonly string[];
};

/** What a browser keeps until it comes back. `maxAge`: seconds since they signed in there, at most; absent: no matter when. */
export type Passage = { state: string; nonce: string; verifier: string; maxAge?: number };

/** Somebody whom the provider knows; `subject` is who, for ever, at this issuer. `signedInAt`: there; null: it does not say. */
export type Identity = { issuer: string; subject: string; signedInAt: Date | null; claims: Readonly<Record<string, unknown>> };

const SECONDS = { timeout: 8, skew: 60 };
const FRESH_MS = 3_600_000;
/** A code of the library. */
const KEY_UNKNOWN = 'OAUTH_KEY_SELECTION_FAILED';

/** An OpenID Connect provider, by authorization code with PKCE, state and nonce. What it says of itself is read when it is needed first, and hourly. */
export class IdentityProvider {
  readonly #options: ProviderOptions;
  readonly #known = new AnswerCache<Configuration>({ size: 1, freshMs: () => FRESH_MS, now: Date.now });

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  /** As people know it. */
  get host(): string {
    return new URL(this.#options.issuer).host;
  }

  /** Throws `ProviderProblem` if it can't be used. */
  async check(): Promise<void> {
    await this.#configuration();
  }

  /** Where the browser goes, and what it keeps meanwhile. Throws `ProviderProblem`. */
  async begin(asked: Pick<Passage, 'maxAge'> = {}): Promise<{ url: string; passage: Passage }> {
    const configuration = await this.#configuration();
    const passage: Passage = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), ...asked };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.#options.redirectUri,
      scope: this.#scope(configuration),
      ...{ state: passage.state, nonce: passage.nonce },
      ...{ code_challenge: await calculatePKCECodeChallenge(passage.verifier), code_challenge_method: 'S256' },
      ...(asked.maxAge === undefined ? {} : { max_age: String(asked.maxAge) }),
    });
    return { url: url.href, passage };
  }

  /** Who came back; `query`: of the address, with its `?`. Throws `ProviderProblem`. */
  async finish(query: string, { state, nonce, verifier, maxAge }: Passage): Promise<Identity> {
    const configuration = await this.#configuration();
    // Never by the Host header: the provider compares it with what it was told.
    const back = new URL(`${this.#options.redirectUri}${query}`);
    try {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true, ...this.#age(configuration, maxAge) };
      const tokens = await authorizationCodeGrant(configuration, back, checks);
      const claims = tokens.claims();
      if (claims === undefined) throw new ProviderProblem('refused', 'no id token');
      const said = claims.auth_time ?? (maxAge === undefined ? null : claims.iat);
      const signedInAt = said === null ? null : new Date(said * 1000);
      return { issuer: claims.iss, subject: claims.sub, signedInAt, claims: await this.#claimsOf(configuration, claims, tokens.access_token) };
    } catch (thrown) {
      const problem = problemOf(thrown);
      // It signs with a key that it did not have when its keys were read: whoever begins again need not wait until they are old.
      if (problem.code === KEY_UNKNOWN) this.#known.forget();
      throw problem;
    }
  }

  /** A provider that never says when somebody signed in can't be held to it: there, coming back from it is all the proof there is. */
  #age(configuration: Configuration, maxAge: number | undefined): { maxAge?: number } {
    const { claims_supported: known } = configuration.serverMetadata();
    return maxAge === undefined || (known !== undefined && !known.includes('auth_time')) ? {} : { maxAge };
  }

  async #claimsOf(configuration: Configuration, claims: Identity['claims'] & { sub: string }, token: string): Promise<Identity['claims']> {
    const isWhole = this.#options.wanted.every((name) => claims[name] !== undefined);
    if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    const more = await fetchUserInfo(configuration, token, claims.sub);
    // Whether an address is verified is said by anyone who says the address.
    const address = claims['email'] === undefined ? { email: more.email, email_verified: more.email_verified } : { email_verified: claims['email_verified'] };
    return { ...more, ...claims, ...address };
  }

  /** Providers refuse scopes that they don't know; some tell of groups only if asked. */
  #scope(configuration: Configuration): string {
    const { scopes_supported: offered = [] } = configuration.serverMetadata();
    return ['openid', 'email', 'profile', ...this.#options.wanted.filter((name) => name !== 'email' && offered.includes(name))].join(' ');
  }

  async #configuration(): Promise<Configuration> {
    try {
      return await this.#known.get('', () => this.#discovered());
    } catch (thrown) {
      throw problemOf(thrown);
    }
  }

  #discovered(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#options;
    const metadata = { client_secret: clientSecret, [clockTolerance]: SECONDS.skew };
    // The key of the token is checked, too: not only that it came from there.
    const execute = [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])];
    return discovery(new URL(issuer), clientId, metadata, clientAuth(clientSecret), { timeout: SECONDS.timeout, execute });
  }
}

/** In the body if the provider takes that, as most do; else in a header. */
function clientAuth(secret: string): ClientAuth {
  const [inBody, inHeader] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  return (...request) => {
    const [{ token_endpoint_auth_methods_supported: methods = [] }] = request;
    return methods.includes('client_secret_post') ? inBody(...request) : inHeader(...request);
  };
}
