import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import express, { type Request, type Response } from 'express';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';

export const OIDC_CLIENT = { id: 'orderbridge', secret: 'a secret of the client' };

type Claims = Record<string, unknown>;
type Grant = { challenge: string; nonce: string; redirectUri: string; claims: Claims };

/** What goes wrong there. `token`: changes what the identity token says. `isForged`: it is signed with a key that nobody knows. `alg`: not as the metadata says. */
export type IssuerFaults = { isDown?: boolean; token?: (claims: JWTPayload) => JWTPayload; isForged?: boolean; alg?: 'none' | 'HS256' };

/** An identity provider for tests that is strict: exact redirect address, S256, state and nonce asked for, codes that work once and for one verifier. */
export type OidcIssuer = AsyncDisposable & {
  url: string;
  /** Who sits before the browser: what is said of them, their `sub` among it. */
  user: Claims;
  /** What is told at the userinfo endpoint alone. */
  more: Claims;
  faults: IssuerFaults;
  /** As it is asked for, of each authorization. */
  scopes: string[];
  /** Goes where the program sent the browser, and agrees there, or declines; the address to which it is sent back. */
  visit(address: string, answer?: 'agree' | 'decline'): Promise<string>;
};

type Keys = Awaited<ReturnType<typeof makeKeys>>;

async function makeKeys() {
  const [known, unknown] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  return { known, unknown, jwk: { ...(await exportJWK(known.publicKey)), kid: 'k1', use: 'sig', alg: 'ES256' } };
}

/** `redirectUri`: the only one that is registered. */
export async function startOidcIssuer({ redirectUri }: { redirectUri: string }): Promise<OidcIssuer> {
  const keys = await makeKeys();
  const app = express();
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the issuer has no port');
  const url = `http://127.0.0.1:${address.port}`;
  const issuer: OidcIssuer = {
    ...{ url, user: { sub: 'maria-1' }, more: {}, faults: {}, scopes: [] },
    visit: (at, answer = 'agree') => visit(at, answer),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  app.use((_request, response, next) => (issuer.faults.isDown === true ? void response.status(503).end() : next()));
  app.get('/.well-known/openid-configuration', (_request, response) => void response.json(metadataOf(url)));
  app.get('/jwks', (_request, response) => void response.json({ keys: [keys.jwk] }));
  addGrants(app, issuer, { keys, redirectUri });
  return issuer;
}

function metadataOf(url: string) {
  return {
    ...{
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      userinfo_endpoint: `${url}/userinfo`,
      jwks_uri: `${url}/jwks`,
    },
    ...{ response_types_supported: ['code'], subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['ES256'] },
    ...{ scopes_supported: ['openid', 'email', 'profile', 'groups'], code_challenge_methods_supported: ['S256'] },
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** As a person does without script: the page of the issuer, then one of its two links. */
async function visit(at: string, answer: 'agree' | 'decline'): Promise<string> {
  const page = await fetch(at, { redirect: 'manual' });
  const [, path] = new RegExp(`href="([^"]+)">${answer}<`).exec(await page.text()) ?? [];
  if (path === undefined) throw new Error(`the issuer asks nothing: ${page.status}`);
  const sent = await fetch(new URL(path, at), { redirect: 'manual' });
  const location = sent.headers.get('location');
  if (location === null) throw new Error(`the issuer sends nobody back: ${sent.status}`);
  return location;
}

type Served = { keys: Keys; redirectUri: string };

function addGrants(app: express.Express, issuer: OidcIssuer, { keys, redirectUri }: Served): void {
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, Claims>();
  app.get('/authorize', (request, response) => askPerson(issuer, redirectUri, { request, response }));
  app.get('/agree', ({ query: { state, nonce, code_challenge: challenge } }, response) => {
    const code = randomBytes(16).toString('hex');
    grants.set(code, { challenge: String(challenge), nonce: String(nonce), redirectUri, claims: { ...issuer.user } });
    sendBack(response, redirectUri, { code, state: String(state), iss: issuer.url });
  });
  app.get('/decline', ({ query: { state } }, response) => {
    const said = `${issuer.user['email']} declined <script>alert(1)</script>`;
    sendBack(response, redirectUri, { error: 'access_denied', error_description: said, state: String(state), iss: issuer.url });
  });
  app.post('/token', express.urlencoded({ extended: false }), async ({ body }, response) => {
    const grant = grants.get(body.code);
    grants.delete(body.code);
    if (body.client_id !== OIDC_CLIENT.id || body.client_secret !== OIDC_CLIENT.secret) return void response.status(401).json({ error: 'invalid_client' });
    if (grant === undefined || !fits(grant, body)) return void response.status(400).json({ error: 'invalid_grant' });
    const access = randomBytes(16).toString('hex');
    tokens.set(access, { sub: grant.claims['sub'], ...issuer.more });
    response.json({ access_token: access, token_type: 'Bearer', expires_in: 60, id_token: await idToken(issuer, keys, grant) });
  });
  app.get('/userinfo', (request, response) => {
    const told = tokens.get(request.get('authorization')?.replace('Bearer ', '') ?? '');
    if (told === undefined) return void response.status(401).end();
    response.json(told);
  });
}

type Asked = { request: Request; response: Response };

function askPerson(issuer: OidcIssuer, redirectUri: string, { request: { query }, response }: Asked): void {
  const isRight =
    query['client_id'] === OIDC_CLIENT.id &&
    query['redirect_uri'] === redirectUri &&
    query['response_type'] === 'code' &&
    query['code_challenge_method'] === 'S256';
  const isGuarded = ['state', 'nonce', 'code_challenge'].every((name) => String(query[name] ?? '').length >= 32);
  if (!isRight || !isGuarded) return void response.status(400).send('this request is not taken');
  issuer.scopes.push(String(query['scope']));
  const rest = new URLSearchParams({ state: String(query['state']), nonce: String(query['nonce']), code_challenge: String(query['code_challenge']) });
  const link = (name: string) => `<a href="/${name}?${rest}">${name}</a>`;
  response.send(`<!doctype html><title>Issuer</title><h1>Sign in as Maria?</h1>${link('agree')} ${link('decline')}`);
}

function sendBack(response: Response, to: string, values: Record<string, string>): void {
  response.redirect(302, `${to}?${new URLSearchParams(values)}`);
}

function fits({ challenge, redirectUri }: Grant, body: Record<string, string>): boolean {
  const verifier = createHash('sha256')
    .update(body['code_verifier'] ?? '')
    .digest('base64url');
  return verifier === challenge && body['redirect_uri'] === redirectUri && body['grant_type'] === 'authorization_code';
}

async function idToken({ url, faults }: OidcIssuer, { known, unknown }: Keys, { nonce, claims }: Grant): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const said: JWTPayload = { ...claims, iss: url, aud: OIDC_CLIENT.id, iat: now, exp: now + 300, nonce };
  const payload = faults.token?.(said) ?? said;
  if (faults.alg === 'none') return new UnsecuredJWT(payload).encode();
  if (faults.alg === 'HS256') return new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(OIDC_CLIENT.secret.padEnd(32)));
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign((faults.isForged === true ? unknown : known).privateKey);
}
