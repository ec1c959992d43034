import { recordedOrdersOf } from '../../../src/operations/service/recorded-orders.ts';
import { type Call, callerOf, shopDto } from './compliance-caller.ts';
import type { World } from './world.ts';

export type OwnShop = { shopId: string; call: Call };

/** A shop of our own service, and a caller with the key that made it. */
export async function ownShop({ bridge }: Pick<World, 'bridge'>): Promise<OwnShop> {
  const embedded = await bridge.app.core.destinations.find(await bridge.embeddedDestinationId());
  if (embedded === null) throw new Error('there is no embedded service');
  const call = callerOf(bridge.app.url, embedded.credentials);
  return { shopId: String((await call('POST', '/shop', { body: shopDto() })).body['id']), call };
}

/** The orders that are recorded in a shop of our own service, each as its `internalId` and total. */
export async function standingIn({ bridge }: Pick<World, 'bridge'>, { shopId }: Pick<OwnShop, 'shopId'>): Promise<string[]> {
  const { orders } = await recordedOrdersOf(bridge, { shop: shopId, limit: 100 });
  return orders.map(({ internalId, total }) => `${internalId}: ${total.toFixed(2)}`).toSorted();
}
