import { z } from 'zod';
import { SealBroken, type Sealer } from '../../platform/seal.ts';
import type { StoreApp } from '../storefronts/store-app.ts';
import { openJson } from './sealed-json.ts';

const liveSecrets = z.array(z.object({ secret: z.string(), until: z.string().nullable() }));

function placeOf(id: string) {
  return { table: 'bridge.store_apps', column: 'secrets', id };
}

/** Seals the secrets of an app, for its row. */
export function sealAppSecrets(sealer: Sealer, { id, secrets }: Pick<StoreApp, 'id' | 'secrets'>): string {
  return sealer.seal(JSON.stringify(secrets.map(({ secret, until }) => ({ secret, until }))), placeOf(id));
}

type SealedRow = { id: string; platform: string; secrets: string };
type Opening = { sealer: Sealer; wrongKey: 'throws' | 'noted' };

/** `unopened`: why they are missing, for people; null: they open. */
export type OpenedSecrets = { secrets: StoreApp['secrets']; unopened: string | null };

/** Opens them; secrets that were sealed for another row are missing. With a wrong ENCRYPTION_KEY it throws, unless that is only `noted`, too. */
export function openAppSecrets({ sealer, wrongKey }: Opening, { id, platform, secrets: sealed }: SealedRow, context: z.RefinementCtx): OpenedSecrets {
  try {
    return { secrets: openJson({ sealer, sealed, place: placeOf(id) }, liveSecrets, context), unopened: null };
  } catch (thrown) {
    if (!(thrown instanceof SealBroken) || (thrown.why === 'key' && wrongKey === 'throws')) throw thrown;
    const cure = thrown.why === 'place' ? ` (orderbridge ${platform}-app rotate-secret ${id} --secret prompt)` : '';
    return { secrets: [], unopened: `the secret of the app, so that none of its webhooks is taken: ${thrown.message}${cure}` };
  }
}
