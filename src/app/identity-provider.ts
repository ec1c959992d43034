import { type Config, consoleUrl } from '../config/config.ts';
import { IdentityProvider } from '../platform/oidc/identity-provider.ts';

/** Below the address of the console. */
const CALLBACK = '/console/oidc/callback';

/** By whose word people sign in; null: nobody's. It is not called yet. */
export function identityProvider(config: Config): IdentityProvider | null {
  const { oidc = null } = config;
  const base = consoleUrl(config);
  if (oidc === null || base === null) return null;
  const { issuer, clientId, clientSecret, roleClaim } = oidc;
  const wanted = [roleClaim.split('.')[0] ?? roleClaim, 'email'];
  return new IdentityProvider({ issuer, clientId, clientSecret: clientSecret.reveal(), redirectUri: `${base}${CALLBACK}`, wanted });
}
