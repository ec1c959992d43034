import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Dialect } from '../../contract/dialect.ts';
import { AnswerCache } from '../../platform/answer-cache.ts';
import { isoText } from '../../platform/postgres/iso-text.ts';
import { inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Place, Sealer } from '../../platform/seal.ts';
import { authorOf, BY_PROGRAM, type Said } from '../../platform/trail/trail.ts';
import { writeServiceActs } from '../trail/service-acts.ts';

/** Encrypts text for one place in the database, and back; both are injected. */
export type Sealing = Pick<Sealer, 'seal' | 'open'>;

/** The caller: what the key may do, and its dialect. */
export type Caller = { keyId: string; secret: string; multiShop: boolean; dialect: Dialect };

export type NewKey = { multiShop: boolean; label?: string } & Partial<Dialect>;
export type ListedKey = { id: string; hint: string; label: string | null; multiShop: boolean; dialect: Dialect; createdAt: string; revokedAt: string | null };

export type ApiKeys = {
  /** The secret is returned only here. Dialect settings that are left out follow the service's defaults. */
  create(key: NewKey, said?: Said): Promise<{ id: string; apiKey: string; apiSecret: string }>;
  /** Newest last; `hint` is the beginning of the key. */
  list(): Promise<ListedKey[]>;
  /** False if there is no such live key. Other processes notice within 10 s. */
  revoke(id: string, said?: Said): Promise<boolean>;
};

export type CallerLookup = { find(apiKey: string): Promise<Caller | undefined> };

/** Where the secrets of API keys are sealed. */
export const SEALED_API_KEYS = { table: 'compliance.api_keys', column: 'sealed_secret' } as const;

type Deps = { pool: Pool; sealing: Sealing; dialectDefaults: Dialect; now: () => Date };

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

/** Issues API keys and recognizes them; live ones are remembered for 10 s. */
export function createApiKeys({ pool, sealing, dialectDefaults, now }: Deps): ApiKeys & CallerLookup {
  const { freshMs, size } = CACHE;
  const cache = new AnswerCache<Caller | undefined>({ freshMs: (caller) => (caller === undefined ? 0 : freshMs), size, now: () => now().getTime() });

  async function findCaller(apiKey: string): Promise<Caller | undefined> {
    const row = await readRow(pool, secretRows, { name: 'compliance.find-key', text: FIND, values: [hash(apiKey)] });
    if (row === null) return undefined;
    return {
      keyId: row.id,
      secret: sealing.open(row.sealed_secret, placeOf(row.id)),
      multiShop: row.multi_shop,
      dialect: { ...dialectDefaults, ...row.dialect },
    };
  }

  return {
    async create({ multiShop, label, ...overrides }, said = BY_PROGRAM) {
      const apiKey = `ck_${randomBytes(24).toString('hex')}`;
      const apiSecret = `cs_${randomBytes(32).toString('hex')}`;
      const id = randomUUID();
      const hint = apiKey.slice(0, HINT_LENGTH);
      const dialect = storedDialect.parse(overrides);
      await inTransaction(pool, async (tx) => {
        await tx.query(
          `insert into compliance.api_keys (id, key_hash, hint, label, sealed_secret, multi_shop, dialect, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [id, hash(apiKey), hint, label ?? null, sealing.seal(apiSecret, placeOf(id)), multiShop, dialect, now()],
        );
        await writeServiceActs(tx, [{ ...authorOf(said), act: 'key.created', subject: id, after: { hint, label, multiShop, dialect } }]);
      });
      return { id, apiKey, apiSecret };
    },

    async list() {
      const rows = await readRows(pool, keyRows, { text: `select ${KEY_COLUMNS} from compliance.api_keys order by created_at, id` });
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

    find: (apiKey) => cache.get(apiKey, () => findCaller(apiKey)),
  };
}

function placeOf(id: string): Place {
  return { ...SEALED_API_KEYS, id };
}

const keyRows = rowsOf(
  'compliance.api_keys',
  z.object({
    id: z.string(),
    hint: z.string(),
    label: z.string().nullable(),
    multiShop: z.boolean(),
    dialect: storedDialect,
    createdAt: z.string(),
    revokedAt: z.string().nullable(),
  }),
);
const secretRows = rowsOf('compliance.api_keys', z.object({ id: z.string(), sealed_secret: z.string(), multi_shop: z.boolean(), dialect: storedDialect }));

const KEY_COLUMNS = `id, hint, label, multi_shop as "multiShop", dialect, ${isoText('created_at')} as "createdAt", ${isoText('revoked_at')} as "revokedAt"`;
const FIND = 'select id, sealed_secret, multi_shop, dialect from compliance.api_keys where key_hash = $1 and revoked_at is null';

// Where requests without a body go unsigned, the key alone gives access, so only its hash is kept. It has 192 random bits and needs no salt.
function hash(apiKey: string): Buffer {
  return createHash('sha256').update(apiKey).digest();
}
