import { z } from 'zod';
import { endTask, insertTask, type NewTask, openTask, stampTask, type Task } from '../../bridge/ledger/sync/task-store.ts';
import { ORDER_STATES } from '../../bridge/order/decisions/order-state.ts';
import { UnreadableStore } from '../../bridge/reconciliation/open-readable-store.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { type Lang, type LocalizedText, quoted } from '../../contract/messages.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import { DONE, each, type Run } from '../../platform/jobs/job-kind.ts';
import type { RunningJobs } from '../../platform/jobs/run-jobs.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type FindConnection, knownConnection, liveConnections } from '../connections/known-connection.ts';
import { webhookAddress } from '../connections/store-webhooks.ts';
import { newTestId, prepareTest, sendTest } from '../orders/send-test.ts';
import { type BackfillDeps, planBackfill, runBackfill } from '../reconciliation/backfill.ts';
import { notRead } from '../reconciliation/read-store.ts';
import { type ReconcileResult, reconcile } from '../reconciliation/reconcile.ts';
import { reconciled } from '../reconciliation/report.ts';
import type { Window } from '../reconciliation/window.ts';
import { Refusal } from '../refusal.ts';

/** `jobs`: those of this process, of which tasks are a kind. `background`: keeps what goes on after an answer; its failure is logged. */
type TaskDeps = { pool: Pool; connections: FindConnection; jobs: Pick<RunningJobs, 'runNow'>; background(work: Promise<unknown>): void };

/** Begins what takes longer than an answer, and returns its id at once. One at a time for each store. */
async function beginTask({ pool, jobs, background }: TaskDeps, task: NewTask): Promise<string> {
  const id = await insertTask(pool, task);
  if (id === null) {
    const said = { en: 'something else is being done with this store right now', bg: 'с този магазин в момента се прави нещо друго' };
    throw new Refusal('conflict', {
      ...said,
      advice: { en: 'its page shows how far that came; then try again', bg: 'страницата му показва докъде е стигнало; после опитайте отново' },
    });
  }
  background(jobs.runNow('task', id));
  return id;
}

/** `openReading`: what it takes to read a store beside the ledger and the service, for as long as that lasts. `receiver`: where a server takes webhooks; null: none is known. */
export type TaskRunDeps = Pick<TaskDeps, 'pool' | 'connections'> & {
  openReading(by: Actor, signal: AbortSignal): Promise<BackfillDeps & AsyncDisposable>;
  receiver(): Promise<string | null>;
};

/** `onRead`: how many orders were read so far. */
type Progress = { signal: AbortSignal; onRead(count: number): void };

const STAMP_MS = 2_000;
/** What ended so many processes is not begun by another one. */
const MOST_DEATHS = 3;

/** Does what was begun, and keeps what comes of it, as JSON. After a stop another process begins it anew; a backfill goes on where it was. */
export function taskRun(deps: TaskRunDeps): Run {
  const { pool } = deps;
  return each(async ({ key, attempts }, signal) => {
    const task = await openTask(pool, key);
    if (task === null) return DONE;
    let { seen } = task;
    // A database that is away for a moment: the next stamp comes soon.
    const stamping = setInterval(() => void stampTask(pool, key, seen).catch(() => undefined), STAMP_MS);
    try {
      if (attempts > MOST_DEATHS) throw new Refusal('unavailable', { en: 'it was cut short again and again', bg: 'работата прекъсва отново и отново' });
      const result = await work(deps, task, { signal, onRead: (count) => (seen = count) });
      await endTask(pool, key, { seen, result, problem: null });
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      await endTask(pool, key, { seen, result: null, problem: problemOf(thrown) });
      if (!(thrown instanceof Refusal || thrown instanceof UnreadableStore)) throw thrown;
    } finally {
      clearInterval(stamping);
    }
    return DONE;
  });
}

async function work(deps: TaskRunDeps, { kind, connectionId, who: by, about, at }: Task, { signal, onRead }: Progress): Promise<unknown> {
  if (kind === 'test') return test(deps, { connectionId, by, about, at, signal });
  await using reading = await deps.openReading(by, signal);
  const connection = await mustLive(deps.connections, connectionId);
  if (kind === 'plan') return await planBackfill(reading, connection, { ...taskAbouts.plan.parse(about), onRead });
  if (kind === 'backfill') return await runBackfill(reading, connection, { ...taskAbouts.backfill.parse(about), onRead });
  const [window, dryRun] = [taskAbouts.compare.parse(about), kind === 'compare'];
  return shownOf(await reconcile(reading, connection, { window, dryRun, timeoutMs: SERVICE_MS, signal, onRead }));
}

function problemOf(thrown: unknown): LocalizedText {
  if (thrown instanceof Refusal) return withAdvice(thrown);
  return thrown instanceof Error && thrown.name === 'AbortError' ? quoted(thrown.message) : notRead(thrown).why;
}

function withAdvice({ said, advice }: Refusal): LocalizedText {
  const both = (lang: Lang) => (advice === null ? said[lang] : `${said[lang]}; ${advice[lang]}`);
  return { en: both('en'), bg: both('bg') };
}

