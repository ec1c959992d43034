import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Dialect } from '../../contract/dialect.ts';
import { AnswerCache } from '../../platform/answer-cache.ts';
import { type Authorship, authorOf, BY_PROGRAM } from '../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { isoText, readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { SealedPlace, Sealer } from '../../platform/seal.ts';
import { writeServiceActs } from '../audit-log/service-acts.ts';

/** Encrypts text for one place in the database, and back; both are injected. */
type KeySealer = Pick<Sealer, 'seal' | 'open'>;

/**
 * The caller: what the key may do, and its dialect. `keyId` is the first key of the caller's owner, whose shops and orders they are; `usedKeyId` that of
 * the request, for logs and the audit log. `isTest`: of all keys of an owner.
 */
export type Caller = { keyId: string; usedKeyId: string; secret: string; multiShop: boolean; isTest: boolean; dialect: Dialect };

/** `test`: its shops are test shops; only of the first key of an owner, the others are like it. */
export type NewKey = { multiShop: boolean; label?: string; test?: boolean } & Partial<Dialect>;
export type IssuedKey = { id: string; apiKey: string; apiSecret: string };
/** `endsAt`: when the old key ends. `digest`: its SHA-256 in hexadecimal, by which anyone who calls with it is found. */
type RotatedKey = IssuedKey & { endsAt: string; digest: string };
/** `ownerId`: the first key of its owner. `endsAt`: it was rotated, and is live until then. */
export type ListedKey = Omit<z.output<typeof keyRows.schema>, 'dialect'> & { dialect: Dialect };

export type ApiKeys = {
  /** The secret is returned only here. Dialect settings that are left out follow the service's defaults. */
  create(key: NewKey, said?: Authorship): Promise<IssuedKey>;
  /** Another key of the owner of a key, which reaches the same shops and orders; null if there is no such key. */
  add(owner: string, key: Omit<NewKey, 'test'>, said?: Authorship): Promise<IssuedKey | null>;
  /** A new key in place of one, which is live until `endsAt`, 24 h after its first rotation; null if there is no such live key. */
  rotate(id: string, said?: Authorship): Promise<RotatedKey | null>;
  /** Newest last; `hint` is the beginning of the key. */
  list(): Promise<ListedKey[]>;
  /** False if there is no such live key. Other processes notice within 10 s. */
  revoke(id: string, said?: Authorship): Promise<boolean>;
};

export type CallerLookup = { find(apiKey: string): Promise<Caller | undefined> };

export const SEALED_API_KEYS = { table: 'compliance.api_keys', column: 'sealed_secret' } as const;

type Deps = { pool: Pool; sealing: KeySealer; dialectDefaults: Dialect; now: () => Date };

const storedDialect = z.strictObject({
  signatureAlgorithm: z.enum(['sha256', 'sha512', 'sha1']).exactOptional(),
  signatureEncoding: z.enum(['hex', 'base64']).exactOptional(),
  signatureEmptyBody: z.enum(['empty-string', 'omit']).exactOptional(),
  amounts: z.enum(['decimal', 'minor']).exactOptional(),
  vatRate: z.enum(['percent', 'fraction']).exactOptional(),
  idempotencyKey: z.enum(['supported', 'ignored']).exactOptional(),
});

const CACHE = { freshMs: 10_000, size: 1_000 };
const HINT_LENGTH = 11;
/** How long a rotated key is live beside the new one. */
const ROTATION_MS = 24 * 3_600_000;

