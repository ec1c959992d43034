import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { PERSON, person, raiseAccessVersion, type StoredPerson, withMailbox } from './people-store.ts';

/** A session that goes on, and whose it is. `isConfirmed`: they proved lately who they are; `isByFactor`: by a second factor. */
export type LiveSession = { session: string; person: StoredPerson; isConfirmed: boolean; isByFactor: boolean };

const liveRow = rowsOf('sessions', person.extend({ session: z.string(), isStale: z.boolean(), isConfirmed: z.boolean(), isByFactor: z.boolean() }));

/** A session ends when nobody came for so long, or so long after its beginning. */
const IDLE = `interval '12 hours'`;
const LONGEST = `interval '7 days'`;
const CONFIRMED = `interval '10 minutes'`;
const LIVE = `s.ended_at is null and s.seen_at > now() - ${IDLE} and s.created_at > now() - ${LONGEST}`;

/**
 * `person`: as they were when their password, link or subject was checked. `instead`: the session that the browser had before; it ends.
 * `confirmedAt`: when they proved who they are; null: nobody knows; absent: now. `prove`: a second factor is used up, before anything is written; false: it
 * can't be used.
 */
export type NewSession = {
  token: Buffer;
  person: Pick<StoredPerson, 'id' | 'accessVersion'>;
  way: string;
  agent: string;
  instead?: string | null;
  confirmedAt?: Date | null;
  prove?: (tx: Queryable) => Promise<boolean>;
  /** A keyed digest of the network from which they come. */
  network?: string;
};

/** Somebody does something, wherever they are signed in: who does nothing for half an hour has left. */
const COME = `update people set left_at = case when seen_at < now() - interval '30 minutes' then seen_at else left_at end, seen_at = now() where id = $1`;

class NotOpened extends Error {}

/** False: what was checked no longer holds; nothing is written. */
export async function openSession(pool: Pool, session: NewSession): Promise<boolean> {
  try {
    await inTransaction(pool, (tx) => writeSession(tx, session));
    return true;
  } catch (thrown) {
    if (thrown instanceof NotOpened) return false;
    throw thrown;
  }
}

/** The newest first, ten of them. */
const KEEP_NETWORK = 'update people set networks = (array_prepend($2, array_remove(networks, $2)))[1:10] where id = $1 and networks[1] is distinct from $2';

async function writeSession(tx: Queryable, { token, person: { id, accessVersion }, way, agent, instead = null, ...given }: NewSession): Promise<void> {
  const { confirmedAt, prove, network } = given;
  // Before any lock of the person: two who hold one, and both want to write, would wait for each other, and so would who disables them meanwhile.
  await tx.query(COME, [id]);
  if (network !== undefined) await tx.query(KEEP_NETWORK, [id, network]);
  if (prove !== undefined && !(await prove(tx))) throw new NotOpened();
  // The lock makes a new password or a reset wait, and then end this session.
  const { rowCount } = await tx.query(
    `insert into sessions (token, person, way, agent, confirmed_at, factor_at)
      select $1, p.id, $3, $4, case when $6 then now() else $7::timestamptz end, case when $8 then now() end from people p
      where p.id = $2 and p.disabled_at is null and p.access_version = $5 for share`,
    [token, id, way, agent, accessVersion, confirmedAt === undefined, confirmedAt ?? null, prove !== undefined],
  );
  if (rowCount === 0) throw new NotOpened();
  if (instead !== null) await endSession(tx, instead);
  await writeBridgeActs(tx, [{ who: `person:${id}`, act: 'person.signed-in', subject: id, after: { way } }]);
}

/**
 * The session of a token, by its SHA-256; null: there is none, it has ended, or its person is disabled. That somebody came is written once a minute.
 * `isLook`: a page that is open asks by itself, which is no visit.
 */
export async function findSession(db: Queryable, token: Buffer, { isLook = false }: { isLook?: boolean } = {}): Promise<LiveSession | null> {
  const row = await readRow(db, withMailbox(db, liveRow), {
    text: `select s.id as session, s.seen_at < now() - interval '1 minute' as "isStale",
        coalesce(s.confirmed_at > now() - ${CONFIRMED}, false) as "isConfirmed",
        coalesce(s.factor_at > now() - ${CONFIRMED}, false) as "isByFactor", ${PERSON}
      from sessions s join people p on p.id = s.person where s.token = $1 and ${LIVE} and p.disabled_at is null`,
    values: [token],
  });
  if (row === null) return null;
  const { session, isStale, isConfirmed, isByFactor, ...found } = row;
  if (isStale && !isLook) {
    // Apart: a sign-in locks the person first.
    await db.query('update sessions set seen_at = now() where id = $1', [session]);
    await db.query(COME, [found.id]);
  }
  return { session, person: found, isConfirmed, isByFactor };
}

