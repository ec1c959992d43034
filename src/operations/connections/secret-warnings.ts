import { type Connection, liveSecrets } from '../../bridge/connections/connection.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { insecureWords } from '../../platform/may-carry-secrets.ts';

/** `wrong`: what does not work because of it. `weak`: what works, and should be better. */
export type SecretWarnings = { wrong: string[]; weak: string[] };

/** What a person should know of the secrets of a connection. `trusted`: hosts to which keys may go over http. */
export function secretWarnings(connection: Connection, trusted: readonly string[]): SecretWarnings {
  const { access, unopened = [] } = connection;
  const insecure = access === null ? null : insecureWords(access.url, trusted);
  const live = liveSecrets(connection, Date.now());
  const { secretAdvice } = storefrontOf(storefronts, connection.platform);
  const advice = secretAdvice === undefined ? [] : live.flatMap((secret) => secretAdvice(secret) ?? []);
  return {
    wrong: [...unopened, ...(insecure === null ? [] : [`the store’s API is not called: ${insecure}`])],
    weak: [...new Set(advice)],
  };
}
