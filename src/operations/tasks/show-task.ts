import { findTask, type Task, type TaskKind, tasksOf } from '../../bridge/ledger/task-store.ts';
import type { Said } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { actorNames } from '../people/actor-names.ts';
import { type TaskOf, taskOf } from './task-result.ts';

/** working: a process is at it. cut: a stop of the process cut it short. failed: it can't be done. done: see its result. */
export type TaskState = 'working' | 'cut' | 'failed' | 'done';

/** What somebody began on a store's page. `by`: his name. `seen`: how many orders were read. `isLast`: nothing was begun there since. */
export type ShownTask = {
  id: string;
  kind: TaskKind;
  by: string;
  at: string;
  seen: number;
  is: TaskState;
  problem: Said | null;
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

function stateOf({ isHeld, hasEnded, problem }: Task): TaskState {
  if (problem !== null) return 'failed';
  if (hasEnded) return 'done';
  return isHeld ? 'working' : 'cut';
}
