import type { StoreAccess } from '../../bridge/storefronts/contract.ts';
import { insecureWords } from '../../platform/may-carry-secrets.ts';
import { Refusal } from '../refusal.ts';

/** Refuses access to a store's API by an address to which its keys would go in the clear. */
export function refuseInsecure(access: StoreAccess | null, trusted: readonly string[]): void {
  const words = access === null ? null : insecureWords(access.url, trusted);
  if (words === null) return;
  throw new Refusal('invalid', {
    en: `--store-url: ${words}`,
    bg: 'адресът на магазина е http:// и ключовете могат да бъдат прочетени по пътя: използвайте https:// или посочете хоста в TRUSTED_HTTP_HOSTS',
  });
}
