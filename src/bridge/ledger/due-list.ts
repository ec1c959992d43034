import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { BEHIND, FREE } from './behind-store.ts';

/** waiting: to be processed now. active: a worker has it. delayed: to be processed later. */
export type DueState = 'waiting' | 'active' | 'delayed';

/** An order that is behind, without what was bought. `dueAt`: ISO instant. */
export type ListedDue = z.output<typeof listedDue>;

const STATE = `case when not ${FREE} then 'active' when o.due_at <= now() then 'waiting' else 'delayed' end`;

const counted = rowsOf('orders', z.object({ waiting: z.int(), active: z.int(), delayed: z.int() }));
const text = z.string().nullable();
const listedDue = z.object({
  id: z.int(),
  connectionId: z.string(),
  ...{ number: text, total: text, currency: text },
  attempts: z.int(),
  since: text,
  dueAt: text,
});
const listed = rowsOf('orders', listedDue);
const COLUMNS = `o.id, o.connection_id as "connectionId", o.number, o.total::text as total, o.currency, o.attempts,
  coalesce(o.dirty_since, o.updated_at) as since, o.due_at as "dueAt"`;

/** How many orders are behind, by what they wait for. */
export async function countDue(pool: Pool): Promise<Record<DueState, number>> {
  return readOne(pool, counted, {
    text: `select count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'active') as active, count(*) filter (where state = 'delayed') as delayed
      from (select ${STATE} as state from orders o where ${BEHIND}) o`,
  });
}

/** The orders in these states, the next one first: those from `from` to `to`, counted from 0. */
export async function listDue(pool: Pool, { states, from, to }: { states: readonly DueState[]; from: number; to: number }): Promise<ListedDue[]> {
  return readRows(pool, listed, {
    text: `select ${COLUMNS} from orders o where ${BEHIND} and ${STATE} = any($1) order by o.due_at, o.id offset $2 limit $3`,
    values: [states, from, Math.max(0, to - from + 1)],
  });
}

/** One order, whatever it waits for; null: there is none. */
export async function findDue(pool: Pool, id: number): Promise<ListedDue | null> {
  const [row] = await readRows(pool, listed, { text: `select ${COLUMNS} from orders o where o.id = $1`, values: [id] });
  return row ?? null;
}
