import type { AppClient } from '../../app-grant.ts';

/** What is posted to `/admin/oauth/access_token`, as JSON. */
export type TokenBody = Readonly<Record<string, string>>;

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
