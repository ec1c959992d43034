import { shopsOfMailbox } from '../../bridge/ledger/invitation-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { PROGRAM } from '../../platform/trail/trail.ts';
import { readShop } from '../../service/reading/read-shops.ts';
import { Refusal } from '../refusal.ts';
import type { Onboarding } from './onboarding.ts';
import { saveCompany } from './own-shop.ts';

type Deps = { pool: Pool; service: object | null };

/** `name` null: the service does not say it. */
export type OfferedShop = { shopId: string; destinationId: string; name: string | null };

/** The shops that a merchant may choose: those to which a person invited the same mailbox before. Who comes uninvited is nobody that we know. */
export async function offeredShops({ pool, service }: Deps, { id, email, who }: Pick<Onboarding, 'id' | 'email' | 'who'>): Promise<OfferedShop[]> {
  if (email === null || who === PROGRAM) return [];
  const earlier = await shopsOfMailbox(pool, { email, except: id, program: PROGRAM });
  return Promise.all(earlier.map(async (shop) => ({ ...shop, name: (await nameAtService({ pool, service }, shop.shopId)) ?? shop.name })));
}

/** As our own service has it; null: it is another one's, or not there. */
export async function nameAtService({ pool, service }: Deps, shopId: string): Promise<string | null> {
  return service === null ? null : ((await readShop(pool, { id: shopId }))?.name ?? null);
}

/** His store is to be connected to one of the shops that he may choose. */
export async function chooseShop(deps: Deps, onboarding: Onboarding, shopId: string): Promise<void> {
  const shop = (await offeredShops(deps, onboarding)).find((one) => one.shopId === shopId);
  if (shop === undefined || onboarding.connectionId !== null)
    throw new Refusal('conflict', { en: 'this shop can’t be chosen', bg: 'този обект не може да бъде избран' });
  const { destinationId } = shop;
  await saveCompany(deps, onboarding.id, ({ sent }) => {
    if (sent !== null) throw beingMade();
    return { company: { shop: null }, said: { shopId: shop.shopId, destinationId }, done: true };
  });
}

function beingMade(): Refusal {
  return new Refusal('conflict', {
    en: 'a new shop was asked for by the form of this page: go on with that one',
    bg: 'с формуляра на тази страница вече е поискан нов обект: продължете с него',
  });
}
