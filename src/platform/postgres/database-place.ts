import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from './postgres.ts';
import { readOne, readRows, rowsOf } from './read-rows.ts';

/** SQL that is true, or throws where the database was restored, copied or promoted: for the statements that record. */
export const SAME_DATABASE = '(select jobs.same_database())';
/** The same, and false there. */
export const MAY_RECORD = '(select jobs.may_record())';
/** What it throws. */
export const OTHER_DATABASE = 'OB005';

/** moved: the database is elsewhere than it says. older: it lacks what it had. copied: the files of an embedded one are a copy. */
export const STOPS = ['moved', 'older', 'copied'] as const;
export type RecordingStop = (typeof STOPS)[number];

const shape = z.object({
  id: z.uuid(),
  epoch: z.int(),
  place: z.string(),
  here: z.string(),
  start: z.string(),
  isVerified: z.boolean(),
  timeline: z.int(),
  beat: z.int(),
  wasSynchronous: z.boolean(),
  isSynchronous: z.boolean(),
  mark: z.string().nullable(),
  stopped: z.enum(STOPS).nullable(),
  since: z.string().nullable(),
});
const places = rowsOf('jobs.database', shape);

/** Where the database says that it is, and where it is (`here`); `start`: of its server; `isVerified`: a program has looked since. */
export type DatabasePlace = z.output<typeof shape>;

const IS_SYNCHRONOUS = `current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') not in ('off', 'local')`;
const READ = `select d.id, d.epoch, d.place, h.here, jobs.server_start() as start, coalesce(d.verified = jobs.server_start(), false) as "isVerified", split_part(h.here, '/', 3)::int as timeline, b.beat, d.synchronous as "wasSynchronous",
    (${IS_SYNCHRONOUS}) as "isSynchronous", d.mark, d.stopped, d.since
  from jobs.database d, jobs.beats b, (select jobs.place() as here) h`;

export function readPlace(db: Queryable): Promise<DatabasePlace> {
  return readOne(db, places, { text: READ });
}

/** A program has looked since the server's start; what may not record needs no other look. */
export async function isVerified(db: Queryable): Promise<boolean> {
  return (await db.query('select from jobs.database where verified = jobs.server_start() or stopped is not null')).rowCount === 1;
}

/** Until the end of the transaction nobody else changes it. */
export async function lockPlace(tx: Queryable): Promise<DatabasePlace> {
  return readOne(tx, places, { text: `${READ} for update of d` });
}

/** What the database had at least, by name; each only rises. */
export type Marks = ReadonlyMap<string, number>;

const marks = rowsOf('compliance.merchants', z.object({ name: z.string(), value: z.number() }));
const COMPANY = 'company:';
/** A turn begins where a company's next number was lowered, because a skip was taken back. */
const TURN = 1e11;

/** How far each company's document numbers got; `db` has our compliance service. */
export async function companyMarks(db: Queryable): Promise<Marks> {
  const text = `select '${COMPANY}' || id as name, turn * ${TURN} + next_number::float8 as value from compliance.merchants`;
  return new Map((await readRows(db, marks, { text })).map(({ name, value }) => [name, value]));
}

/** The next document number of a company, as the marks have it. */
export function nextIn(known: Marks, merchant: string): number | null {
  const mark = known.get(COMPANY + merchant);
  return mark === undefined ? null : mark % TURN;
}

export function companiesOf(known: Marks): string[] {
  return [...known.keys()].filter((name) => name.startsWith(COMPANY)).map((name) => name.slice(COMPANY.length));
}

/** Of each name the highest that any of them has. */
export function highest(...all: readonly Marks[]): Marks {
  const risen = new Map<string, number>();
  for (const [name, value] of all.flatMap((marks) => [...marks])) risen.set(name, Math.max(value, risen.get(name) ?? 0));
  return risen;
}

/** How far the database got. What may begin anew when a person said so has the epoch in its name. */
export function marksOf({ epoch, timeline, beat }: Pick<DatabasePlace, 'epoch' | 'timeline' | 'beat'>, companies: Marks): Marks {
  return new Map([['epoch', epoch], [`timeline@${epoch}`, timeline], [`beat@${epoch}`, beat], ...companies]);
}

/** Names of marks that the database does not reach. */
export function behind(now: Marks, known: Marks): string[] {
  const isOfEpoch = (name: string) => now.has(name) || name.startsWith(COMPANY);
  return [...known].flatMap(([name, value]) => (isOfEpoch(name) && (now.get(name) ?? 0) < value ? [name] : []));
}

/** Only the timeline went on: a replica was promoted. */
export function isPromoted({ place, here }: Pick<DatabasePlace, 'place' | 'here'>): boolean {
  const [before, now] = [place, here].map((text) => text.split('/'));
  return before?.[0] === now?.[0] && before?.[1] === now?.[1] && Number(now?.[2]) > Number(before?.[2]);
}

/** Why nothing may be recorded, as far as the database knows; null: it may. A replica that was promoted has all that was answered, if that was replicated first. */
export function stopOf(place: DatabasePlace): RecordingStop | null {
  if (place.stopped !== null) return place.stopped;
  return place.place === place.here || (place.wasSynchronous && isPromoted(place)) ? null : 'moved';
}

const VERIFY = `update jobs.database set verified = $1 where stopped is null and place = jobs.place() and verified is distinct from $1 and jobs.server_start() = $1`;

/**
 * That a program is there which saw that the database lacks nothing: it may record until the server is started anew. A counter rises, whose value is
 * returned, and is on disk. Null: the database is another one meanwhile.
 */
export async function beat(pool: Pool, { isSynchronous, wasSynchronous, start, isVerified }: DatabasePlace): Promise<number | null> {
  return inTransaction(pool, async (tx) => {
    // What is known elsewhere may not be lost here by a crash.
    await tx.query(`select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off'`);
    if (isSynchronous !== wasSynchronous) await tx.query('update jobs.database set synchronous = $1', [isSynchronous]);
    if (!isVerified) await tx.query(VERIFY, [start]);
    const risen = rowsOf('jobs.beats', z.object({ beat: z.int() }));
    const text = `update jobs.beats set beat = beat + 1 where jobs.may_record() returning beat`;
    const [row] = await readRows(tx, risen, { text });
    return row?.beat ?? null;
  });
}

/** Nothing is recorded any more. True: it was, until now. */
export async function stopRecording(db: Queryable, stop: RecordingStop): Promise<boolean> {
  return (await db.query('update jobs.database set stopped = $1, since = now() where stopped is null', [stop])).rowCount === 1;
}

/** It may record where it is. `epoch`: a person said so. */
export async function takePlace(tx: Queryable, { epoch }: { epoch: number }): Promise<void> {
  await tx.query('update jobs.database set place = jobs.place(), verified = jobs.server_start(), stopped = null, since = null, epoch = $1', [epoch]);
}

/** By which file of DATA_DIR the embedded database knows it. */
export async function setMark(db: Queryable, mark: string): Promise<void> {
  await db.query('update jobs.database set mark = $1', [mark]);
}
