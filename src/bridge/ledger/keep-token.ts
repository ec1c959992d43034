import type { Queryable } from '../../platform/postgres/postgres.ts';
import type { Sealer } from '../../platform/seal.ts';
import type { Connection } from '../connections/connection.ts';
import type { AccessToken } from '../storefronts/contract.ts';
import { digestOf } from '../storefronts/digest.ts';
import { sealToken } from './sealed-token.ts';

// Who closes a connection locks its row: either he sees what is stored here, and removes it, or nothing is stored.
const KEEP = `insert into store_tokens as known (connection_id, token) select c.id, $2 from connections c where c.id = $1 and c.closed_at is null for share
  on conflict (connection_id) do update set token = excluded.token, holder = null, held_until = null`;

type Kept = Pick<Connection, 'id' | 'access'> & { token: AccessToken };

/** Stores what a merchant granted anew in the place of what is known; whoever renews that meanwhile no longer holds, and what he gets is not stored. False: the connection is closed. */
export async function keepToken(db: Queryable, sealer: Sealer, { id, access, token }: Kept): Promise<boolean> {
  const { rowCount } = await db.query(KEEP, [id, sealToken(sealer, { id, of: digestOf(access) }, token)]);
  return rowCount === 1;
}

/** The same of a connection that has just been made or changed; nothing, if its merchant granted nothing. */
export async function keepIfGranted(
  db: Queryable,
  sealer: Sealer,
  { token, ...connection }: Omit<Kept, 'token'> & { token: AccessToken | undefined },
): Promise<void> {
  if (token !== undefined) await keepToken(db, sealer, { ...connection, token });
}
