import { vi } from 'vitest';
import { z } from 'zod';
import type { BegunSend } from '../../../src/bridge/delivery/attempt-ports.ts';
import { ConcurrencyLimiter } from '../../../src/bridge/delivery/concurrency-limiter.ts';
import { createDueOrders, type DueDeps, type DueOrder, type DuePage } from '../../../src/bridge/delivery/due-orders.ts';
import type { Claimed, Processed } from '../../../src/bridge/delivery/process-order.ts';
import type { QueuedOrder } from '../../../src/bridge/delivery/store-call-queue.ts';
import { UnreadableRow } from '../../../src/platform/postgres/unreadable-row.ts';
import { createOf } from '../ledger/recorded-order.ts';
import { sampleClaim, sampleConnection } from '../samples/sample-claim.ts';

export const RECORDED: Processed = { kind: 'rest', state: 'recorded', detail: '', recordedMs: null };

type Row = { id: number; connectionId: string; dueAt: number; leased: boolean; abandoned: boolean };
type Running = { row: Row; resolve(processed: Processed): void };
type Options = { concurrency?: number; somePause?: boolean; finishMs?: number };

/** The loop over a ledger in memory, with faked timers: rows that are due and leased, attempts that end when a test says so, or at once. */
export function dueWorld({ concurrency = 16, somePause = false, finishMs = 0 }: Options = {}) {
  const rows: Row[] = [];
  const claims: DuePage[] = [];
  const attempts: Row[] = [];
  const running: Running[] = [];
  const fetched: QueuedOrder[] = [];
  const failures: { orderId: number | null; attempt: number; at: number }[] = [];
  const claimFailures: unknown[] = [];
  const bad: UnreadableRow[] = [];
  const counts = { ended: 0, abandoned: 0, cut: 0 };
  let outcome: ((orderId: number) => Processed) | null = null;
  let isPaused = false;
  let isBroken = false;

  const settle = (row: Row, processed: Processed): Processed => {
    row.leased = false;
    if (processed.kind === 'again') row.dueAt = Date.now() + processed.ms;
    if (processed.kind === 'fetch') row.dueAt = Date.now() + 20_000;
    if (processed === RECORDED) rows.splice(rows.indexOf(row), 1);
    return processed;
  };
  const ledger: DueDeps['ledger'] = {
    claim: async (page) => {
      if (isBroken) throw new Error('the database is down');
      claims.push(page);
      const taken = pageOf(rows, page);
      for (const row of taken) row.leased = true;
      return { orders: taken.map(claimed), unreadable: bad.splice(0) };
    },
    nextDueMs: async () => {
      const later = rows.filter(({ dueAt }) => dueAt > Date.now()).map(({ dueAt }) => dueAt - Date.now());
      return later.length === 0 ? null : Math.min(...later);
    },
  };
  const attempt: DueDeps['attempt'] = async ({ claim }, signal) => {
    const row = rows.find(({ id }) => id === claim.id);
    if (row === undefined) throw new Error('it is claimed twice');
    attempts.push(row);
    try {
      if (outcome !== null) return settle(row, outcome(row.id));
    } catch (thrown) {
      row.leased = false;
      throw thrown;
    }
    return new Promise<Processed>((resolve, reject) => {
      const attempt = { row, resolve };
      running.push(attempt);
      signal.addEventListener('abort', () => {
        if (!running.includes(attempt)) return;
        counts.cut += 1;
        reject(new Error('cut'));
      });
    });
  };
  const due = createDueOrders({
    ledger,
    attempt,
    traced: (_order, attempt) => attempt(),
    destinationOf: async (connectionId) => `of ${connectionId}`,
    limiter: new ConcurrencyLimiter({ concurrency, now: Date.now }),
    isPaused: async () => isPaused,
    somePause: async () => somePause,
    fetchLater: (order) => fetched.push(order),
    now: Date.now,
    random: () => 0,
    onDone: () => {
      counts.ended += 1;
    },
    onAbandoned: (orders) => {
      counts.abandoned += orders;
    },
    onFailed: ({ orderId, attempt }) => failures.push({ orderId, attempt, at: Date.now() }),
    onClaimFailed: (err) => claimFailures.push(err),
    finishMs: () => finishMs,
  });
  let lastId = 0;
  const add = (connectionId: string, count: number, values: Partial<Row> = {}): Row[] =>
    Array.from({ length: count }, () => {
      lastId += 1;
      const row = { id: lastId, connectionId, dueAt: Date.now(), leased: false, abandoned: false, ...values };
      rows.push(row);
      return row;
    });
  return {
    ...{ due, claims, fetched, failures, claimFailures },
    /** Stops it, and cuts what runs. */
    [Symbol.asyncDispose]: async () => {
      const disposed = due[Symbol.asyncDispose]();
      await vi.advanceTimersByTimeAsync(finishMs + 5_000);
      await disposed;
    },
    add: (connectionId: string, count: number, { inMs = 0, abandoned = false }: { inMs?: number; abandoned?: boolean } = {}) => {
      add(connectionId, count, { dueAt: Date.now() + inMs, abandoned });
    },
    /** New orders come, which their recorder has claimed and begun, for which it was given so many slots. */
    take: (connectionId: string, count: number, slots = 0) => {
      due.take(add(connectionId, count, { leased: true }).map(begun), slots);
    },
    /** Ends the attempt that began first. */
    end: (processed: Processed) => {
      const first = running.shift();
      if (first !== undefined) first.resolve(settle(first.row, processed));
    },
    /** From now on attempts end at once. */
    always: (give: (orderId: number) => Processed) => {
      outcome = give;
    },
    endLeases: () => {
      for (const row of rows) row.leased = false;
    },
    pause: (paused: boolean) => {
      isPaused = paused;
    },
    breakLedger: (broken: boolean) => {
      isBroken = broken;
    },
    unreadable: (id: number) => bad.push(new UnreadableRow('orders', { id }, new z.ZodError([]))),
    processed: () => attempts.map(({ id }) => id),
    processedOf: (connectionId: string) => attempts.filter((row) => row.connectionId === connectionId).length,
    ended: () => counts.ended,
    abandoned: () => counts.abandoned,
    cuts: () => counts.cut,
  };
}

