import { z } from 'zod';
import { findTask, type Task, type TaskKind, tasksOf } from '../../../../bridge/ledger/sync/task-store.ts';
import type { LocalizedText } from '../../../../contract/messages.ts';
import { actorNames } from '../../../../operations/people/people.ts';
import { type BackfillPlan, backfillPlan } from '../../../../operations/reconciliation/backfill.ts';
import type { Window } from '../../../../operations/reconciliation/window.ts';
import { type ComparedStore, comparedStore, type TestedOrder, taskAbouts, testedOrder } from '../../../../operations/tasks/begin-task.ts';
import type { Pool } from '../../../../platform/postgres/postgres.ts';

/** working: a job is at it. failed: it can't be done. done: see its result. */
export type TaskState = 'working' | 'failed' | 'done';

/** What somebody began on a store's page. `by`: their name. `seen`: how many orders were read. `isLast`: nothing was begun there since. */
export type ShownTask = {
  id: string;
  kind: TaskKind;
  by: string;
  at: string;
  seen: number;
  is: TaskState;
  problem: LocalizedText | null;
  isLast: boolean;
  of: TaskOf | null;
};

type Deps = { pool: Pool };

/** Null: the store has none with this id, or it was more than 90 days ago. */
export async function showTask({ pool }: Deps, { connectionId, id }: { connectionId: string; id: string }): Promise<ShownTask | null> {
  const [task, [last]] = await Promise.all([findTask(pool, { connectionId, id }), tasksOf(pool, connectionId, 1)]);
  if (task === null) return null;
  const names = await actorNames(pool, [task.who]);
  return shown(task, names, last?.id === task.id);
}

/** The last ones of a store, the newest first. */
export async function listTasks({ pool }: Deps, connectionId: string, limit: number): Promise<ShownTask[]> {
  const tasks = await tasksOf(pool, connectionId, limit);
  const names = await actorNames(
    pool,
    tasks.map(({ who }) => who),
  );
  return tasks.map((task, i) => shown(task, names, i === 0));
}

function shown(task: Task, names: ReadonlyMap<string, string>, isLast: boolean): ShownTask {
  const { id, kind, who, at, seen, problem } = task;
  return { id, kind, by: names.get(who) ?? who, at, seen, is: stateOf(task), problem, isLast, of: taskOf(task) };
}

function stateOf({ hasEnded, problem }: Task): TaskState {
  if (problem !== null) return 'failed';
  return hasEnded ? 'done' : 'working';
}

const text = z.string();

/** `unread`: orders that the store does not show whole. */
const taken = z.object({ taken: z.int(), unread: z.array(text) });
export type TakenIn = z.output<typeof taken>;

/** What a task is about, and what came of it; `result` null: nothing yet. */
export type TaskOf =
  | { kind: 'compare' | 'repair'; about: Window; result: ComparedStore | null }
  | { kind: 'plan'; about: z.output<typeof taskAbouts.plan>; result: BackfillPlan | null }
  | { kind: 'backfill'; about: z.output<typeof taskAbouts.backfill>; result: TakenIn | null }
  | { kind: 'test'; about: z.output<typeof taskAbouts.test>; result: TestedOrder | null };

/** A stored task; null: a later release wrote it. */
function taskOf({ kind, about, result }: Task): TaskOf | null {
  switch (kind) {
    case 'compare':
    case 'repair':
      return parsed(kind, taskAbouts[kind].safeParse(about), comparedStore.nullable().safeParse(result));
    case 'plan':
      return parsed(kind, taskAbouts.plan.safeParse(about), backfillPlan.nullable().safeParse(result));
    case 'backfill':
      return parsed(kind, taskAbouts.backfill.safeParse(about), taken.nullable().safeParse(result));
    case 'test':
      return parsed(kind, taskAbouts.test.safeParse(about), testedOrder.nullable().safeParse(result));
  }
}

type Parsed<T> = { success: boolean; data?: T | undefined };

function parsed<Kind, About, Result>(kind: Kind, about: Parsed<About>, result: Parsed<Result>): { kind: Kind; about: About; result: Result } | null {
  if (!about.success || !result.success) return null;
  return { kind, about: about.data as About, result: result.data as Result };
}
