import type { Connection } from '../../bridge/connections/connection.ts';
import { hostOf } from '../../bridge/connections/whose-store.ts';
import type { Storefront } from '../../bridge/storefronts/contract.ts';
import { storeHost } from '../../bridge/storefronts/store-host.ts';
import { Refusal } from '../refusal.ts';

/** The host that a person typed, as deliveries name it; an address will do. Refuses one that no delivery of this platform can name. */
export function typedHost(storefront: Storefront, { id, platform }: Pick<Connection, 'id' | 'platform'>, typed: string): string {
  const host = storeHost(typed);
  if (host === null) {
    const none = { en: `${JSON.stringify(typed)} names no host`, bg: `${JSON.stringify(typed)} не е хост` };
    throw new Refusal('invalid', none, { advice: { en: 'give one such as shop.example', bg: 'дайте например shop.example' } });
  }
  if (!storefront.deliveriesNameStore) {
    throw new Refusal('invalid', {
      en: `${id} is a ${platform} store, whose webhooks name no host: all of them are its own`,
      bg: `${id} е магазин на ${platform}, чиито известия не назовават хост: всички са негови`,
    });
  }
  if (hostOf(storefront, `https://${host}`) !== null) return host;
  const { nameHint } = storefront;
  throw new Refusal(
    'invalid',
    { en: `webhooks of a ${platform} store never name ${host}`, bg: `известията на магазин на ${platform} никога не назовават ${host}` },
    nameHint === undefined ? {} : { advice: { en: `give the host that they name, ${nameHint}`, bg: 'дайте хоста, който те назовават' } },
  );
}
