import { z } from 'zod';
import type { Queryable } from './postgres.ts';
import { isoText, readOne, readRows, rowsOf } from './read-rows.ts';

/** `pid`: null where it is not known. `knows`: the ids of its ENCRYPTION_KEYS. `versions`: of each schema the one that it was made for. */
const shape = z.object({
  id: z.string(),
  role: z.string(),
  host: z.string(),
  pid: z.int().nullable(),
  knows: z.array(z.string()),
  versions: z.record(z.string(), z.int()),
});
const processes = rowsOf('processes', shape.extend({ startedAt: z.string(), seenAt: z.string() }));
const times = rowsOf('processes', z.object({ now: z.string() }));
const outgrown = rowsOf('migrations', z.object({ schema: z.string().nullable() }));

/** A process of orderbridge. */
export type RunningProcess = z.output<typeof shape>;
/** `startedAt`, `seenAt`: by the database’s clock. */
type KnownProcess = z.output<typeof processes.schema>;

/** One that was silent for so long has ended. */
export const SILENT_SECONDS = 60;

/** So long a process goes on by itself: what it has begun by then has ended, by the time limits of statements, before it counts as ended. */
export const UNSEEN_MS = (SILENT_SECONDS * 1_000) / 2;

/** SQL that says that the process of these `values` runs, for a statement that also reads what it must know by then. */
export const PROCESS_RUNS = `here as (insert into jobs.processes (id, role, host, pid, knows, versions) values ($1, $2, $3, $4, $5, $6)
    on conflict (id) do update set seen_at = now(), role = excluded.role, pid = excluded.pid),
  gone as (delete from jobs.processes where seen_at < now() - interval '1 day')`;

export function valuesOf({ id, role, host, pid, knows, versions }: RunningProcess): unknown[] {
  return [id, role, host, pid, knows, versions];
}

export async function processEnds(db: Queryable, id: string): Promise<void> {
  await db.query('delete from jobs.processes where id = $1', [id]);
}

/** Those that run. */
export function runningProcesses(db: Queryable): Promise<KnownProcess[]> {
  return readRows(db, processes, {
    text: `select id, role, host, pid, knows, versions, ${isoText('started_at')} as "startedAt", ${isoText('seen_at')} as "seenAt" from jobs.processes
      where seen_at > now() - make_interval(secs => $1) order by role, host, started_at`,
    values: [SILENT_SECONDS],
  });
}

/** The clock by which processes are seen. */
export async function processTime(db: Queryable): Promise<string> {
  return (await readOne(db, times, { text: `select ${isoText('clock_timestamp()')} as now` })).now;
}

/** The schema that a process of these versions is too old for; null: it may run. */
export async function tooOldFor(db: Queryable, versions: RunningProcess['versions']): Promise<string | null> {
  return (await readOne(db, outgrown, { text: 'select jobs.too_old_for($1) as schema', values: [versions] })).schema;
}

export function named(running: readonly KnownProcess[]): string {
  return running.map(({ role, host, pid, startedAt }) => `${role} on ${host} (${pid === null ? '' : `pid ${pid}, `}since ${startedAt})`).join(', ');
}
