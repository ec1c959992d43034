import type { ConsentGiven } from '../../app-grant.ts';
import { percentEncoded } from './percent-encoded.ts';

/** Where the merchant approves the app, for a token that is nobody's session. */
export function consentUrl({ url, clientId, scopes, redirectUrl, state }: ConsentGiven): string {
  const query = percentEncoded([
    ['client_id', clientId],
    ['scope', scopes.join(',')],
    ['redirect_uri', redirectUrl],
    ['state', state],
    ['grant_options[]', ''],
  ]);
  return `${url}/admin/oauth/authorize?${query}`;
}
