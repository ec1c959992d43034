import { z } from 'zod';
import type { Queryable } from '../postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../postgres/read-rows.ts';

const made = rowsOf('job', z.object({ isMade: z.boolean() }));
const pause = rowsOf('meta', z.object({ isPaused: z.boolean() }));
const jobs = rowsOf('job', z.object({ timestamp: z.coerce.number() }));
const counts = rowsOf('job', z.object({ waiting: z.number() }));

const PAUSED = `select exists (select from bullmq.meta where queue = $1 and field = 'paused' and value = '1') as "isPaused"`;
const COUNT = `select count(*) as waiting from bullmq.job where queue = $1 and state = 'waiting' and priority = 0`;
const OLDEST = `select added_at_ms as timestamp from bullmq.job where queue = $1 and state = 'waiting' and priority = 0 order by seq limit 1`;

/**
 * Looks at a queue in PostgreSQL, read from BullMQ's tables: asked for the first job that waits, BullMQ gives the last one there, and it takes longer to load than
 * a command to do its work. Before BullMQ has made its tables, nothing waits and nothing is paused.
 */
export function queueInPostgres(db: Queryable, name: string) {
  const values = [name];
  let isMade = false;
  const isThere = async () => {
    isMade ||= (await readOne(db, made, { text: `select to_regclass('bullmq.job') is not null as "isMade"` })).isMade;
    return isMade;
  };
  return {
    name,
    isPaused: async () => (await isThere()) && (await readOne(db, pause, { text: PAUSED, values })).isPaused,
    getJobCounts: async () => ((await isThere()) ? readOne(db, counts, { text: COUNT, values }) : { waiting: 0 }),
    /** The one that waits for longest. */
    getJobs: async () => ((await isThere()) ? readRows(db, jobs, { text: OLDEST, values }) : []),
  };
}
