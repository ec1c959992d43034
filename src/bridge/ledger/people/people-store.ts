import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { PERSON_ROLES } from '../../../contract/person-role.ts';
import { type Queryable, sealerOf } from '../../../platform/postgres/postgres.ts';
import { type RowShape, readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { openOrNull } from '../../../platform/seal.ts';

/**
 * Somebody who may sign in to the console. `shops`: the shops of the compliance service that an accountant sees; null: all. `issuer`: the identity
 * provider by which they come in; null: none. `factorDueAt`: from when they sign in with a second factor only; null: not asked for yet. `accessVersion`: raised when sign-ins of before end, those under way included.
 */
export type StoredPerson = z.output<typeof person>;

export const person = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(PERSON_ROLES),
  shops: z.array(z.string()).nullable(),
  lang: z.enum(['en', 'bg']),
  isDisabled: z.boolean(),
  hasPassword: z.boolean(),
  hasFactor: z.boolean(),
  factorDueAt: z.string().nullable(),
  issuer: z.string().nullable(),
  accessVersion: z.int(),
});

const MAILBOX = { table: 'bridge.people', column: 'email' };

type Sealed = Pick<StoredPerson, 'id' | 'email'>;

function mailboxIn(db: Queryable): (person: Sealed) => string {
  const sealer = sealerOf(db);
  return ({ id, email }) => openOrNull(sealer, email, { ...MAILBOX, id }) ?? `${id}@does-not-open.invalid`;
}

/** Rows of people with their mailboxes opened; one that does not open is named by the person's id, and gets no mail. */
export function withMailbox<Of extends Sealed>(db: Queryable, { table, schema }: RowShape<Of>): RowShape<Of> {
  const email = mailboxIn(db);
  return rowsOf(
    table,
    schema.transform((row) => ({ ...row, email: email(row) })),
  );
}

/** A mailbox as its row has it. */
export function sealedMailbox(db: Queryable, { id, email }: Sealed): string {
  return sealerOf(db).seal(email, { ...MAILBOX, id });
}

const stored = rowsOf('people', person);
export const peopleIn = (db: Queryable): RowShape<StoredPerson> => withMailbox(db, stored);
export const PERSON = `p.id, p.email, p.name, p.role, p.shops, p.lang, p.disabled_at is not null as "isDisabled", p.password is not null as "hasPassword",
  p.factor is not null as "hasFactor", p.factor_due_at as "factorDueAt", p.issuer, p.access_version as "accessVersion"`;

export function personOfId(db: Queryable, id: string): Promise<StoredPerson | null> {
  return readRow(db, peopleIn(db), { text: `select ${PERSON} from people p where p.id = $1`, values: [id] });
}

const named = rowsOf('people', person.pick({ id: true, name: true, email: true }));

/** What people are called: by their names, or else their addresses, which alone are opened. `ids`: of these; null: of all, those last that may not sign in. */
export async function namesOfPeople(db: Queryable, ids: readonly string[] | null): Promise<Map<string, string>> {
  const [which, values] = ids === null ? ['', []] : ['where id = any($1::uuid[])', [ids]];
  const text = `select id, name, email from people ${which} order by disabled_at is not null, name, id`;
  const email = mailboxIn(db);
  const rows = ids?.length === 0 ? [] : await readRows(db, named, { text, values });
  return new Map(rows.map((one) => [one.id, one.name === '' ? email(one) : one.name]));
}

/** Letters of an address count alike, large or small. */
function isOf(email: string): (person: Pick<StoredPerson, 'email'>) => boolean {
  const wanted = email.toLowerCase();
  return (one) => one.email.toLowerCase() === wanted;
}

/** They are few, and each is sealed by itself: all are looked at. */
export async function personOfEmail(db: Queryable, email: string): Promise<StoredPerson | null> {
  return (await everyPerson(db)).find(isOf(email)) ?? null;
}

export async function everyPerson(db: Queryable): Promise<StoredPerson[]> {
  const all = await readRows(db, peopleIn(db), { text: `select ${PERSON} from people p order by p.created_at, p.id` });
  const place = ({ isDisabled, email }: StoredPerson) => `${isDisabled ? 1 : 0}${email.toLowerCase()}`;
  return all.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

export type NewPerson = Pick<StoredPerson, 'email' | 'name' | 'role' | 'shops' | 'lang'>;

/** Null: somebody has this address already. Within a transaction: of two who are added at once, the second sees the first. */
export async function insertPerson(tx: Queryable, { email, name, role, shops, lang }: NewPerson): Promise<StoredPerson | null> {
  await tx.query('lock table people in share row exclusive mode');
  if ((await personOfEmail(tx, email)) !== null) return null;
  const id = randomUUID();
  return readOne(tx, peopleIn(tx), {
    text: `insert into people as p (id, email, name, role, shops, lang) values ($1, $2, $3, $4, $5, $6) returning ${PERSON}`,
    values: [id, sealedMailbox(tx, { id, email }), name, role, shops, lang],
  });
}

export async function updateLanguage(db: Queryable, id: string, lang: StoredPerson['lang']): Promise<void> {
  await db.query('update people set lang = $2 where id = $1', [id, lang]);
}

const withPassword = rowsOf('people', person.extend({ password: z.string().nullable() }));

/** Whose password is to be checked, with its hash. */
export async function signingIn(db: Queryable, email: string): Promise<z.output<typeof withPassword.schema> | null> {
  const all = await readRows(db, withMailbox(db, withPassword), { text: `select ${PERSON}, p.password from people p` });
  return all.find(isOf(email)) ?? null;
}

/** The same password, hashed anew. */
export async function rehash(db: Queryable, id: string, { from, to }: { from: string; to: string }): Promise<void> {
  await db.query('update people set password = $3 where id = $1 and password = $2', [id, from, to]);
}

const knownRow = rowsOf('people', z.object({ isKnown: z.boolean() }));

/** Did the person of this address, or id, sign in from this network before? */
export async function isNetworkOf(db: Queryable, { account, network }: { account: string; network: string }): Promise<boolean> {
  const id = (await personOfEmail(db, account))?.id ?? account;
  const text = 'select exists (select from people p where p.id::text = $1 and $2 = any (p.networks)) as "isKnown"';
  return (await readOne(db, knownRow, { text, values: [id, network] })).isKnown;
}

const anyRow = rowsOf('people', z.object({ isAny: z.boolean() }));

export async function isAnybodyThere(db: Queryable): Promise<boolean> {
  return (await readOne(db, anyRow, { text: 'select exists (select from people) as "isAny"' })).isAny;
}

/** Within the transaction that ends sessions and links: a sign-in that is under way ends, too. */
export async function raiseAccessVersion(tx: Queryable, id: string): Promise<void> {
  await tx.query('update people set access_version = access_version + 1 where id = $1', [id]);
}
