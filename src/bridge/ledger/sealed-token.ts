import { z } from 'zod';
import { type RowShape, rowsOf } from '../../platform/postgres/read-rows.ts';
import { SealBroken, type Sealer } from '../../platform/seal.ts';
import type { AccessToken } from '../storefronts/contract.ts';
import { openJson } from './sealed-json.ts';

// `of`: digest of the credentials that it was made with.
const sealedToken = z.object({
  token: z.string(),
  expiresAt: z.string().nullable(),
  refreshToken: z.string().exactOptional(),
  refreshExpiresAt: z.string().nullable().exactOptional(),
  earlierToken: z.string().exactOptional(),
  madeAt: z.string(),
  of: z.string(),
});

/** A token as it is stored. `of`: digest of the credentials that it was made with. */
export type StoredToken = z.output<typeof sealedToken>;

/** `stored` null: it does not open, as after another key was set. */
export type TokenRow = { connectionId: string; stored: StoredToken | null };

/** What a statement selects so that `tokenRows` reads it. */
export const TOKEN_COLUMNS = 't.connection_id as "connectionId", t.token';

export function tokenRows(sealer: Sealer): RowShape<TokenRow> {
  const row = z.object({ connectionId: z.string(), token: z.string() });
  return rowsOf(
    'store_tokens',
    row.transform(({ connectionId, token }, context) => {
      try {
        return { connectionId, stored: openJson({ sealer, sealed: token, place: placeOf(connectionId) }, sealedToken, context) };
      } catch (thrown) {
        if (!(thrown instanceof SealBroken)) throw thrown;
        return { connectionId, stored: null };
      }
    }),
  );
}

export function sealToken(sealer: Sealer, { id, of }: { id: string; of: string }, token: AccessToken): string {
  const content: StoredToken = { ...token, madeAt: new Date().toISOString(), of };
  return sealer.seal(JSON.stringify(content), placeOf(id));
}

function placeOf(id: string) {
  return { table: 'bridge.store_tokens', column: 'token', id };
}
