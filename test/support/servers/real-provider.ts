import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { Provider } from 'oidc-provider';
import { OIDC_CLIENT } from './oidc-issuer.ts';

/** A client of another program at the same provider. */
export const OTHER_CLIENT = { id: 'another', secret: 'a secret of another' };

type Claims = Record<string, unknown>;

/** A certified identity provider, with pages of its own where any name and password are taken. */
export type RealProvider = AsyncDisposable & {
  url: string;
  /** What it says of people, by the name with which they sign in. */
  people: Map<string, Claims>;
  /** Given instead of the identity tokens that it makes. */
  replaced: ((token: string) => string) | null;
  /** The newest that it made. */
  token(): string;
  /** From now on it signs with a new key, and no longer knows the one of before. */
  changeKey(): Promise<void>;
};

export async function startRealProvider({ redirectUri }: { redirectUri: string }): Promise<RealProvider> {
  let handle: RequestListener = () => undefined;
  const server = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the provider has no port');
  const url = `http://127.0.0.1:${address.port}`;
  let newest = '';
  const provider: RealProvider = {
    ...{ url, people: new Map(), replaced: null, token: () => newest },
    async changeKey() {
      const made = new Provider(url, configuration({ redirectUri, people: provider.people, key: await newKey() }));
      made.use(async (ctx, next) => {
        await next();
        const said = ctx.body as { id_token?: string } | undefined;
        if (ctx.oidc?.route !== 'token' || said?.id_token === undefined) return;
        newest = said.id_token;
        ctx.body = { ...said, id_token: provider.replaced?.(newest) ?? newest };
      });
      handle = made.callback();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  await provider.changeKey();
  return provider;
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), use: 'sig', alg: 'ES256' };
}

type Configured = { redirectUri: string; people: ReadonlyMap<string, Claims>; key: JWK };

function configuration({ redirectUri, people, key }: Configured): object {
  const client = ({ id, secret }: typeof OIDC_CLIENT) => ({
    ...{ client_id: id, client_secret: secret, redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_post' },
    id_token_signed_response_alg: 'ES256',
  });
  return {
    ...{ clients: [client(OIDC_CLIENT), client(OTHER_CLIENT)], jwks: { keys: [key] }, cookies: { keys: ['a key of cookies'] } },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    pkce: { required: () => true },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: async () => ({ sub: id, ...people.get(id) }) }),
  };
}

/** A browser at the provider: it keeps what that gives it, and does there what a person does. */
export class ProviderBrowser {
  readonly #cookies = new Map<string, string>();
  readonly #login: string;
  /** The pages that somebody was asked on, in their order. */
  asked: string[] = [];

  constructor(login: string) {
    this.#login = login;
  }

  /** Goes where a program sent it, until it is sent back: the address. */
  async visit(address: string): Promise<string> {
    const { origin } = new URL(address);
    let answer = await this.#ask(address);
    for (let at = address; ; ) {
      const location = answer.headers.get('location');
      if (location !== null) {
        at = new URL(location, at).href;
        if (new URL(at).origin !== origin) return at;
        answer = await this.#ask(at);
        continue;
      }
      const page = await answer.text();
      const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
      if (prompt === undefined) throw new Error(`the provider asks nothing: ${answer.status} ${page}`);
      this.asked.push(prompt);
      answer = await this.#ask(at, { prompt, login: this.#login, password: 'any' });
    }
  }

  /** Signs out there. */
  async signOut(issuer: string): Promise<void> {
    const page = await (await this.#ask(`${issuer}/session/end`)).text();
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
    const { status } = await this.#ask(`${issuer}/session/end/confirm`, { xsrf, logout: 'yes' });
    if (status >= 400) throw new Error(`the provider does not sign out: ${status}`);
  }

  async #ask(address: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
    const answer = await fetch(address, { redirect: 'manual', headers: { cookie }, ...sent });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }
}
