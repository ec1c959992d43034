import type { OidcConfig } from '../../../src/config/config.ts';
import { Secret } from '../../../src/config/secret.ts';
import { OIDC_CLIENT, type OidcIssuer, startOidcIssuer } from '../servers/oidc-issuer.ts';
import type { World } from '../worlds/world.ts';
import { type Answer, EnteringBrowser } from './entering-browser.ts';

/** Where browsers reach the console, as the issuer knows it; tests reach it at its own port. */
export const PUBLIC_URL = 'http://console.example';
export const CALLBACK = '/console/oidc/callback';

export function oidcConfig({ url }: Pick<OidcIssuer, 'url'>, changes: Partial<OidcConfig> = {}): OidcConfig {
  const roles = [
    { role: 'owner', value: 'ops-admins' },
    { role: 'operator', value: 'ops' },
    { role: 'accountant', value: 'books' },
    { role: 'viewer', value: 'staff' },
  ] as const;
  return { issuer: url, clientId: OIDC_CLIENT.id, clientSecret: new Secret(OIDC_CLIENT.secret), roleClaim: 'groups', roles, ...changes };
}

export function startIssuer(): Promise<OidcIssuer> {
  return startOidcIssuer({ redirectUri: `${PUBLIC_URL}${CALLBACK}` });
}

/** Somebody of whom the issuer has checked the address. */
export function claimsOf(sub: string, groups: string[], more: Record<string, unknown> = {}): Record<string, unknown> {
  return { sub, groups, email: `${sub}@shop.example`, email_verified: true, name: 'Мария', ...more };
}

/** `again`: they are signed in, and prove who they are once more. */
type Going = { to?: string; answer?: 'agree' | 'decline'; again?: boolean };

/** Begins at the console, agrees (or declines) at the issuer, and comes back with this browser. */
export async function comeBy(browser: EnteringBrowser, issuer: OidcIssuer, going: Going = {}): Promise<Answer> {
  return browser.get(await wayBack(browser, issuer, going));
}

/** The path to which the issuer sends the browser back. */
export async function wayBack(browser: EnteringBrowser, issuer: OidcIssuer, { to = '', answer = 'agree', again = false }: Going = {}): Promise<string> {
  const begun = await browser.get(`/console/oidc?to=${encodeURIComponent(to)}${again ? '&again=1' : ''}`);
  if (begun.status !== 303 || begun.location === null) throw new Error(`the console begins nothing: ${begun.status} ${begun.text}`);
  const { origin, pathname, search } = new URL(await issuer.visit(begun.location, answer));
  if (origin !== PUBLIC_URL) throw new Error(`the issuer sends to ${origin}`);
  return `${pathname}${search}`;
}

let guests = 0;

/** A browser of a network of its own (tries are limited by it), where a proxy says so. */
export function guest({ bridge }: Pick<World, 'bridge'>, headers: Record<string, string> = {}): EnteringBrowser {
  guests += 1;
  return new EnteringBrowser(bridge.app.url, { 'x-forwarded-for': `192.0.2.${guests % 250}`, ...headers });
}
