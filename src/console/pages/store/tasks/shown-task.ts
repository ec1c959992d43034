import { z } from 'zod';
import { findTask, type Task, type TaskKind, tasksOf } from '../../../../bridge/ledger/sync/task-store.ts';
import { ORDER_STATES } from '../../../../bridge/order/decisions/order-state.ts';
import type { DifferenceKind, Why } from '../../../../bridge/reconciliation/difference.ts';
import type { LocalizedText } from '../../../../contract/said.ts';
import { actorNames } from '../../../../operations/people/people.ts';
import type { BackfillPlan } from '../../../../operations/reconciliation/backfill.ts';
import type { Difference, Reconciled } from '../../../../operations/reconciliation/report.ts';
import type { Window } from '../../../../operations/reconciliation/window.ts';
import { type ComparedStore, type TestedOrder, taskAbouts } from '../../../../operations/tasks/begin-task.ts';
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
export type TakenIn = { taken: number; unread: string[] };

const WHYS = [
  ...(['unknown', 'stale', 'older', 'gone', 'gone-person', 'adopt', 'conflict', 'record-gone', 'waits', 'person', 'replace', 'other-content'] as const),
  ...(['other-money', 'unclaimed', 'file-missing', 'file-differs', 'file-left'] as const),
] as const satisfies Why[];
const KINDS = [
  'unknown-here',
  'stale-here',
  'older-there',
  'gone-there',
  'not-recorded',
  'record-differs',
  'record-unknown',
  'not-in-file',
] as const satisfies DifferenceKind[];

const said = z.object({ en: text, bg: text });
const side = z.object({ orders: z.int(), total: text });
const difference: z.ZodType<Difference> = z.object({
  ...{ kind: z.enum(KINDS), id: z.int().nullable(), orderId: text, number: text.nullable(), complianceId: text.nullable(), total: text },
  ...{ why: z.enum(WHYS), detail: said, code: text.nullable(), repairs: z.boolean() },
});
const reconciled: z.ZodType<Reconciled> = z.object({
  ...{ connection: text, from: text, to: text, currency: text.nullable() },
  ...{ store: side.nullable(), ledger: side, service: side.nullable(), file: side.nullable() },
  ...{ differences: z.array(difference), repaired: z.int(), unchecked: z.array(said) },
});
const compared: z.ZodType<ComparedStore> = z.object({ isWhole: z.boolean(), results: z.array(reconciled), more: z.int(), repairs: z.int() });
const plan: z.ZodType<BackfillPlan> = z.object({
  orders: z.int(),
  months: z.array(z.object({ month: text, currency: text, orders: z.int(), total: text })),
  ...{ recorded: z.int().nullable(), goesOn: z.int().nullable(), recordFrom: text.nullable() },
});
const taken: z.ZodType<TakenIn> = z.object({ taken: z.int(), unread: z.array(text) });
const tested: z.ZodType<TestedOrder> = z.object({
  ...{ id: z.int(), number: text.nullable(), orderId: text, state: z.enum(ORDER_STATES), complianceId: text.nullable() },
  why: z.object({ code: text, detail: text }).nullable(),
});

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
      return parsed(kind, taskAbouts[kind].safeParse(about), compared.nullable().safeParse(result));
    case 'plan':
      return parsed(kind, taskAbouts.plan.safeParse(about), plan.nullable().safeParse(result));
    case 'backfill':
      return parsed(kind, taskAbouts.backfill.safeParse(about), taken.nullable().safeParse(result));
    case 'test':
      return parsed(kind, taskAbouts.test.safeParse(about), tested.nullable().safeParse(result));
  }
}

type Parsed<T> = { success: boolean; data?: T | undefined };

function parsed<Kind, About, Result>(kind: Kind, about: Parsed<About>, result: Parsed<Result>): { kind: Kind; about: About; result: Result } | null {
  if (!about.success || !result.success) return null;
  return { kind, about: about.data as About, result: result.data as Result };
}
