import { z } from 'zod';
import type { LocalizedText } from '../../../contract/messages.ts';
import { isUuid } from '../../../contract/uuid.ts';
import type { Actor } from '../../../platform/audit-log/audit-log.ts';
import type { Pool, Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { jsonText } from '../json-columns.ts';

const kind = z.enum(['compare', 'repair', 'plan', 'backfill', 'test']);
/** compare, repair: sides compared, and repaired. plan, backfill: what would be taken in, and the taking in. test: a test order. */
export type TaskKind = z.output<typeof kind>;

export type NewTask = { connectionId: string; kind: TaskKind; who: Actor; about: unknown };

const taskRow = rowsOf(
  'tasks',
  z.object({
    ...{ id: z.string(), connectionId: z.string(), kind, who: z.string(), at: z.string(), about: z.unknown(), seen: z.int(), result: z.unknown() },
    problem: z.object({ en: z.string(), bg: z.string() }).nullable(),
    hasEnded: z.boolean(),
  }),
);
const idRow = rowsOf('tasks', z.object({ id: z.string() }));

export type Task = z.output<typeof taskRow.schema>;

const COLUMNS = `id, connection_id as "connectionId", kind, who, at, about, seen, result, problem, ended_at is not null as "hasEnded"`;

// Anyone who begins it works on it at once; if that one dies first, another process does.
const INSERT = `with made as (insert into tasks (connection_id, kind, who, about) values ($1, $2, $3, $4)
    on conflict (connection_id) where ended_at is null do nothing returning id),
  job as (insert into jobs (kind, key, due_at) select 'task', id::text, now() + interval '10 seconds' from made)
  select id from made`;

/** Begins a task of a store, with its job; null: another one of it has not ended. */
export async function insertTask(pool: Pool, { connectionId, kind, who, about }: NewTask): Promise<string | null> {
  return (await readRow(pool, idRow, { text: INSERT, values: [connectionId, kind, who, jsonText(about)] }))?.id ?? null;
}

/** Null: it has ended, or is gone. */
export function openTask(pool: Pool, id: string): Promise<Task | null> {
  return readRow(pool, taskRow, { text: `select ${COLUMNS} from tasks where id = $1 and ended_at is null`, values: [id] });
}

/** Anyone who works on it came so far. */
export async function stampTask(db: Queryable, id: string, seen: number): Promise<void> {
  await db.query('update tasks set seen = $2 where id = $1 and ended_at is null', [id, seen]);
}

export async function endTask(db: Queryable, id: string, end: { seen: number; result: unknown; problem: LocalizedText | null }): Promise<void> {
  const { seen, result, problem } = end;
  await db.query('update tasks set ended_at = now(), seen = $2, result = $3, problem = $4 where id = $1', [
    id,
    seen,
    result === null ? null : jsonText(result),
    problem === null ? null : jsonText(problem),
  ]);
}

/** The last tasks of a store, the newest first. */
export function tasksOf(pool: Pool, connectionId: string, limit: number): Promise<Task[]> {
  return readRows(pool, taskRow, {
    text: `select ${COLUMNS} from tasks where connection_id = $1 order by at desc, id limit $2`,
    values: [connectionId, limit],
  });
}

/** Null: the store has none with this id. */
export function findTask(pool: Pool, { connectionId, id }: { connectionId: string; id: string }): Promise<Task | null> {
  if (!isUuid(id)) return Promise.resolve(null);
  return readRow(pool, taskRow, { text: `select ${COLUMNS} from tasks where connection_id = $1 and id = $2`, values: [connectionId, id] });
}

/** Drops tasks that are too long ago; returns how many. */
export async function dropOldTasks(pool: Pool, { days, now }: { days: number; now: Date }): Promise<number> {
  const { rowCount } = await pool.query(`delete from tasks where at < $2::timestamptz - $1 * interval '1 day'`, [days, now]);
  return rowCount ?? 0;
}
