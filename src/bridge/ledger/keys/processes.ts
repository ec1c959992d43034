import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { DATA_KEYS, dataKeyRows, type StoredDataKey } from './data-keys.ts';

/** A process of orderbridge. `knows`: the ids of its ENCRYPTION_KEYS. */
export type KnownProcess = { id: string; role: string; host: string; pid: number; knows: readonly string[] };

const processes = rowsOf(
  'processes',
  z.object({ id: z.string(), role: z.string(), host: z.string(), pid: z.int(), knows: z.array(z.string()), seenAt: z.string() }),
);
const times = rowsOf('processes', z.object({ now: z.string() }));

/** One that was silent for so long has ended. */
export const SILENT_SECONDS = 60;

/** Says that the process runs, and reads the data keys, in one statement: anyone who sees the one knows that it knows the other. */
export function processRuns(db: Queryable, { id, role, host, pid, knows }: KnownProcess): Promise<StoredDataKey[]> {
  return readRows(db, dataKeyRows, {
    text: `with here as (insert into processes (id, role, host, pid, knows) values ($1, $2, $3, $4, $5)
        on conflict (id) do update set seen_at = now(), role = excluded.role),
      gone as (delete from processes where seen_at < now() - interval '1 day')
      ${DATA_KEYS}`,
    values: [id, role, host, pid, knows],
  });
}

export async function processEnds(db: Queryable, id: string): Promise<void> {
  await db.query('delete from processes where id = $1', [id]);
}

/** Those that run. */
export function runningProcesses(db: Queryable): Promise<(KnownProcess & { seenAt: string })[]> {
  return readRows(db, processes, {
    text: `select id, role, host, pid, knows, ${isoText('seen_at')} as "seenAt" from processes
      where seen_at > now() - make_interval(secs => $1) order by role, host, pid`,
    values: [SILENT_SECONDS],
  });
}

/** The clock by which processes are seen. */
export async function processTime(db: Queryable): Promise<string> {
  return (await readOne(db, times, { text: `select ${isoText('clock_timestamp()')} as now` })).now;
}
