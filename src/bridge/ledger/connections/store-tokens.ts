import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Pool, Queryable } from '../../../platform/postgres/postgres.ts';
import { type RowShape, readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { SealBroken, type Sealer } from '../../../platform/seal.ts';
import type { Connection } from '../../connections/connection.ts';
import { Failure } from '../../order/facts/failure.ts';
import type { GrantedToken } from '../../reconciliation/keep-grants.ts';
import { isUsable, passingTokens, type StoreTokens } from '../../store-api/store-means.ts';
import type { AccessToken, AccessTokens } from '../../storefronts/contract.ts';
import { digestOf } from '../../storefronts/hmac.ts';
import { NotCalled } from '../../storefronts/store-failure.ts';
import { openJson } from '../json-columns.ts';

/** Longer than a process may take to make one: two requests of 8 s, begun within a third of it. */
const LEASE_MS = 30_000;
/** Another process makes one meanwhile: it is there within a second, or the caller comes again. */
const LOOKS = 20;
const BETWEEN_LOOKS_MS = 250;

const leaseRow = rowsOf('store_tokens', z.object({ live: z.boolean(), leased: z.boolean() }));

/** Whose tokens, and made with what. */
type Owner = { id: string; of: string };

/**
 * Access tokens in PostgreSQL, sealed. One process at a time makes a new one, others wait for it; only what is stored is used. The lease is a row, not a
 * lock: no connection of the pool is held while a store is called. Of a connection that is closed none is stored: what can be made anew lives for its calls.
 * Throws `NotCalled` if that takes too long, `Failure('storefront.unreachable')` if the connection is closed meanwhile, and what making one throws.
 */
export function createStoreTokens(pool: Pool, sealer: Sealer, { leaseMs = LEASE_MS }: { leaseMs?: number } = {}): StoreTokens {
  return ({ id, access }) => {
    const keep = (token: AccessToken) => keepToken(pool, sealer, { id, access, token });
    const tokens = { pool, sealer, leaseMs, owner: { id, of: digestOf(access) }, keep, passing: passingTokens() };
    return {
      token: (make, refused) => tokenOf(tokens, { make, refused }),
      keep,
      replace: (grant) => replaceAlone(tokens, grant),
    };
  };
}

// Who closes a connection locks its row: either they see the lease, and remove it, or nobody holds.
const LEASE = `with live as (select c.id from connections c where c.id = $1 and c.closed_at is null for share),
    leased as (insert into store_tokens as known (connection_id, holder, lease_until) select id, $2, now() + $3 * interval '1 ms' from live
      on conflict (connection_id) do update set holder = excluded.holder, lease_until = excluded.lease_until
        where known.holder is null or known.lease_until <= now()
      returning connection_id)
  select exists (select from live) as live, exists (select from leased) as leased`;

type Tokens = { pool: Pool; sealer: Sealer; leaseMs: number; owner: Owner; keep(token: AccessToken): Promise<boolean>; passing: AccessTokens };
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
  throw new NotCalled('another process has been making an access token for the store for too long; it is retried later');
}

/** The known token, and it again if it can be used. */
async function known(tokens: Tokens, { refused }: Wanted): Promise<{ before: AccessToken | null; usable: string | null }> {
  const before = await read(tokens);
  return { before, usable: before !== null && isUsable(before, { refused, now: Date.now() }) ? before.token : null };
}

/** What keeps this process from making one: another is making one, or took that over from this one; or the connection is closed. */
type NotMade = { closed: boolean };

