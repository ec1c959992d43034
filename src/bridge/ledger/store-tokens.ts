import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { SealBroken, type Sealer } from '../../platform/seal.ts';
import { Failure } from '../order/failure.ts';
import { isUsable } from '../store-api/access-tokens.ts';
import type { StoreTokens } from '../store-api/store-means.ts';
import type { AccessToken } from '../storefronts/contract.ts';
import { digestOf } from '../storefronts/digest.ts';
import { openJson } from './sealed-json.ts';

/** Longer than a process may take to make one. */
const HELD_MS = 30_000;
/** Another process makes one meanwhile: it is there within a second, or the caller comes again. */
const LOOKS = 20;
const BETWEEN_LOOKS_MS = 250;

// `of`: digest of the credentials that it was made with.
const sealedToken = z.object({ token: z.string(), expiresAt: z.string().nullable(), refreshToken: z.string().optional(), of: z.string() });
const heldRow = rowsOf('store_tokens', z.object({ connectionId: z.string() }));

type Sealed = z.output<typeof sealedToken>;
/** Whose tokens, and made with what. */
type Owner = { id: string; of: string };

/**
 * Access tokens in PostgreSQL, sealed. One process at a time makes a new one, others wait for it. Throws `Failure('storefront.unreachable')` if that takes
 * too long, and what making one throws.
 */
export function createStoreTokens(pool: Pool, sealer: Sealer): StoreTokens {
  return ({ id, access }) => {
    const tokens = { pool, sealer, owner: { id, of: digestOf(access) } };
    return { token: (make, refused) => tokenOf(tokens, { make, refused }) };
  };
}

type Tokens = { pool: Pool; sealer: Sealer; owner: Owner };
type Wanted = { make: (before: AccessToken | null) => Promise<AccessToken>; refused: string | undefined };

async function tokenOf(tokens: Tokens, wanted: Wanted): Promise<string> {
  for (let look = 0; look < LOOKS; look += 1) {
    if (look > 0) await wait(BETWEEN_LOOKS_MS);
    const { usable } = await known(tokens, wanted);
    const token = usable ?? (await makeAlone(tokens, wanted));
    if (token !== null) return token;
  }
  throw new Failure('storefront.unreachable', 'another process has been making an access token for the store for too long; it is tried again later');
}

/** The known token, and it again if it can be used. */
async function known(tokens: Tokens, { refused }: Wanted): Promise<{ before: AccessToken | null; usable: string | null }> {
  const before = await read(tokens);
  return { before, usable: before !== null && isUsable(before, { refused, now: Date.now() }) ? before.token : null };
}

/** Null: another process is making one. */
async function makeAlone(tokens: Tokens, wanted: Wanted): Promise<string | null> {
  const { pool, sealer, owner } = tokens;
  const holder = randomUUID();
  const held = await readRow(pool, heldRow, {
    text: `insert into store_tokens as known (connection_id, holder, held_until) values ($1, $2, now() + $3 * interval '1 ms')
      on conflict (connection_id) do update set holder = excluded.holder, held_until = excluded.held_until
        where known.holder is null or known.held_until <= now()
      returning connection_id as "connectionId"`,
    values: [owner.id, holder, HELD_MS],
  });
  if (held === null) return null;
  try {
    // Another process may have made one between the look and the hold.
    const { before, usable } = await known(tokens, wanted);
    if (usable !== null) return usable;
    const made = await wanted.make(before);
    await pool.query('update store_tokens set token = $3 where connection_id = $1 and holder = $2', [owner.id, holder, seal(sealer, owner, made)]);
    return made.token;
  } finally {
    await pool.query('update store_tokens set holder = null, held_until = null where connection_id = $1 and holder = $2', [owner.id, holder]);
  }
}

function seal(sealer: Sealer, { id, of }: Owner, { token, expiresAt, refreshToken }: AccessToken): string {
  const content: Sealed = { token, expiresAt, of, ...(refreshToken === undefined ? {} : { refreshToken }) };
  return sealer.seal(JSON.stringify(content), placeOf(id));
}

/** Null: none is known; one that does not open is made anew. */
async function read({ pool, sealer, owner: { id, of } }: Tokens): Promise<AccessToken | null> {
  try {
    const stored = await readRow(pool, openedRows(sealer, id), {
      text: 'select token from store_tokens where connection_id = $1 and token is not null',
      values: [id],
    });
    if (stored === null || stored.of !== of) return null;
    const { token, expiresAt, refreshToken } = stored;
    return { token, expiresAt, ...(refreshToken === undefined ? {} : { refreshToken }) };
  } catch (thrown) {
    if (thrown instanceof SealBroken) return null;
    throw thrown;
  }
}

function openedRows(sealer: Sealer, id: string) {
  const row = z.object({ token: z.string() });
  return rowsOf(
    'store_tokens',
    row.transform(({ token: sealed }, context) => openJson({ sealer, sealed, place: placeOf(id) }, sealedToken, context)),
  );
}

function placeOf(id: string) {
  return { table: 'bridge.store_tokens', column: 'token', id };
}
