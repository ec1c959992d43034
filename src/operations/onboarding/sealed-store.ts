import { z } from 'zod';
import type { AccessToken, StoreAccess } from '../../bridge/storefronts/contract.ts';
import type { Place, Sealer } from '../../platform/seal.ts';
import type { Onboarding } from './onboarding.ts';

const token = z.object({
  token: z.string(),
  expiresAt: z.string().nullable(),
  refreshToken: z.string().exactOptional(),
  refreshExpiresAt: z.string().nullable().exactOptional(),
  earlierToken: z.string().exactOptional(),
});
const content = z.object({
  access: z.record(z.string(), z.string()).nullable(),
  secret: z.string().exactOptional(),
  granted: z.object({ token, identity: z.string() }).exactOptional(),
});

/**
 * What is kept of a store until it has a connection: its keys, and the secret that its webhooks will be signed with. `granted`: the tokens of an app that its
 * merchant approved, and the platform's own id of the store.
 */
export type SealedStore = { access: StoreAccess | null; secret?: string; granted?: { token: AccessToken; identity: string } };

const placeOf = (id: string): Place => ({ table: 'bridge.onboardings', column: 'sealed', id });

export function sealStore(sealer: Sealer, id: string, store: SealedStore): string {
  return sealer.seal(JSON.stringify(store), placeOf(id));
}

/** Null: nothing is kept. Throws `SealBroken`. */
export function openStore(sealer: Sealer, { id, sealed }: Pick<Onboarding, 'id' | 'sealed'>): SealedStore | null {
  if (sealed === null) return null;
  const { access, ...more } = content.parse(JSON.parse(sealer.open(sealed, placeOf(id))));
  return { access: access === null ? null : accessOf(access), ...more };
}

function accessOf({ url = '', ...credentials }: Readonly<Record<string, string>>): StoreAccess {
  return { ...credentials, url };
}
