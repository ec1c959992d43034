import type { Connection } from '../../bridge/connections/connection.ts';
import { hostOf } from '../../bridge/connections/whose-store.ts';
import type { Storefront } from '../../bridge/storefronts/contract.ts';
import { storeHost } from '../../bridge/storefronts/store-host.ts';
import { Refusal } from '../refusal.ts';

/** The host that a person typed, as deliveries name it; an address will do. Refuses one that no delivery of this platform can name. */
export function typedHost(storefront: Storefront, { id, platform }: Pick<Connection, 'id' | 'platform'>, typed: string): string {
  const host = storeHost(typed);
  if (host === null) throw new Refusal('invalid', `${JSON.stringify(typed)} names no host`, { advice: 'give one such as shop.example' });
  if (!storefront.deliveriesNameStore) throw new Refusal('invalid', `${id} is a ${platform} store, whose webhooks name no host: all of them are its own`);
  if (hostOf(storefront, `https://${host}`) !== null) return host;
  const { nameHint } = storefront;
  throw new Refusal(
    'invalid',
    `webhooks of a ${platform} store never name ${host}`,
    nameHint === undefined ? {} : { advice: `give the host that they name, ${nameHint}` },
  );
}
