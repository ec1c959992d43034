import { isUuid } from '../../contract/uuid.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import type { ApiKeys } from '../../service/keys/api-keys.ts';
import { Refusal } from '../refusal.ts';

/** Ends an API key for good; refuses if there is no such live key. */
export async function revokeKey(keys: Pick<ApiKeys, 'revoke'>, { id, by }: { id: string; by: Actor }): Promise<void> {
  if (isUuid(id) && (await keys.revoke(id, { by }))) return;
  throw new Refusal('missing', `there is no live key ${id}`, { advice: '`orderbridge service keys list` shows them' });
}
