import { openService } from '../../../src/app/embedded-service.ts';
import type { Role } from '../../../src/config/config.ts';
import { recordedOrdersOf } from '../../../src/operations/service/recorded-orders.ts';
import { Bridge } from './bridge.ts';
import { type Call, type Credentials, callerOf, shopDto } from './compliance-caller.ts';
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

export type Apart = OwnShop & { bridge: Bridge; key: Credentials } & AsyncDisposable;

/** Our own service in a process of its own, with a shop, and orderbridge in another one on the same database, which calls it by COMPLIANCE_API_URL. */
export async function startApart(databaseUrl: string, role: Role): Promise<Apart> {
  await using setup = new AsyncDisposableStack();
  const own = setup.use(await Bridge.start({ databaseUrl, role: 'compliance' }));
  await using service = await openService(own.app.core);
  const key = await service.keys.create({ multiShop: true });
  const call = callerOf(own.app.url, key);
  const shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
  const bridge = setup.use(await Bridge.start({ databaseUrl, complianceUrl: own.app.url, extensions: true, role }));
  const owned = setup.move();
  return { bridge, key, call, shopId, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
