import type { Actor } from '../../platform/trail/trail.ts';
import type { FindConnection } from '../connections/known-connection.ts';
import { type BackfillDeps, type BackfillInput, planBackfill, runBackfill } from '../reconciliation/backfill.ts';
import { liveConnections } from '../reconciliation/live-connections.ts';
import { type ReconcileResult, reconcile } from '../reconciliation/reconcile.ts';
import type { Window } from '../reconciliation/window.ts';
import { Refusal } from '../refusal.ts';
import { beginTask, type TaskDeps } from './begin-task.ts';
import type { ComparedStore } from './task-result.ts';

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
