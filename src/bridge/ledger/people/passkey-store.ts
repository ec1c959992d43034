import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { StoredPerson } from './people-store.ts';
import { writePersonAct } from './person-acts.ts';

type Checked = Pick<StoredPerson, 'id' | 'accessVersion'>;

const passkeyRows = rowsOf(
  'passkeys',
  z.object({
    id: z.string(),
    publicKey: z.instanceof(Buffer),
    counter: z.coerce.number(),
    transports: z.array(z.string()),
    name: z.string(),
    createdAt: z.string(),
    usedAt: z.string().nullable(),
  }),
);
export type StoredPasskey = z.output<typeof passkeyRows.schema>;

/** Those of a person, the oldest first. */
export function passkeysOf(db: Queryable, person: string): Promise<StoredPasskey[]> {
  return readRows(db, passkeyRows, {
    text: `select id, public_key as "publicKey", counter, transports, name, created_at as "createdAt", used_at as "usedAt"
      from passkeys where person = $1 order by created_at, id`,
    values: [person],
  });
}

/** A challenge that was answered. `hash`: SHA-256 of it and of what it is bound to. `until`: when it is too old. */
export type SpentChallenge = { hash: Buffer; until: Date };

/**
 * Uses a challenge up. The lock makes a reset wait, and comes before all others, so that no two wait for each other. False: it was answered before, is too old,
 * or what was checked of the person no longer holds.
 */
async function useChallenge(tx: Queryable, { id, accessVersion }: Checked, { hash, until }: SpentChallenge): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into sign_in_links (token, kind, person, expires_at) select $1, 'challenge', p.id, $2::timestamptz from people p
      where p.id = $3 and p.access_version = $4 and p.disabled_at is null and p.factor is not null and $2::timestamptz > now() for no key update
      on conflict (token) do nothing`,
    [hash, until, id, accessVersion],
  );
  return rowCount === 1;
}

export type NewPasskey = Pick<StoredPasskey, 'id' | 'publicKey' | 'counter' | 'transports' | 'name'>;

/** False: the challenge can't be used, or somebody has this passkey already. */
export function insertPasskey(pool: Pool, person: Checked, { answered, ...made }: NewPasskey & { answered: SpentChallenge }): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    if (!(await useChallenge(tx, person, answered))) return false;
    const { rowCount } = await tx.query(
      'insert into passkeys (id, person, public_key, counter, transports, name) values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing',
      [made.id, person.id, made.publicKey, made.counter, made.transports, made.name],
    );
    if (rowCount === 1) await noteOf(tx, 'person.passkey-added', person);
    return rowCount === 1;
  });
}

/** What a passkey signed. `counter`: as it says now. */
export type PasskeyProof = SpentChallenge & { passkey: string; counter: number };

/** Within a transaction; of two who use the same answer one may. False: it was used, the passkey is gone, or it counts no higher than before. */
export async function usePasskey(tx: Queryable, person: Checked, { passkey, counter, ...answered }: PasskeyProof): Promise<boolean> {
  if (!(await useChallenge(tx, person, answered))) return false;
  const { rowCount } = await tx.query(
    'update passkeys set counter = $3, used_at = now() where id = $1 and person = $2 and (counter < $3 or (counter = 0 and $3 = 0))',
    [passkey, person.id, counter],
  );
  return rowCount === 1;
}

/** False: they have none with this id. */
export function deletePasskey(pool: Pool, person: Pick<StoredPerson, 'id'>, passkey: string): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query('delete from passkeys where id = $1 and person = $2', [passkey, person.id]);
    if (rowCount === 1) await noteOf(tx, 'person.passkey-removed', person);
    return rowCount === 1;
  });
}

/** Of who has no second factor any more, within the transaction that takes it away. */
export async function deletePasskeysOf(tx: Queryable, person: string): Promise<void> {
  await tx.query('delete from passkeys where person = $1', [person]);
}

/** For the audit log: the passkey may have been copied. Not if the same answer was taken, by a press that was doubled. */
export async function notePasskeyRefused(db: Queryable, person: Pick<StoredPerson, 'id'>, { hash }: Pick<SpentChallenge, 'hash'>): Promise<void> {
  const { rowCount } = await db.query('select from sign_in_links where token = $1', [hash]);
  if (rowCount === 0) await noteOf(db, 'person.passkey-refused', person);
}

type PasskeyAct = 'person.passkey-added' | 'person.passkey-removed' | 'person.passkey-refused';

function noteOf(db: Queryable, act: PasskeyAct, { id }: Pick<StoredPerson, 'id'>): Promise<void> {
  return writePersonAct(db, { act, subject: id, who: `person:${id}` });
}
