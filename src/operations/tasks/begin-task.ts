import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { endTask, insertTask, leaveTask, type NewTask, stampTask } from '../../bridge/ledger/sync/task-store.ts';
import { ORDER_STATES } from '../../bridge/order/decisions/order-state.ts';
import { NotRead } from '../../bridge/reconciliation/open-readable-store.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { type Lang, quoted, type Said } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { type FindConnection, knownConnection, liveConnections } from '../connections/known-connection.ts';
import { webhookAddress } from '../connections/store-webhooks.ts';
import { prepareTest, sendTest } from '../orders/send-test.ts';
import { type BackfillDeps, type BackfillInput, planBackfill, runBackfill } from '../reconciliation/backfill.ts';
import { notRead } from '../reconciliation/read-store.ts';
import { type ReconcileResult, reconcile } from '../reconciliation/reconcile.ts';
import { reconciled } from '../reconciliation/report.ts';
import type { Window } from '../reconciliation/window.ts';
import { Refusal } from '../refusal.ts';

/** `background`: keeps what goes on after an answer; its failure is logged, and a stop of the process waits for it. `stop`: the process stops. */
type TaskDeps = { pool: Pool; background(work: Promise<unknown>): void; stop: AbortSignal };

/** `onRead`: how many orders were read so far. */
type Progress = { signal: AbortSignal; onRead(count: number): void };

type Work = (progress: Progress) => Promise<unknown>;

/** Far less than a task is leased for. */
const STAMP_MS = 2_000;

/** Begins what takes longer than an answer, and returns its id at once; what `work` returns, as JSON, is kept. One at a time for each store. */
async function beginTask(deps: TaskDeps, task: NewTask, work: Work): Promise<string> {
  const id = await insertTask(deps.pool, task);
  if (id === null) {
    const said = { en: 'something else is being done with this store right now', bg: 'с този магазин в момента се прави нещо друго' };
    throw new Refusal('conflict', said, {
      advice: { en: 'its page shows how far that came; then try again', bg: 'страницата му показва докъде е стигнало; после опитайте отново' },
    });
  }
  deps.background(workOn(deps, id, work));
  return id;
}

async function workOn({ pool, stop }: TaskDeps, id: string, work: Work): Promise<void> {
  const ended = new AbortController();
  let seen = 0;
  const stamping = stampOften(pool, id, { seen: () => seen, ended: ended.signal });
  const signal = stop;
  try {
    const result = await work({ signal, onRead: (count) => (seen = count) });
    await endTask(pool, id, { seen, result, problem: null });
  } catch (thrown) {
    if (stop.aborted) return await leaveTask(pool, id, seen);
    await endTask(pool, id, { seen, result: null, problem: problemOf(thrown) });
    if (!(thrown instanceof Refusal || thrown instanceof NotRead)) throw thrown;
  } finally {
    ended.abort();
    await stamping;
  }
}

function problemOf(thrown: unknown): Said {
  if (thrown instanceof Refusal) return withAdvice(thrown);
  return thrown instanceof Error && thrown.name === 'AbortError' ? quoted(thrown.message) : notRead(thrown).why;
}

function withAdvice({ said, advice }: Refusal): Said {
  const both = (lang: Lang) => (advice === null ? said[lang] : `${said[lang]}; ${advice[lang]}`);
  return { en: both('en'), bg: both('bg') };
}

async function stampOften(pool: Pool, id: string, { seen, ended }: { seen(): number; ended: AbortSignal }): Promise<void> {
  while (!ended.aborted) {
    await sleep(STAMP_MS, undefined, { signal: ended }).catch(() => undefined);
    // A database that is away for a moment: the next stamp comes soon.
    if (!ended.aborted) await stampTask(pool, id, seen()).catch(() => undefined);
  }
}

/** `openReading`: what it takes to read a store beside the ledger and the service, for as long as that lasts. */
export type ReadingDeps = TaskDeps & { connections: FindConnection; openReading(by: Actor, signal: AbortSignal): Promise<BackfillDeps & AsyncDisposable> };

/** For what is healed, and for pauses of the store. */
const PATIENCE_MS = 60_000;
/** Differences that a page shows. */
const MOST_SHOWN = 300;