/** Issues API keys and recognizes them; live ones are remembered for 10 s. */
export function createApiKeys({ pool, sealing, dialectDefaults, now }: Deps): ApiKeys & CallerLookup {
  const ms = () => now().getTime();
  const freshMs = (known: CachedCaller | undefined) => (known === undefined ? 0 : Math.max(0, Math.min(CACHE.freshMs, (known.endsAt ?? Infinity) - ms())));
  const cache = new AnswerCache<CachedCaller | undefined>({ freshMs, size: CACHE.size, now: ms });

  async function findCaller(apiKey: string): Promise<CachedCaller | undefined> {
    const row = await readRow(pool, secretRows, { name: 'compliance.find-key', text: FIND, values: [hash(apiKey), now()] });
    if (row === null) return undefined;
    const { id, ownerId, multiShop, test: isTest, dialect, endsAt } = row;
    const secret = sealing.open(row.sealed_secret, placeOf(id));
    const caller = { keyId: ownerId, usedKeyId: id, secret, multiShop, isTest, dialect: { ...dialectDefaults, ...dialect } };
    return { caller, endsAt: endsAt === null ? null : Date.parse(endsAt) };
  }

  return {
    create: (key, said = BY_PROGRAM) => inTransaction(pool, (tx) => issue(tx, sealing, { key: toKeep(key), said, at: now() })),

    add: (owner, key, said = BY_PROGRAM) =>
      inTransaction(pool, async (tx) => {
        const first = await readRow(tx, firstRows, { text: FIRST_OF, values: [owner] });
        return first === null ? null : issue(tx, sealing, { key: { ...toKeep(key), ...first }, said, at: now() });
      }),

    rotate: (id, said = BY_PROGRAM) => inTransaction(pool, (tx) => rotateKey(tx, sealing, { id, said, at: now() })),

    async list() {
      const rows = await readRows(pool, keyRows, { text: `select ${KEY_COLUMNS} from compliance.api_keys order by created_at, ends_at nulls last, id` });
      return rows.map(({ dialect, ...row }) => ({ ...row, dialect: { ...dialectDefaults, ...dialect } }));
    },

    async revoke(id, said = BY_PROGRAM) {
      const revoked = await inTransaction(pool, async (tx) => {
        const { rowCount } = await tx.query('update compliance.api_keys set revoked_at = $2 where id = $1 and revoked_at is null', [id, now()]);
        if (rowCount === 1) await writeServiceActs(tx, [{ ...authorOf(said), act: 'key.revoked', subject: id }]);
        return rowCount === 1;
      });
      cache.forget();
      return revoked;
    },

    find: async (apiKey) => (await cache.get(apiKey, () => findCaller(apiKey)))?.caller,
  };
}

/** `endsAt`: ms since 1970. */
type CachedCaller = { caller: Caller; endsAt: number | null };

/** A key as it is kept; `ownerId` null: it is the first one of its owner. */
type KeptKey = { ownerId: string | null; label: string | null; multiShop: boolean; test: boolean; dialect: z.output<typeof storedDialect> };
type Issue = { key: KeptKey; said: Authorship; at: Date; rotates?: string };

function toKeep({ multiShop, label, test = false, ...overrides }: NewKey): KeptKey {
  return { ownerId: null, label: label ?? null, multiShop, test, dialect: storedDialect.parse(overrides) };
}

