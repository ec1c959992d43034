import { z } from 'zod';
import type { Queryable } from '../postgres/postgres.ts';
import { readOne, readRow, rowsOf } from '../postgres/read-rows.ts';

const made = rowsOf('job', z.object({ isMade: z.boolean() }));
const pause = rowsOf('meta', z.object({ isPaused: z.boolean() }));
const jobs = rowsOf('job', z.object({ timestamp: z.coerce.number() }));
const counts = rowsOf('job', z.object({ waiting: z.number() }));

/** Has BullMQ made its tables? */
export async function queuesAreMade(db: Queryable): Promise<boolean> {
  return (await readOne(db, made, { text: `select to_regclass('bullmq.job') is not null as "isMade"` })).isMade;
}

/** What BullMQ says of a queue in PostgreSQL, read from its tables: BullMQ itself takes longer to load than a command to do its work. */
export function queueInPostgres(db: Queryable, name: string) {
  const values = [name];
  return {
    name,
    isPaused: async () => (await readOne(db, pause, { text: PAUSED, values })).isPaused,
    getJobCounts: () => readOne(db, counts, { text: COUNT, values }),
    /** The one that waits for longest. */
    getJobs: async () => [await readRow(db, jobs, { text: FIRST, values })].filter((one) => one !== null),
  };
}

const PAUSED = `select exists (select from bullmq.meta where queue = $1 and field = 'paused') as "isPaused"`;
/** BullMQ counts those of a paused queue as paused. */
const COUNT = `
  select count(*) as waiting from bullmq.job
  where queue = $1 and state = 'waiting' and priority = 0 and not exists (select from bullmq.meta where queue = $1 and field = 'paused')`;
const FIRST = `select added_at_ms as timestamp from bullmq.job where queue = $1 and state = 'waiting' and priority = 0 order by seq limit 1`;
