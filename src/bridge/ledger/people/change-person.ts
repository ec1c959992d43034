import { z } from 'zod';
import { difference, PROGRAM } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { type BridgeAct, writeBridgeActs } from '../bridge-acts.ts';
import { useLink, voidLinks } from './link-store.ts';
import { deletePasskeysOf } from './passkey-store.ts';
import {
  insertPerson,
  type NewPerson,
  PERSON,
  peopleIn,
  personOfEmail,
  personOfId,
  raiseAccessVersion,
  type StoredPerson,
  sealedMailbox,
} from './people-store.ts';
import { writePersonAct } from './person-acts.ts';
import { endSessionsOf } from './session-store.ts';

type By = { by: string };

/** Null: somebody has this address already. */
export async function addPerson(pool: Pool, given: NewPerson, { by }: By): Promise<StoredPerson | null> {
  return inTransaction(pool, async (tx) => {
    const made = await insertPerson(tx, given);
    if (made !== null) await note(tx, 'person.added', { subject: made.id, by, after: shown(made) });
    return made;
  });
}

/** `token`: of the link of the set-up link. */
export type FirstOwner = { token: Buffer; password: string } & Pick<NewPerson, 'email' | 'name' | 'lang'>;

/** The first person, made by themselves. Null: the link can't be used, or somebody is there already. */
export async function addFirstOwner(pool: Pool, { token, password, ...given }: FirstOwner): Promise<StoredPerson | null> {
  return inTransaction(pool, async (tx) => {
    await tx.query('lock table people in share row exclusive mode');
    const { count } = await readOne(tx, countRow, { text: 'select count(*)::int from people' });
    if (count > 0 || !(await useLink(tx, token, 'setup'))) return null;
    const made = await insertPerson(tx, { ...given, role: 'owner', shops: null });
    if (made === null) return null;
    await tx.query('update people set password = $2 where id = $1', [made.id, password]);
    await writeBridgeActs(tx, [{ who: `person:${made.id}`, act: 'person.added', subject: made.id, after: shown(made) }]);
    return { ...made, hasPassword: true };
  });
}

const countRow = rowsOf('people', z.object({ count: z.int() }));

/** Without the last owner nobody could let anybody in. */
export type Changed = 'done' | 'missing' | 'last-owner';
export type PersonChange = Partial<Pick<StoredPerson, 'name' | 'lang' | 'role' | 'shops'>>;

export async function changePerson(pool: Pool, id: string, { change, by }: { change: PersonChange } & By): Promise<Changed> {
  return withOwnerLeft(pool, id, async (tx, before) => {
    const { name, lang, role, shops } = { ...before, ...change };
    await tx.query('update people set name = $2, lang = $3, role = $4, shops = $5 where id = $1', [id, name, lang, role, shops]);
    const differs = difference(shown(before), shown({ ...before, name, role, shops }));
    if (differs !== null) await note(tx, 'person.changed', { subject: id, by, ...differs });
  });
}

/** Disabled: their sessions and links end, too. */
export async function disablePerson(pool: Pool, id: string, { isDisabled, by }: { isDisabled: boolean } & By): Promise<Changed> {
  return withOwnerLeft(pool, id, async (tx, before) => {
    if (before.isDisabled === isDisabled) return;
    await tx.query('update people set disabled_at = case when $2 then now() end where id = $1', [id, isDisabled]);
    if (isDisabled) await shutOut(tx, id);
    await note(tx, isDisabled ? 'person.disabled' : 'person.enabled', { subject: id, by });
  });
}

/** Their password is no longer one, the identity provider's subject is theirs no more, and their sessions and links end. */
export async function resetPerson(pool: Pool, id: string, { by }: By): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await tx.query('update people set password = null, issuer = null, subject = null where id = $1', [id]);
    await shutOut(tx, id);
    await note(tx, 'person.reset', { subject: id, by });
  });
}

/** `allBut`: the session in which they do it. */
type NewPassword = { password: string; allBut?: string | null };
type Checked = Pick<StoredPerson, 'id' | 'accessVersion'>;

/** A person chose a password. False: what was checked of them no longer holds, or their session has ended; nothing is written. */
export async function keepPassword(pool: Pool, checked: Checked, given: NewPassword): Promise<boolean> {
  return inTransaction(pool, async (tx) => (await writePassword(tx, checked, given)) !== null);
}

/** By a link. Null: it can't be used. */
export async function passwordByLink(pool: Pool, token: Buffer, given: NewPassword): Promise<StoredPerson | null> {
  return inTransaction(pool, async (tx) => {
    // Before any row: who locked the table for a change of an owner and wants a row of it would wait for us, and we for the table.
    await tx.query('lock table people in row exclusive mode');
    const whose = await readRow(tx, peopleIn(tx), {
      text: `select ${PERSON} from people p join sign_in_links l on l.person = p.id where l.token = $1 and p.disabled_at is null for update of p`,
      values: [token],
    });
    if (whose === null || !(await useLink(tx, token, 'password'))) return null;
    return writePassword(tx, whose, given);
  });
}

async function writePassword(tx: Queryable, { id, accessVersion }: Checked, { password, allBut = null }: NewPassword): Promise<StoredPerson | null> {
  const now = await readRow(tx, peopleIn(tx), {
    text: `update people p set password = $2, access_version = p.access_version + 1 where p.id = $1 and p.disabled_at is null and p.access_version = $3
        and ($4::uuid is null or exists (select from sessions s where s.id = $4 and s.ended_at is null)) returning ${PERSON}`,
    values: [id, password, accessVersion, allBut],
  });
  if (now === null) return null;
  await endSessionsOf(tx, { person: id, allBut });
  await voidLinks(tx, { person: id, kinds: ['password', 'sign-in', 'factor'] });
  await note(tx, 'person.password-chosen', { subject: id, by: `person:${id}` });
  return now;
}

