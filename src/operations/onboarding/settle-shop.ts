import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { findOnboarding } from '../../bridge/ledger/onboarding-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { Refusal } from '../refusal.ts';
import { type GivenShopDeps, givenShop } from './given-shop.ts';
import { knownInvitation } from './invitations.ts';
import { companyOf, saveCompany } from './own-shop.ts';

type Deps = GivenShopDeps & { pool: Pool };
type Settling = { id: string; shopId: string | null; by: Actor };

/** A person looked whether the service made a merchant's shop, after its answer was lost: this one; or null: it made none, and may be asked again. */
export async function settleShop(deps: Deps, { id: named, shopId, by }: Settling): Promise<void> {
  const { id } = await knownInvitation(deps, named);
  const stored = await findOnboarding(deps.pool, id);
  const { sent, shop } = stored === null ? { sent: null, shop: null } : companyOf(stored);
  if (sent === null || shop !== null)
    throw new Refusal('conflict', { en: 'no shop of this merchant is in doubt', bg: 'няма съмнение за обекта на този търговец' });
  const given = shopId === null ? null : await givenShop(deps, shopId);
  await saveCompany(deps, id, () =>
    given === null ? { company: { sent: null, sentAt: null, press: null } } : { company: { shop: given.shopId }, said: given, done: true },
  );
  await writeBridgeActs(deps.pool, [{ who: by, act: 'invitation.shop', subject: id, after: { shopId: given?.shopId ?? null } }]);
}
