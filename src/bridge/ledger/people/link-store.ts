import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { PERSON, peopleIn, person, type StoredPerson, withMailbox } from './people-store.ts';

/** setup: the set-up link, of nobody yet. password: choose one. sign-in: sign in once. factor: the rest of a sign-in was right. (`passkey-store.ts` has another.) */
export type LinkKind = 'setup' | 'password' | 'sign-in' | 'factor';

/** `token`: SHA-256 of what its address says. `accessVersion`: as it was when the link was asked for; absent: whatever it is. */
export type NewLink = {
  token: Buffer;
  kind: Exclude<LinkKind, 'setup' | 'factor'>;
  person: Pick<StoredPerson, 'id'> & Partial<Pick<StoredPerson, 'accessVersion'>>;
  minutes: number;
};

export async function insertSetupLink(db: Queryable, { token, minutes }: Pick<NewLink, 'token' | 'minutes'>): Promise<void> {
  await db.query(`insert into sign_in_links (token, kind, person, expires_at) values ($1, 'setup', null, now() + $2 * interval '1 minute')`, [token, minutes]);
}

/** False: nobody may use it, as its person was disabled, or signs in otherwise since they were read. */
async function insertLink(db: Queryable, { token, kind, person: { id, accessVersion }, minutes }: NewLink): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into sign_in_links (token, kind, person, expires_at)
      select $1, $2, p.id, now() + $4 * interval '1 minute' from people p where p.id = $3 and ($5::int is null or p.access_version = $5) and p.disabled_at is null for share`,
    [token, kind, id, minutes, accessVersion ?? null],
  );
  return rowCount === 1;
}

/** A link instead of all of its kind: of two that are made at once, one is left. */
export function replaceLink(pool: Pool, link: NewLink): Promise<void> {
  const { person, kind } = link;
  return inTransaction(pool, async (tx) => {
    await tx.query('select from people where id = $1 for no key update', [person.id]);
    await voidLinks(tx, { person: person.id, kinds: [kind] });
    await insertLink(tx, link);
  });
}

/** A link beside those that there are, unless there are `most`, also of those that are made at once. False: there are, or nobody may use it. */
export function addLink(pool: Pool, link: NewLink, most: number): Promise<boolean> {
  const { person, kind } = link;
  return inTransaction(pool, async (tx) => {
    await tx.query('select from people where id = $1 for no key update', [person.id]);
    return (await countLinks(tx, person.id, kind)) < most && insertLink(tx, link);
  });
}

/** `token`: SHA-256 of what the browser keeps. */
export type NewHalfSignIn = { token: Buffer; person: Pick<StoredPerson, 'id' | 'accessVersion'>; way: string; minutes: number };

/** The rest was right, and a second factor is to come. False: what was checked no longer holds. */
export async function insertHalfSignIn(db: Queryable, { token, person: { id, accessVersion }, way, minutes }: NewHalfSignIn): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into sign_in_links (token, kind, person, access_version, way, expires_at)
      select $1, 'factor', p.id, $3, $4, now() + $5 * interval '1 minute' from people p where p.id = $2 and p.access_version = $3 and p.disabled_at is null for share`,
    [token, id, accessVersion, way, minutes],
  );
  return rowCount === 1;
}

const half = rowsOf('sign_in_links', person.extend({ way: z.string() }));

/** Null: it can't be used, or what was checked before no longer holds. */
export function halfSignIn(db: Queryable, token: Buffer): Promise<z.output<typeof half.schema> | null> {
  return readRow(db, withMailbox(db, half), {
    text: `select ${PERSON}, l.way from sign_in_links l join people p on p.id = l.person and p.access_version = l.access_version
      where l.token = $1 and l.kind = 'factor' and ${LIVE} and p.disabled_at is null`,
    values: [token],
  });
}

const LIVE = 'l.used_at is null and l.expires_at > now()';

/** Can this link of nobody be used? */
export async function isSetupLink(db: Queryable, token: Buffer): Promise<boolean> {
  const row = await readRow(db, countRow, {
    text: `select count(*)::int from sign_in_links l where l.token = $1 and l.kind = 'setup' and ${LIVE}`,
    values: [token],
  });
  return row?.count === 1;
}

/** Whose link it is; null: it can't be used, or its person is disabled. */
export function personOfLink(db: Queryable, token: Buffer, kind: LinkKind): Promise<StoredPerson | null> {
  return readRow(db, peopleIn(db), {
    text: `select ${PERSON} from sign_in_links l join people p on p.id = l.person
      where l.token = $1 and l.kind = $2 and ${LIVE} and p.disabled_at is null`,
    values: [token, kind],
  });
}

/** Uses it up, within the transaction of what it is used for. False: it can't be used. */
export async function useLink(tx: Queryable, token: Buffer, kind: LinkKind): Promise<boolean> {
  const { rowCount } = await tx.query(`update sign_in_links l set used_at = now() where l.token = $1 and l.kind = $2 and ${LIVE}`, [token, kind]);
  return rowCount === 1;
}

/** Earlier links of a person, or those of nobody, can't be used any more. */
export async function voidLinks(db: Queryable, { person, kinds }: { person: string | null; kinds: readonly LinkKind[] }): Promise<void> {
  await db.query('delete from sign_in_links where person is not distinct from $1 and kind = any ($2)', [person, kinds]);
}

const countRow = rowsOf('sign_in_links', z.object({ count: z.int() }));

/** How many links of this kind a person could use now. */
async function countLinks(db: Queryable, person: string, kind: LinkKind): Promise<number> {
  const row = await readRow(db, countRow, {
    text: `select count(*)::int from sign_in_links l where l.person = $1 and l.kind = $2 and ${LIVE}`,
    values: [person, kind],
  });
  return row?.count ?? 0;
}

const openRow = rowsOf('sign_in_links', z.object({ person: z.string(), expiresAt: z.string() }));

/** Who has a link by which they may choose a password, and until when. */
export function openLinks(db: Queryable): Promise<z.output<typeof openRow.schema>[]> {
  return readRows(db, openRow, {
    text: `select l.person, max(l.expires_at) as "expiresAt" from sign_in_links l where l.kind = 'password' and l.person is not null and ${LIVE} group by 1`,
  });
}

/** Those that nobody can use any more. */
export async function dropOldLinks(db: Queryable): Promise<void> {
  await db.query(`delete from sign_in_links l where not (${LIVE})`);
}