function pageOf(rows: readonly Row[], { size, not, notOf, notTo, served, roundRobin }: DuePage): Row[] {
  const free = rows.filter(({ id, dueAt, leased }) => !leased && dueAt <= Date.now() && !not.includes(id)).toSorted((a, b) => a.dueAt - b.dueAt);
  if (!roundRobin) return free.slice(0, size);
  const open = free.filter(({ connectionId }) => !notOf.includes(connectionId) && !notTo.includes(`of ${connectionId}`));
  const ordered = [...Map.groupBy(open, ({ connectionId }) => connectionId)].flatMap(([id, own]) => {
    const { running = 0, last = 0 } = served[id] ?? {};
    return own.map((row, place) => ({ row, place: place + running, last }));
  });
  return ordered
    .toSorted((a, b) => a.place - b.place || a.last - b.last)
    .slice(0, size)
    .map(({ row }) => row);
}

function claimed({ id, connectionId, abandoned }: Row): DueOrder<BegunSend> {
  return { claim: sampleClaim({ id, connectionId }), begun: null, abandoned };
}

function begun({ id, connectionId }: Row): Claimed {
  const destinationId = `of ${connectionId}`;
  const claim = sampleClaim({ id, connectionId });
  const step = createOf(claim, { connectionId, shopId: claim.key.shopId, destinationId });
  return { claim, begun: { action: { do: 'send', step, wanted: null }, connection: sampleConnection({ id: connectionId, destinationId }), mayResend: true } };
}
