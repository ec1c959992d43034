import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readOne, readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Sealer } from '../../platform/seal.ts';
import { Failure } from '../order/failure.ts';
import { isUsable, passingTokens } from '../store-api/access-tokens.ts';
import type { StoreTokens } from '../store-api/store-means.ts';
import type { AccessToken, AccessTokens } from '../storefronts/contract.ts';
import { digestOf } from '../storefronts/digest.ts';
import { NotAsked } from '../storefronts/not-asked.ts';
import { keepToken } from './keep-token.ts';
import { sealToken, TOKEN_COLUMNS, tokenRows } from './sealed-token.ts';

/** Longer than a process may take to make one: two requests of 8 s, begun within a third of it. */
const HELD_MS = 30_000;
/** Another process makes one meanwhile: it is there within a second, or the caller comes again. */
const LOOKS = 20;
const BETWEEN_LOOKS_MS = 250;

const heldRow = rowsOf('store_tokens', z.object({ live: z.boolean(), held: z.boolean() }));

/** Whose tokens, and made with what. */
type Owner = { id: string; of: string };

/**
 * Access tokens in PostgreSQL, sealed. One process at a time makes a new one, others wait for it; only what is stored is used. The lease is a row, not a
 * lock: no connection of the pool is held while a store is called. Of a connection that is closed none is stored: what can be made anew lives for its calls.
 * Throws `NotAsked` if that takes too long, `Failure('storefront.unreachable')` if the connection is closed meanwhile, and what making one throws.
 */
export function createStoreTokens(pool: Pool, sealer: Sealer, { heldMs = HELD_MS }: { heldMs?: number } = {}): StoreTokens {
  return ({ id, access }) => {
    const keep = (token: AccessToken) => keepToken(pool, sealer, { id, access, token });
    const tokens = { pool, sealer, heldMs, owner: { id, of: digestOf(access) }, keep, passing: passingTokens() };
    return {
      token: (make, refused) => tokenOf(tokens, { make, refused }),
      keep,
      replace: (grant) => replaceAlone(tokens, grant),
    };
  };
}

// Who closes a connection locks its row: either he sees the lease, and removes it, or nobody holds.
const HOLD = `with live as (select c.id from connections c where c.id = $1 and c.closed_at is null for share),
    held as (insert into store_tokens as known (connection_id, holder, held_until) select id, $2, now() + $3 * interval '1 ms' from live
      on conflict (connection_id) do update set holder = excluded.holder, held_until = excluded.held_until
        where known.holder is null or known.held_until <= now()
      returning connection_id)
  select exists (select from live) as live, exists (select from held) as held`;

type Tokens = { pool: Pool; sealer: Sealer; heldMs: number; owner: Owner; keep(token: AccessToken): Promise<boolean>; passing: AccessTokens };
type Wanted = { make: (before: AccessToken | null) => Promise<AccessToken>; refused: string | undefined };

async function tokenOf(tokens: Tokens, wanted: Wanted): Promise<string> {
  for (let look = 0; look < LOOKS; look += 1) {
    if (look > 0) await wait(BETWEEN_LOOKS_MS);
    const { usable } = await known(tokens, wanted);
    const made = usable ?? (await makeAlone(tokens, wanted));
    if (typeof made === 'string') return made;
    if (!made.closed) continue;
    // Who had one, or was making one, is told that alone: what the store says of a token that is forgotten is not true of the store.
    if (look > 0 || wanted.refused !== undefined) throw new Failure('storefront.unreachable', 'the store was disconnected while it was called');
    return tokens.passing.token(wanted.make);
  }
  throw new NotAsked('another process has been making an access token for the store for too long; it is tried again later');
}

/** The known token, and it again if it can be used. */
async function known(tokens: Tokens, { refused }: Wanted): Promise<{ before: AccessToken | null; usable: string | null }> {
  const before = await read(tokens);
  return { before, usable: before !== null && isUsable(before, { refused, now: Date.now() }) ? before.token : null };
}

/** What keeps this process from making one: another is making one, or took that over from this one; or the connection is closed. */
type NotMade = { closed: boolean };

async function makeAlone(tokens: Tokens, wanted: Wanted): Promise<string | NotMade> {
  const { pool, sealer, owner, heldMs } = tokens;
  const holder = randomUUID();
  const began = performance.now();
  const { live, held } = await hold(tokens, holder);
  if (!held) return { closed: !live };
  let made: AccessToken;
  try {
    // Another process may have made one between the look and the hold. Who was held up since, as by the database, does not begin.
    const { before, usable } = await known(tokens, wanted);
    if (usable !== null || performance.now() - began > heldMs / 3) {
      await letGo(pool, owner, holder);
      return usable ?? { closed: false };
    }
    made = await wanted.make(before);
  } catch (thrown) {
    // What was refused may have been replaced meanwhile: only of who holds is it believed.
    if (await letGo(pool, owner, holder)) throw thrown;
    return { closed: false };
  }
  // All of it at once. What can't be stored is not used: the use of a new token ends the old one.
  const { rowCount } = await pool.query('update store_tokens set token = $3, holder = null, held_until = null where connection_id = $1 and holder = $2', [
    ...[owner.id, holder],
    sealToken(sealer, owner, made),
  ]);
  return rowCount === 1 ? made.token : { closed: false };
}

async function replaceAlone<Came extends { token: AccessToken | null }>(tokens: Tokens, grant: () => Promise<Came>): Promise<Came> {
  const { pool, owner } = tokens;
  const holder = randomUUID();
  for (let look = 0; look < LOOKS; look += 1) {
    const { live, held } = await hold(tokens, holder);
    if (held || !live) break;
    await wait(BETWEEN_LOOKS_MS);
  }
  try {
    const came = await grant();
    // It ended what was known, whoever holds by now.
    if (came.token !== null) await tokens.keep(came.token);
    return came;
  } finally {
    await letGo(pool, owner, holder);
  }
}

function hold({ pool, heldMs, owner: { id } }: Tokens, holder: string): Promise<{ live: boolean; held: boolean }> {
  return readOne(pool, heldRow, { text: HOLD, values: [id, holder, heldMs] });
}

/** False: another process, or a new grant, has taken it over. */
async function letGo(pool: Pool, { id }: Owner, holder: string): Promise<boolean> {
  const { rowCount } = await pool.query('update store_tokens set holder = null, held_until = null where connection_id = $1 and holder = $2', [id, holder]);
  return rowCount === 1;
}

/** Null: none is known; one that does not open, or was made with other credentials, is made anew. */
async function read({ pool, sealer, owner: { id, of } }: Tokens): Promise<AccessToken | null> {
  const row = await readRow(pool, tokenRows(sealer), {
    text: `select ${TOKEN_COLUMNS} from store_tokens t where t.connection_id = $1 and t.token is not null`,
    values: [id],
  });
  if (row === null || row.stored === null || row.stored.of !== of) return null;
  const { of: _of, madeAt: _madeAt, ...token } = row.stored;
  return token;
}
