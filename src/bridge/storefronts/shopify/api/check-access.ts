import { z } from 'zod';
import { Failure } from '../../../order/failure.ts';
import type { StoreAccess, StoreMeans } from '../../contract.ts';
import { mayReadOrders } from '../scopes.ts';
import { type AdminClient, adminClient } from './admin-client.ts';
import { PERSON_WAITS_MS } from './pace.ts';
import { ANY_ORDER } from './queries.ts';
import { shopAccess } from './shop-access.ts';

/** What keeps the app from reading the shop's orders; a scope to write them is one to read them, too. */
export async function checkAccess(access: StoreAccess, means: StoreMeans): Promise<string[]> {
  try {
    return await problemsOf(adminClient(access, means, { waitsMs: PERSON_WAITS_MS }));
  } catch (thrown) {
    if (thrown instanceof Failure) return [thrown.message.slice(`${thrown.code}: `.length)];
    throw thrown;
  }
}

async function problemsOf(client: AdminClient): Promise<string[]> {
  const { scopes } = await shopAccess(client);
  if (!mayReadOrders(scopes))
    return ['the app lacks the scope read_orders; add it to the app’s configuration, release that version, and install the app again'];
  await client.ask({ query: ANY_ORDER, data: z.object({ orders: z.unknown() }) });
  return [];
}
