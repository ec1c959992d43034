import type { Connection } from '../../bridge/connections/connection.ts';
import { countFound } from '../../bridge/ledger/watch-store.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { Said } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { webhookAddress } from './webhook-address.ts';

const REMOVED: Said = {
  en: 'The webhooks that it sent here are removed from the store.',
  bg: 'Известията, които магазинът изпращаше тук, са премахнати от него.',
};

/** What a disconnected store still has of us, and where a person deletes it. */
export async function remainsInStore(pool: Pool, { id, platform, access }: Pick<Connection, 'id' | 'platform' | 'access'>): Promise<Said[]> {
  const { remains, api } = storefrontOf(storefronts, platform);
  if (remains === undefined) return [];
  const showsAll = access !== null && api?.subscriptions?.hidesOthers !== true;
  const isRemoved = showsAll && (await countFound(pool, id)) === 0;
  return [isRemoved ? REMOVED : remains.webhooks(webhookAddress('', { platform, id })), ...(access === null ? [] : [remains.key(access)])];
}
