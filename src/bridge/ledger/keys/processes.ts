import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { DATA_KEYS, dataKeyRows, type StoredDataKey } from './data-keys.ts';

/** A process of orderbridge. `knows`: the ids of its ENCRYPTION_KEYS. */
export type RunningProcess = { id: string; role: string; host: string; knows: readonly string[] };
/** `startedAt`, `seenAt`: by the database’s clock. */
export type KnownProcess = RunningProcess & { startedAt: string; seenAt: string };

const processes = rowsOf(
  'processes',
  z.object({ id: z.string(), role: z.string(), host: z.string(), knows: z.array(z.string()), startedAt: z.string(), seenAt: z.string() }),
);
const times = rowsOf('processes', z.object({ now: z.string() }));

/** One that was silent for so long has ended. */
export const SILENT_SECONDS = 60;

/** Says that the process runs, and reads the data keys, in one statement: anyone who sees the one knows that it knows the other. */
export function processRuns(db: Queryable, { id, role, host, knows }: RunningProcess): Promise<StoredDataKey[]> {
  return readRows(db, dataKeyRows, {
    text: `with here as (insert into processes (id, role, host, knows) values ($1, $2, $3, $4)
        on conflict (id) do update set seen_at = now(), role = excluded.role),
      gone as (delete from processes where seen_at < now() - interval '1 day')
      ${DATA_KEYS}`,
    values: [id, role, host, knows],
  });
}

export async function processEnds(db: Queryable, id: string): Promise<void> {
  await db.query('delete from processes where id = $1', [id]);
}

/** Those that run. */
export function runningProcesses(db: Queryable): Promise<KnownProcess[]> {
  return readRows(db, processes, {
    text: `select id, role, host, knows, ${isoText('started_at')} as "startedAt", ${isoText('seen_at')} as "seenAt" from processes
      where seen_at > now() - make_interval(secs => $1) order by role, host, started_at`,
    values: [SILENT_SECONDS],
  });
}

/** The clock by which processes are seen. */
export async function processTime(db: Queryable): Promise<string> {
  return (await readOne(db, times, { text: `select ${isoText('clock_timestamp()')} as now` })).now;
}
