import { z } from 'zod';
import type { StoreAccess } from '../../bridge/storefronts/contract.ts';
import type { Place, Sealer } from '../../platform/seal.ts';
import type { Onboarding } from './onboarding.ts';

const content = z.object({ access: z.record(z.string(), z.string()).nullable(), secret: z.string().optional() });

/** What is kept of a store until it has a connection: its keys, and the secret that its webhooks will be signed with. */
export type SealedStore = { access: StoreAccess | null; secret?: string };

const placeOf = (id: string): Place => ({ table: 'bridge.onboardings', column: 'sealed', id });

export function sealStore(sealer: Sealer, id: string, store: SealedStore): string {
  return sealer.seal(JSON.stringify(store), placeOf(id));
}

/** Null: nothing is kept. Throws `SealBroken`. */
export function openStore(sealer: Sealer, { id, sealed }: Pick<Onboarding, 'id' | 'sealed'>): SealedStore | null {
  if (sealed === null) return null;
  const { access, secret } = content.parse(JSON.parse(sealer.open(sealed, placeOf(id))));
  return { access: access === null ? null : accessOf(access), ...(secret === undefined ? {} : { secret }) };
}

function accessOf({ url = '', ...credentials }: Readonly<Record<string, string>>): StoreAccess {
  return { ...credentials, url };
}
