import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, readRow } from '../../platform/postgres/read-rows.ts';
import { PROGRAM } from '../../platform/trail/trail.ts';
import { writeBridgeActs } from './bridge-acts.ts';
import { voidLinks } from './link-store.ts';
import { insertPerson, type NewPerson, PERSON, people, personOfEmail, raiseAccessVersion, type StoredPerson } from './people-store.ts';

type Subject = { issuer: string; subject: string };

/** What an identity provider says of somebody; `email`: an address that nobody else can claim there. */
export type Claimed = Subject & Pick<NewPerson, 'email' | 'name' | 'role' | 'lang'>;

/** taken: somebody who comes in another way has the address. */
export type Recognised = { person: StoredPerson } | { why: 'disabled' | 'taken' };

/** Who came in by the provider before; null: nobody. */
export function personOfSubject(db: Queryable, { issuer, subject }: Subject): Promise<StoredPerson | null> {
  return readRow(db, people, { text: `select ${PERSON} from people p where p.issuer = $1 and p.subject = $2`, values: [issuer, subject] });
}

/**
 * The person of a subject, with the role that the provider gives them: known, or new. Whoever was added here by their address, and has no way in yet, is
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
  await writeBridgeActs(tx, [{ who: PROGRAM, act: 'person.added', subject: made.id, after }]);
  return { ...made, issuer: claimed.issuer };
}

/** Links that were mailed to them are no way in any more. */
async function bind(tx: Queryable, person: StoredPerson, claimed: Claimed): Promise<void> {
  await writeSubject(tx, person, claimed);
  await voidLinks(tx, { person: person.id, kinds: ['password', 'sign-in'] });
  await raiseAccessVersion(tx, person.id);
  await writeBridgeActs(tx, [{ who: PROGRAM, act: 'person.bound', subject: person.id, after: { issuer: claimed.issuer } }]);
}

async function writeSubject(tx: Queryable, { id }: StoredPerson, { issuer, subject }: Subject): Promise<void> {
  await tx.query('update people set issuer = $2, subject = $3 where id = $1', [id, issuer, subject]);
}

/** The provider's word counts for the last owner, too: it can make another. An address that somebody else has by now is not taken over. */
async function renewed(tx: Queryable, person: StoredPerson, { role, email, issuer, name }: Claimed): Promise<StoredPerson> {
  const shops = role === 'accountant' ? person.shops : null;
  const now = await readOne(tx, people, {
    text: `update people p set role = $2, shops = $3, name = case when p.name = '' then $4 else p.name end,
        email = case when exists (select from people o where lower(o.email) = lower($5) and o.id <> p.id) then p.email else $5 end
      where p.id = $1 returning ${PERSON}`,
    values: [person.id, role, shops, name, email],
  });
  if (role !== person.role) {
    const [before, after] = [
      { role: person.role, shops: person.shops },
      { role, shops, issuer },
    ];
    await writeBridgeActs(tx, [{ who: PROGRAM, act: 'person.changed', subject: person.id, before, after }]);
  }
  return now;
}
