import { z } from 'zod';
import { Failure } from '../../../order/facts/failure.ts';
import { connectOptions } from '../../connect-options.ts';
import type { StoreAccess, StoreApi, StoreMeans } from '../../contract.ts';
import { NotCalled } from '../../store-failure.ts';
import { mayReadOrders } from '../scopes.ts';
import { ShopAnswered } from '../status-words.ts';
import { accessToken, isGrant, tokensOfCall } from './access-token.ts';
import { type AdminClient, adminClient } from './admin-client.ts';
import { PERSON_WAITS_MS } from './pace.ts';
import { ANY_ORDER } from './queries.ts';
import { changedSince, complete, ordersById } from './read-orders.ts';
import { readsAllOrders, shopAccess } from './shop-access.ts';
import { subscriptions } from './subscriptions.ts';

const SHOWN_MS = 60 * 24 * 3_600_000;

/** The GraphQL Admin API of a shop, with an app's token, or with the id and the secret of an app of the shop's own organisation. */
export const api: StoreApi = {
  ...connectOptions.shopify.api,
  complete,
  identify,
  letsIn,
  changedSince,
  showsSince,
  // The list is of a search index, which follows changes within minutes.
  lagMs: 10 * 60_000,
  storeName,
  ordersById,
  // On the smallest plan they take a quarter of a minute's points.
  ordersAtOnce: 10,
  checkAccess,
  renewGrant,
  subscriptions,
};

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

/** The number that the shop has for good, whatever its domains. */
export async function identify(access: StoreAccess, means: StoreMeans): Promise<string> {
  return (await shopAccess(adminClient(access, means, { waitsMs: PERSON_WAITS_MS }))).shopId;
}

/** The domain by which webhooks name the shop. */
export async function storeName(access: StoreAccess, means: StoreMeans): Promise<string> {
  return (await shopAccess(adminClient(access, means, { waitsMs: PERSON_WAITS_MS }))).domain;
}

/**
 * Who the shop is needs no scope: an app that is installed is told. An app that is not is not throttled, but refused; who is taken for an attack may be
 * either. Throws `NotCalled` for that, and if the app's points are used up here.
 */
export async function letsIn(access: StoreAccess, means: StoreMeans): Promise<void> {
  try {
    await shopAccess(adminClient(access, means, { waitsMs: PERSON_WAITS_MS }));
  } catch (thrown) {
    const status = thrown instanceof ShopAnswered ? thrown.status : null;
    if (status === 430) throw new NotCalled('the shop takes the calls for an attack; it is called again later');
    if (status !== 429) throw thrown;
  }
}

/** Orders of the last 60 days are shown to every app that may read orders; older ones to those with the scope read_all_orders. */
export async function showsSince(access: StoreAccess, means: StoreMeans): Promise<string | null> {
  const showsAll = await readsAllOrders(access, adminClient(access, means));
  return showsAll ? null : new Date(means.now - SHOWN_MS).toISOString();
}

/** Renews the tokens of a grant, unless others than `token` are known since. */
async function renewGrant(access: StoreAccess, means: StoreMeans, token: string): Promise<void> {
  if (isGrant(access)) await accessToken(access, { tokens: tokensOfCall(), ...means }, token);
}