const leftRow = rowsOf('people', z.object({ leftAt: z.string().nullable() }));

/** When a person left before they came back (ISO instant); null: they are here for the first time. */
export async function leftAt(db: Queryable, id: string): Promise<string | null> {
  return (await readOne(db, leftRow, { text: 'select left_at as "leftAt" from people where id = $1', values: [id] })).leftAt;
}

/** `token`: under which the session goes on; anyone with the one of before has nothing. */
export type Confirming = { session: string; person: Pick<StoredPerson, 'id' | 'accessVersion'>; token: Buffer };

/**
 * Within a transaction. Who is signed in proved again who they are. False: the session has ended, what was checked no longer holds, or another press of the
 * same button was first.
 */
export async function confirmSession(tx: Queryable, { session, person: { id, accessVersion }, token }: Confirming, way: 'password' | 'code'): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update sessions s set token = $5, confirmed_at = now(), factor_at = case when $4 then now() else s.factor_at end from people p
      where s.id = $1 and p.id = s.person and p.id = $2 and p.access_version = $3 and p.disabled_at is null and s.token <> $5 and ${LIVE}`,
    [session, id, accessVersion, way === 'code', token],
  );
  if (rowCount === 1) await writeBridgeActs(tx, [{ who: `person:${id}`, act: 'person.confirmed', subject: id, after: { way } }]);
  return rowCount === 1;
}

/** False as `confirmSession` says. */
export function confirmByPassword(pool: Pool, confirming: Confirming): Promise<boolean> {
  return inTransaction(pool, (tx) => confirmSession(tx, confirming, 'password'));
}

const shownRow = rowsOf(
  'sessions',
  z.object({ id: z.string(), person: z.string(), way: z.string(), agent: z.string(), createdAt: z.string(), seenAt: z.string() }),
);
export type ShownSession = z.output<typeof shownRow.schema>;

/** Those that go on, of one person or of all, the last seen first. */
export function liveSessions(db: Queryable, whose: string | null): Promise<ShownSession[]> {
  return readRows(db, shownRow, {
    text: `select s.id, s.person, s.way, s.agent, s.created_at as "createdAt", s.seen_at as "seenAt"
      from sessions s where ${LIVE} and ($1::uuid is null or s.person = $1) order by s.seen_at desc, s.id`,
    values: [whose],
  });
}

/** Who signs out ends their own. */
export async function endSession(db: Queryable, session: string): Promise<void> {
  await db.query('update sessions set ended_at = now() where id = $1 and ended_at is null', [session]);
}

/** Which sessions of a person end: one, or all but one. */
export type Ended = { person: string; one?: string; allBut?: string | null };

/** Ends sessions within a transaction; how many there were. */
export async function endSessionsOf(tx: Queryable, { person: whose, one, allBut = null }: Ended): Promise<number> {
  const { rowCount } = await tx.query(
    `update sessions s set ended_at = now() where s.person = $1 and ${LIVE} and ($2::uuid is null or s.id = $2) and ($3::uuid is null or s.id <> $3)`,
    [whose, one ?? null, allBut],
  );
  return rowCount ?? 0;
}

/** Ends sessions, as an act; unless only one ends, sign-ins that are under way end, too. */
export async function endSessions(pool: Pool, ended: Ended, { by }: { by: string }): Promise<number> {
  return inTransaction(pool, async (tx) => {
    if (ended.one === undefined) await raiseAccessVersion(tx, ended.person);
    const count = await endSessionsOf(tx, ended);
    if (count > 0) await writeBridgeActs(tx, [{ who: by, act: 'session.ended', subject: ended.person, after: { sessions: count } }]);
    return count;
  });
}

/** Those that have ended. */
export async function dropOldSessions(db: Queryable): Promise<void> {
  await db.query(`delete from sessions s where not (${LIVE})`);
}
