import type { DestinationStore } from '../../bridge/ledger/connections/destination-store.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { ApiKeys, IssuedKey, NewKey } from '../../service/keys/api-keys.ts';
import { type GrantedCompany, grantMerchant } from '../../service/keys/company-owners.ts';
import { Refusal } from '../refusal.ts';
import { knownMerchant } from './numbers.ts';

/** Makes another key of an owner, who is named by one of their keys. */
export async function addKey(keys: Pick<ApiKeys, 'add'>, { owner, key, by }: { owner: string; key: Omit<NewKey, 'test'>; by: Actor }): Promise<IssuedKey> {
  const added = isUuid(owner) ? await keys.add(owner, key, { by }) : null;
  if (added === null) throw new Refusal('missing', { english: `there is no key ${owner}`, advice: '`orderbridge service keys list` shows them' });
  return added;
}

type RotateDeps = { keys: Pick<ApiKeys, 'rotate'>; destinations: Pick<DestinationStore, 'replaceKey'> };

/** `endsAt`: when the old key ends. `isOurs`: orderbridge itself calls with the new key, nobody else has to. */
export type RotatedHere = IssuedKey & { endsAt: string; isOurs: boolean };

/**
 * A new key in place of one, and the bridge of this database calls with it from now on if it called with the old one. Run again after a crash, it
 * makes another one, and the old key ends no later.
 */
export async function rotateKey({ keys, destinations }: RotateDeps, { id, by }: { id: string; by: Actor }): Promise<RotatedHere> {
  const rotated = isUuid(id) ? await keys.rotate(id, { by }) : null;
  if (rotated === null) throw noLiveKey(id);
  const { digest, endsAt, ...issued } = rotated;
  const { apiKey, apiSecret } = issued;
  const callers = await destinations.replaceKey(digest, { apiKey, apiSecret });
  return { ...issued, endsAt, isOurs: callers.length > 0 && callers.every((baseUrl) => baseUrl === null) };
}

/** Ends an API key for good; refuses if there is no such live key. */
export async function revokeKey(keys: Pick<ApiKeys, 'revoke'>, { id, by }: { id: string; by: Actor }): Promise<void> {
  if (isUuid(id) && (await keys.revoke(id, { by }))) return;
  throw noLiveKey(id);
}

function noLiveKey(id: string): Refusal {
  return new Refusal('missing', { english: `there is no live key ${id}`, advice: '`orderbridge service keys list` shows them' });
}

type Grant = { id: string; companyUic: string; move: boolean; by: Actor };

/** Lets the owner of a key create shops of a company; with `move` nobody else may any more, and shops that others have take no new orders. */
export async function grantCompany({ pool }: { pool: Pool }, { id, companyUic, move, by }: Grant): Promise<Extract<GrantedCompany, { ok: true }>> {
  const merchant = knownMerchant(companyUic);
  const granted = isUuid(id) ? await grantMerchant(pool, { keyId: id, merchant, move, now: new Date(), said: { by } }) : null;
  if (granted?.ok === false && granted.why === 'test-key')
    throw new Refusal('conflict', `${id} is a test key: its shops may be of any company, since their numbers and documents are no real ones`);
  if (granted?.ok !== true) throw new Refusal('missing', { english: `there is no key ${id}`, advice: '`orderbridge service keys list` shows them' });
  return granted;
}