async function makeAlone(tokens: Tokens, wanted: Wanted): Promise<string | NotMade> {
  const { pool, sealer, owner, leaseMs } = tokens;
  const holder = randomUUID();
  const began = performance.now();
  const { live, leased } = await lease(tokens, holder);
  if (!leased) return { closed: !live };
  let made: AccessToken;
  try {
    // Another process may have made one between the look and the lease. Who was held up since, as by the database, does not begin.
    const { before, usable } = await known(tokens, wanted);
    if (usable !== null || performance.now() - began > leaseMs / 3) {
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
  const { rowCount } = await pool.query('update store_tokens set token = $3, holder = null, lease_until = null where connection_id = $1 and holder = $2', [
    ...[owner.id, holder],
    sealToken(sealer, owner, made),
  ]);
  return rowCount === 1 ? made.token : { closed: false };
}

async function replaceAlone<Came extends { token: AccessToken | null }>(tokens: Tokens, grant: () => Promise<Came>): Promise<Came> {
  const { pool, owner } = tokens;
  const holder = randomUUID();
  for (let look = 0; look < LOOKS; look += 1) {
    const { live, leased } = await lease(tokens, holder);
    if (leased || !live) break;
    await wait(BETWEEN_LOOKS_MS);
  }
  try {
    const came = await grant();
    // It ended what was known, no matter who holds by now.
    if (came.token !== null) await tokens.keep(came.token);
    return came;
  } finally {
    await letGo(pool, owner, holder);
  }
}

function lease({ pool, leaseMs, owner: { id } }: Tokens, holder: string): Promise<{ live: boolean; leased: boolean }> {
  return readOne(pool, leaseRow, { text: LEASE, values: [id, holder, leaseMs] });
}

/** False: another process, or a new grant, has taken it over. */
async function letGo(pool: Pool, { id }: Owner, holder: string): Promise<boolean> {
  const { rowCount } = await pool.query('update store_tokens set holder = null, lease_until = null where connection_id = $1 and holder = $2', [id, holder]);
  return rowCount === 1;
}

/** Null: none is known; one that never opens, or was made with other credentials, is made anew. */
async function read({ pool, sealer, owner: { id, of } }: Tokens): Promise<AccessToken | null> {
  const row = await readRow(pool, tokenRows(sealer, { waits: true }), {
    text: `select ${TOKEN_COLUMNS} from store_tokens t where t.connection_id = $1 and t.token is not null`,
    values: [id],
  });
  if (row === null || row.stored === null || row.stored.of !== of) return null;
  const { of: _of, madeAt: _madeAt, ...token } = row.stored;
  return token;
}

// Who closes a connection locks its row: either they see what is stored here, and remove it, or nothing is stored.
const KEEP = `insert into store_tokens as known (connection_id, token) select c.id, $2 from connections c where c.id = $1 and c.closed_at is null for share
  on conflict (connection_id) do update set token = excluded.token, holder = null, lease_until = null`;

type Kept = Pick<Connection, 'id' | 'access'> & { token: AccessToken };

/** Stores what a merchant granted anew in the place of what is known; anyone who renews that meanwhile no longer holds, and what they get is not stored. False: the connection is closed. */
async function keepToken(db: Queryable, sealer: Sealer, { id, access, token }: Kept): Promise<boolean> {
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

/** An `AccessToken` as it is stored. */
export const storedToken = z.object({
  token: z.string(),
  expiresAt: z.string().nullable(),
  refreshToken: z.string().exactOptional(),
  earlierToken: z.string().exactOptional(),
});

// `of`: digest of the credentials that it was made with.
const sealedToken = storedToken.extend({ madeAt: z.string(), of: z.string() });

/** A token as it is stored. `of`: digest of the credentials that it was made with. */
type StoredToken = z.output<typeof sealedToken>;

/** `stored` null: it does not open, as after another key was set. */
type TokenRow = { connectionId: string; stored: StoredToken | null };

/** What a statement selects so that `tokenRows` reads it. */
export const TOKEN_COLUMNS = 't.connection_id as "connectionId", t.token';

/** `waits`: throws `SealBroken` of a token that may open later. */
export function tokenRows(sealer: Sealer, { waits = false } = {}): RowShape<TokenRow> {
  const row = z.object({ connectionId: z.string(), token: z.string() });
  return rowsOf(
    'store_tokens',
    row.transform(({ connectionId, token }, context) => {
      try {
        return { connectionId, stored: openJson({ sealer, sealed: token, place: placeOf(connectionId) }, sealedToken, context) };
      } catch (thrown) {
        if (!(thrown instanceof SealBroken) || (waits && thrown.mayOpen)) throw thrown;
        return { connectionId, stored: null };
      }
    }),
  );
}

function sealToken(sealer: Sealer, { id, of }: { id: string; of: string }, token: AccessToken): string {
  const content: StoredToken = { ...token, madeAt: new Date().toISOString(), of };
  return sealer.seal(JSON.stringify(content), placeOf(id));
}

function placeOf(id: string) {
  return { table: 'bridge.store_tokens', column: 'token', id };
}

/** The tokens of live connections that something renews. They are opened here: nothing of them is stored in the clear, not even their age. */
export async function grantedTokens(pool: Pool, sealer: Sealer): Promise<GrantedToken[]> {
  const text = `select ${TOKEN_COLUMNS} from store_tokens t join connections c on c.id = t.connection_id where c.closed_at is null and t.token is not null`;
  return (await readRows(pool, tokenRows(sealer), { text })).flatMap(({ connectionId, stored }) =>
    stored?.refreshToken === undefined ? [] : [{ connectionId, token: stored.token, madeAt: stored.madeAt }],
  );
}

const markRow = rowsOf('connections', z.object({ mark: z.string() }));
const MARK = `select encode(sha256(convert_to(coalesce(c.store_access, '') || ' ' || coalesce(t.token, ''), 'UTF8')), 'hex') as mark
  from connections c left join store_tokens t on t.connection_id = c.id where c.id = $1`;

/** What a connection's store is called with at this moment, as a mark that says nothing of it: others have another one. Null: there is no connection. */
export async function storeKeysMark(db: Queryable, id: string): Promise<string | null> {
  return (await readRow(db, markRow, { text: MARK, values: [id] }))?.mark ?? null;
}

/** Removes the access tokens of a connection whose row is locked; false: `mark` is given, and is not that of its keys. */
export async function forgetTokens(tx: Queryable, { id, mark }: { id: string; mark: string | null }): Promise<boolean> {
  await tx.query('select from store_tokens where connection_id = $1 for update', [id]);
  if (mark !== null && (await storeKeysMark(tx, id)) !== mark) return false;
  await tx.query('delete from store_tokens where connection_id = $1', [id]);
  return true;
}
