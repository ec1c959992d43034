import { z } from 'zod';
import type { StoreAccess } from '../../contract.ts';
import { digestOf } from '../../hmac.ts';
import type { AdminClient } from './admin-client.ts';
import { Remembered } from './pace.ts';
import { ACCESS } from './queries.ts';
import { gid } from './shapes.ts';

const data = z.object({
  shop: z.object({ id: gid, myshopifyDomain: z.string().min(1) }),
  currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }),
});

/** Who the shop is, and what its app may do there. */
export type ShopAccess = { shopId: string; domain: string; scopes: string[] };

export async function shopAccess(client: AdminClient): Promise<ShopAccess> {
  const { shop, currentAppInstallation } = (await client.ask({ query: ACCESS, data })).data;
  return { shopId: shop.id, domain: shop.myshopifyDomain.toLowerCase(), scopes: currentAppInstallation.accessScopes.map(({ handle }) => handle) };
}

/** For so long it is remembered that the app may read all orders. */
const REMEMBERED_MS = 3_600_000;
const MOST_REMEMBERED = 1000;
const remembered = new Remembered<{ all: boolean; until: number }>(MOST_REMEMBERED);

/** May the app read orders of more than the last 60 days? */
export async function readsAllOrders(access: StoreAccess, client: AdminClient): Promise<boolean> {
  const key = digestOf(access);
  const known = remembered.get(key);
  if (known !== undefined && known.until > Date.now()) return known.all;
  const { scopes } = await shopAccess(client);
  const all = scopes.includes('read_all_orders');
  remembered.set(key, { all, until: Date.now() + REMEMBERED_MS });
  return all;
}