const window: z.ZodType<Window> = z.object({ from: z.string(), to: z.string(), month: z.string().nullable() });
const bounds = z.object({ from: z.string(), until: z.string() });
/** What tasks are begun with. `made`: the digits from which the test order is made. */
export const taskAbouts = { compare: window, repair: window, plan: bounds, backfill: bounds, test: z.object({ orderId: z.string(), made: z.string() }) };

/** For what is repaired, and for pauses of the store. */
const SERVICE_MS = 60_000;
/** Differences that a page shows. */
const MOST_SHOWN = 300;

type Begin<About> = { id: string; window: About; by: Actor };

/** Holds a store, the ledger, the service and a month's file against each other behind the answer; with `repairs` what ends without a person is repaired. */
export async function beginReconcile(deps: TaskDeps, { id, window: about, repairs, by }: Begin<Window> & { repairs: boolean }): Promise<string> {
  await mustLive(deps.connections, id);
  return beginTask(deps, { connectionId: id, kind: repairs ? 'repair' : 'compare', who: by, about });
}

/** `more`: differences that are not listed here. `repairs`: how many end without a person. */
export const comparedStore = z.object({ isWhole: z.boolean(), results: z.array(reconciled), more: z.int(), repairs: z.int() });
export type ComparedStore = z.output<typeof comparedStore>;

/** Those that a person must see come first. */
function shownOf({ results, isWhole }: ReconcileResult): ComparedStore {
  const all = results.flatMap(({ differences }) => differences);
  let room = MOST_SHOWN;
  const cut = results.map((result) => {
    const differences = result.differences.toSorted((a, b) => Number(a.repairs) - Number(b.repairs)).slice(0, room);
    room -= differences.length;
    return { ...result, differences };
  });
  return { isWhole, results: cut, more: Math.max(0, all.length - MOST_SHOWN), repairs: all.filter(({ repairs }) => repairs).length };
}

/** Counts behind the answer what a backfill would take in; reads only. */
export async function beginPlan(deps: TaskDeps, { id, window: about, by }: Begin<z.output<typeof bounds>>): Promise<string> {
  await mustLive(deps.connections, id);
  return beginTask(deps, { connectionId: id, kind: 'plan', who: by, about });
}

/** Takes orders in behind the answer. */
export async function beginBackfill(deps: TaskDeps, { id, window: about, by }: Begin<z.output<typeof bounds>>): Promise<string> {
  await mustLive(deps.connections, id);
  return beginTask(deps, { connectionId: id, kind: 'backfill', who: by, about });
}

async function mustLive(connections: FindConnection, id: string) {
  const [connection] = await liveConnections(connections, id);
  if (connection !== undefined) return connection;
  throw new Refusal('missing', { en: `no connection has the id ${id}`, bg: `няма връзка с идентификатор ${id}` });
}

/** What became of a test order. */
export const testedOrder = z.object({
  ...{ id: z.int(), number: z.string().nullable(), orderId: z.string(), state: z.enum(ORDER_STATES), complianceId: z.string().nullable() },
  why: z.object({ code: z.string(), detail: z.string() }).nullable(),
});
export type TestedOrder = z.output<typeof testedOrder>;

/** Sends a test order as the store would, and waits behind the answer for what becomes of it. */
export async function beginTest(deps: TaskDeps & Pick<TaskRunDeps, 'receiver'>, { id, by }: { id: string; by: Actor }): Promise<string> {
  const connection = await knownConnection(deps.connections, id);
  const now = Date.now();
  const made = newTestId(now);
  const { orderId } = prepareTest(storefrontOf(storefronts, connection.platform), connection, { id: made, now });
  if ((await deps.receiver()) === null) throw noReceiver();
  return beginTask(deps, { connectionId: connection.id, kind: 'test', who: by, about: { orderId, made } });
}

type Testing = Pick<Task, 'connectionId' | 'about' | 'at'> & { by: Actor; signal: AbortSignal };

/** Sent once more, it is the same order, signed anew: signatures hold for minutes. */
async function test(deps: TaskRunDeps, { connectionId, about, at, ...sending }: Testing): Promise<TestedOrder> {
  const connection = await knownConnection(deps.connections, connectionId);
  const wanted = { id: taskAbouts.test.parse(about).made, now: Date.parse(at), signedAt: Date.now() };
  const prepared = prepareTest(storefrontOf(storefronts, connection.platform), connection, wanted);
  const receiver = await deps.receiver();
  if (receiver === null) throw noReceiver();
  const report = await sendTest(deps, { connectionId, prepared, address: webhookAddress(receiver, connection), ...sending });
  const { id, number, orderId, state, complianceId, review } = report;
  return { id, number, orderId, state, complianceId, why: review };
}

export function noReceiver(): Refusal {
  return new Refusal('unavailable', {
    en: 'no server runs here that could take it',
    bg: 'тук не работи сървър, който да я приеме',
    advice: {
      en: '`npm start` starts one; or set PUBLIC_URL to the address of one that runs elsewhere',
      bg: '`npm start` го пуска; или задайте в PUBLIC_URL адреса на сървър, който работи другаде',
    },
  });
}