/** Holds a store, the ledger, the service and a month's file against each other behind the answer; with `heals` what ends without a person is healed. */
export async function beginReconcile(deps: ReadingDeps, { id, window, heals, by }: { id: string; window: Window; heals: boolean; by: Actor }): Promise<string> {
  await mustLive(deps.connections, id);
  return beginTask(deps, { connectionId: id, kind: heals ? 'heal' : 'compare', who: by, about: window }, async ({ signal, onRead }) => {
    await using reading = await deps.openReading(by, signal);
    const connection = await mustLive(deps.connections, id);
    return shownOf(await reconcile(reading, connection, { window, dryRun: !heals, timeoutMs: PATIENCE_MS, signal, onRead }));
  });
}

/** `more`: differences that are not listed here. `heals`: how many end without a person. */
export const comparedStore = z.object({ isWhole: z.boolean(), results: z.array(reconciled), more: z.int(), heals: z.int() });
export type ComparedStore = z.output<typeof comparedStore>;

/** Those that a person must see come first. */
function shownOf({ results, isWhole }: ReconcileResult): ComparedStore {
  const all = results.flatMap(({ differences }) => differences);
  let room = MOST_SHOWN;
  const cut = results.map((result) => {
    const differences = result.differences.toSorted((a, b) => Number(a.heals) - Number(b.heals)).slice(0, room);
    room -= differences.length;
    return { ...result, differences };
  });
  return { isWhole, results: cut, more: Math.max(0, all.length - MOST_SHOWN), heals: all.filter(({ heals }) => heals).length };
}

type Backfilling = { id: string; window: Omit<BackfillInput, 'onRead'>; by: Actor };

/** Counts behind the answer what a backfill would take in; reads only. */
export async function beginPlan(deps: ReadingDeps, { id, window, by }: Backfilling): Promise<string> {
  await mustLive(deps.connections, id);
  return beginTask(deps, { connectionId: id, kind: 'plan', who: by, about: window }, async ({ signal, onRead }) => {
    await using reading = await deps.openReading(by, signal);
    return planBackfill(reading, await mustLive(deps.connections, id), { ...window, onRead });
  });
}

/** Takes orders in behind the answer. */
export async function beginBackfill(deps: ReadingDeps, { id, window, by }: Backfilling): Promise<string> {
  await mustLive(deps.connections, id);
  return beginTask(deps, { connectionId: id, kind: 'backfill', who: by, about: window }, async ({ signal, onRead }) => {
    await using reading = await deps.openReading(by, signal);
    return runBackfill(reading, await mustLive(deps.connections, id), { ...window, onRead });
  });
}

async function mustLive(connections: FindConnection, id: string) {
  const [connection] = await liveConnections(connections, id);
  if (connection !== undefined) return connection;
  throw new Refusal('missing', { en: `no connection has the id ${id}`, bg: `няма връзка с идентификатор ${id}` });
}

/** `receiver`: where a server takes webhooks; null: none is known. */
type TestDeps = TaskDeps & { connections: FindConnection; receiver(): Promise<string | null> };

/** What became of a test order. */
export const testedOrder = z.object({
  ...{ id: z.int(), number: z.string().nullable(), orderId: z.string(), state: z.enum(ORDER_STATES), complianceId: z.string().nullable() },
  why: z.object({ code: z.string(), detail: z.string() }).nullable(),
});
export type TestedOrder = z.output<typeof testedOrder>;

/** Sends a test order as the store would, and waits behind the answer for what becomes of it. */
export async function beginTest(deps: TestDeps, { id, by }: { id: string; by: Actor }): Promise<string> {
  const connection = await knownConnection(deps.connections, id);
  const now = Date.now();
  const prepared = prepareTest(storefrontOf(storefronts, connection.platform), connection, { id: `${now}${randomInt(100, 1_000)}`, now });
  const receiver = await deps.receiver();
  if (receiver === null) throw noReceiver();
  const address = webhookAddress(receiver, connection);
  return beginTask(
    deps,
    { connectionId: connection.id, kind: 'test', who: by, about: { orderId: prepared.orderId } },
    async ({ signal }): Promise<TestedOrder> => {
      const report = await sendTest(deps, { connectionId: connection.id, prepared, address, by, signal });
      const { id: order, number, orderId, state, complianceId, review } = report;
      return { id: order, number, orderId, state, complianceId, why: review };
    },
  );
}

export function noReceiver(): Refusal {
  return new Refusal(
    'unavailable',
    { en: 'no server runs here that could take it', bg: 'тук не работи сървър, който да я приеме' },
    {
      advice: {
        en: '`npm start` starts one; or set PUBLIC_URL to the address of one that runs elsewhere',
        bg: '`npm start` го пуска; или задайте в PUBLIC_URL адреса на сървър, който работи другаде',
      },
    },
  );
}
