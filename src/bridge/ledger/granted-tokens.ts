import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows } from '../../platform/postgres/read-rows.ts';
import type { Sealer } from '../../platform/seal.ts';
import type { GrantedToken } from '../reconciliation/keep-grants.ts';
import { TOKEN_COLUMNS, tokenRows } from './sealed-token.ts';

/** The tokens of live connections that something renews. They are opened here: nothing of them is stored in the clear, not even their age. */
export async function grantedTokens(pool: Pool, sealer: Sealer): Promise<GrantedToken[]> {
  const text = `select ${TOKEN_COLUMNS} from store_tokens t join connections c on c.id = t.connection_id where c.closed_at is null and t.token is not null`;
  return (await readRows(pool, tokenRows(sealer), { text })).flatMap(({ connectionId, stored }) =>
    stored?.refreshToken === undefined ? [] : [{ connectionId, token: stored.token, madeAt: stored.madeAt }],
  );
}