async function issue(tx: Queryable, sealing: KeySealer, { key, said, at, rotates }: Issue): Promise<IssuedKey> {
  const apiKey = `ck_${randomBytes(24).toString('hex')}`;
  const apiSecret = `cs_${randomBytes(32).toString('hex')}`;
  const id = randomUUID();
  const hint = apiKey.slice(0, HINT_LENGTH);
  const { ownerId, label, multiShop, test, dialect } = key;
  await tx.query(
    `insert into compliance.api_keys (id, key_hash, hint, label, sealed_secret, multi_shop, dialect, created_at, owner_id, test)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [id, hash(apiKey), hint, label, sealing.seal(apiSecret, placeOf(id)), multiShop, dialect, at, ownerId, test],
  );
  const after = { hint, label, multiShop, dialect, ...(ownerId !== null && { ownerId }), ...(test && { test }), ...(rotates !== undefined && { rotates }) };
  await writeServiceActs(tx, [{ ...authorOf(said), act: 'key.created', subject: id, after }]);
  return { id, apiKey, apiSecret };
}

async function rotateKey(tx: Queryable, sealing: KeySealer, { id, said, at }: Omit<Issue, 'key'> & { id: string }) {
  const old = await readRow(tx, rotatedRows, { text: ROTATE, values: [id, new Date(at.getTime() + ROTATION_MS), at] });
  if (old === null) return null;
  const { endsAt, digest, ...key } = old;
  const issued = await issue(tx, sealing, { key, said, at, rotates: id });
  await writeServiceActs(tx, [{ ...authorOf(said), act: 'key.rotated', subject: id, after: { by: issued.id, endsAt } }]);
  return { ...issued, endsAt, digest };
}

function placeOf(id: string): SealedPlace {
  return { ...SEALED_API_KEYS, id };
}

const keyRows = rowsOf(
  'compliance.api_keys',
  z.object({
    id: z.string(),
    ownerId: z.string(),
    hint: z.string(),
    label: z.string().nullable(),
    multiShop: z.boolean(),
    test: z.boolean(),
    dialect: storedDialect,
    createdAt: z.string(),
    endsAt: z.string().nullable(),
    revokedAt: z.string().nullable(),
  }),
);
const ownedKey = z.object({ ownerId: z.string(), multiShop: z.boolean(), test: z.boolean(), dialect: storedDialect });
const secretRows = rowsOf('compliance.api_keys', ownedKey.extend({ id: z.string(), sealed_secret: z.string(), endsAt: z.string().nullable() }));
const firstRows = rowsOf('compliance.api_keys', z.object({ ownerId: z.string(), test: z.boolean() }));
const rotatedRows = rowsOf('compliance.api_keys', ownedKey.extend({ label: z.string().nullable(), endsAt: z.string(), digest: z.string() }));

const OWNED = `coalesce(owner_id, id) as "ownerId", multi_shop as "multiShop", test, dialect, ${isoText('ends_at')} as "endsAt"`;
const KEY_COLUMNS = `id, hint, label, ${OWNED}, ${isoText('created_at')} as "createdAt", ${isoText('revoked_at')} as "revokedAt"`;
const FIND = `select id, sealed_secret, ${OWNED} from compliance.api_keys where key_hash = $1 and revoked_at is null and (ends_at is null or ends_at > $2)`;
const FIRST_OF = 'select coalesce(owner_id, id) as "ownerId", test from compliance.api_keys where id = $1';
const ROTATE = `update compliance.api_keys set ends_at = coalesce(ends_at, $2) where id = $1 and revoked_at is null and (ends_at is null or ends_at > $3)
  returning label, encode(key_hash, 'hex') as digest, ${OWNED}`;

// Where requests without a body go unsigned, the key alone gives access, so only its hash is kept. It has 192 random bits and needs no salt.
function hash(apiKey: string): Buffer {
  return createHash('sha256').update(apiKey).digest();
}

const ending = rowsOf(
  'compliance.api_keys',
  z.object({ id: z.string(), endsAt: z.string(), rotatedAt: z.string().nullable(), replacedBy: z.string().nullable() }),
);

/** A key that was rotated and is still live. `replacedBy`: the key that its last rotation made; null: the audit log does not say. */
type EndingKey = z.output<typeof ending.schema>;

const ENDING = `
  select k.id, ${isoText('k.ends_at')} as "endsAt", ${isoText('made.at')} as "rotatedAt", made.by as "replacedBy"
  from compliance.api_keys k left join lateral (
    select a.after ->> 'by' as by, a.at from compliance.acts a where a.act = 'key.rotated' and a.subject = k.id::text order by a.id desc limit 1) made on true
  where k.key_hash = any($1::bytea[]) and k.revoked_at is null and k.ends_at > now() order by k.ends_at, k.id`;

/** Those of these keys that were rotated: anyone who still calls with one is refused when it ends. */
export async function endingKeys(db: Queryable, apiKeys: readonly string[]): Promise<EndingKey[]> {
  if (apiKeys.length === 0) return [];
  return readRows(db, ending, { text: ENDING, values: [apiKeys.map((key) => createHash('sha256').update(key).digest())] });
}

const answers = rowsOf('compliance.shops', z.object({ place: z.int(), key: z.boolean(), shop: z.boolean() }));

/** Whether orders of these shops would be taken with these keys, in their order: 'key' if the key is unknown or revoked, 'shop' if it has no such shop. */
export async function unknownShops(db: Queryable, callers: readonly { apiKey: string; shopId: string }[]): Promise<('key' | 'shop' | null)[]> {
  if (callers.length === 0) return [];
  const rows = await readRows(db, answers, {
    text: `select x.place::int, k.id is not null as key, exists (select from compliance.shops s where s.id = x.shop::uuid and s.api_key_id = coalesce(k.owner_id, k.id)) as shop
      from unnest($1::bytea[], $2::text[]) with ordinality x(hash, shop, place)
      left join compliance.api_keys k on k.key_hash = x.hash and k.revoked_at is null and (k.ends_at is null or k.ends_at > now()) order by x.place`,
    values: [callers.map(({ apiKey }) => createHash('sha256').update(apiKey).digest()), callers.map(({ shopId }) => shopId)],
  });
  return rows.map(({ key, shop }) => (key ? (shop ? null : 'shop') : 'key'));
}