/** Their sessions and links end, and sign-ins that are under way. */
export async function shutOut(tx: Queryable, id: string): Promise<void> {
  await raiseAccessVersion(tx, id);
  await endSessionsOf(tx, { person: id });
  await voidLinks(tx, { person: id, kinds: ['password', 'sign-in', 'factor'] });
}

class LastOwner extends Error {}

/** Two owners who lower each other at the same moment do so one after the other. */
async function withOwnerLeft(pool: Pool, id: string, change: (tx: Queryable, before: StoredPerson) => Promise<void>): Promise<Changed> {
  try {
    return await inTransaction(pool, async (tx) => {
      await tx.query('lock table people in share row exclusive mode');
      const before = await personOfId(tx, id);
      if (before === null) return 'missing';
      await change(tx, before);
      const { count } = await readOne(tx, countRow, { text: `select count(*)::int from people where role = 'owner' and disabled_at is null` });
      if (count === 0 && before.role === 'owner' && !before.isDisabled) throw new LastOwner();
      return 'done';
    });
  } catch (thrown) {
    if (thrown instanceof LastOwner) return 'last-owner';
    throw thrown;
  }
}

/** The audit log stays for good: addresses are not in it. */
function shown({ role, shops }: StoredPerson): Record<string, unknown> {
  return { role, shops };
}

async function note(tx: Queryable, act: BridgeAct, { by, ...noted }: By & { subject: string; before?: unknown; after?: unknown }): Promise<void> {
  await writePersonAct(tx, { who: by, act, ...noted });
}

type Subject = { issuer: string; subject: string };

/** What an identity provider says of somebody; `email`: an address that nobody else can claim there. */
type Claimed = Subject & Pick<NewPerson, 'email' | 'name' | 'role' | 'lang'>;

/** taken: somebody who comes in another way has the address. */
type Recognised = { person: StoredPerson } | { why: 'disabled' | 'taken' };

/** Who came in by the provider before; null: nobody. */
export function personOfSubject(db: Queryable, { issuer, subject }: Subject): Promise<StoredPerson | null> {
  return readRow(db, peopleIn(db), { text: `select ${PERSON} from people p where p.issuer = $1 and p.subject = $2`, values: [issuer, subject] });
}

/**
 * The person of a subject, with the role that the provider gives them: known, or new. Anyone who was added here by their address, and has no way in yet, is
 * bound to the subject. Two browsers that come at once come one after the other.
 */
export async function recognise(pool: Pool, claimed: Claimed): Promise<Recognised> {
  return inTransaction(pool, async (tx) => {
    await tx.query('lock table people in share row exclusive mode');
    const known = await personOfSubject(tx, claimed);
    const person = known ?? (await personOfEmail(tx, claimed.email));
    if (person === null) return { person: await added(tx, claimed) };
    if (person.isDisabled) return { why: 'disabled' };
    if (known === null && (person.hasPassword || person.issuer !== null)) return { why: 'taken' };
    if (known === null) await bind(tx, person, claimed);
    return { person: await renewed(tx, person, claimed) };
  });
}

async function added(tx: Queryable, claimed: Claimed): Promise<StoredPerson> {
  const made = await insertPerson(tx, { ...claimed, shops: null });
  if (made === null) throw new Error('nobody had this address a moment ago');
  await writeSubject(tx, made, claimed);
  const after = { role: made.role, shops: null, issuer: claimed.issuer };
  await writePersonAct(tx, { who: PROGRAM, act: 'person.added', subject: made.id, after });
  return { ...made, issuer: claimed.issuer };
}

/** Links that were mailed to them are no way in any more, and a second step is the provider's: nobody could change the one from here. */
async function bind(tx: Queryable, person: StoredPerson, claimed: Claimed): Promise<void> {
  await writeSubject(tx, person, claimed);
  await tx.query(`update people set factor = null, recovery_codes = '{}' where id = $1`, [person.id]);
  await deletePasskeysOf(tx, person.id);
  await voidLinks(tx, { person: person.id, kinds: ['password', 'sign-in'] });
  await raiseAccessVersion(tx, person.id);
  await writePersonAct(tx, { who: PROGRAM, act: 'person.bound', subject: person.id, after: { issuer: claimed.issuer } });
}

async function writeSubject(tx: Queryable, { id }: StoredPerson, { issuer, subject }: Subject): Promise<void> {
  await tx.query('update people set issuer = $2, subject = $3 where id = $1', [id, issuer, subject]);
}

/** The provider's word counts for the last owner, too: it can make another. An address that somebody else has by now is not taken over. */
async function renewed(tx: Queryable, person: StoredPerson, { role, email, issuer, name }: Claimed): Promise<StoredPerson> {
  const shops = role === 'accountant' ? person.shops : null;
  const owner = await personOfEmail(tx, email);
  const mailbox = owner === null || owner.id === person.id ? sealedMailbox(tx, { id: person.id, email }) : null;
  const now = await readOne(tx, peopleIn(tx), {
    text: `update people p set role = $2, shops = $3, name = case when p.name = '' then $4 else p.name end, email = coalesce($5, p.email)
      where p.id = $1 returning ${PERSON}`,
    values: [person.id, role, shops, name, mailbox],
  });
  if (role !== person.role) {
    const [before, after] = [
      { role: person.role, shops: person.shops },
      { role, shops, issuer },
    ];
    await writePersonAct(tx, { who: PROGRAM, act: 'person.changed', subject: person.id, before, after });
  }
  return now;
}
