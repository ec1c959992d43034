import { backoffMs } from '../order/backoff.ts';
import type { FailureCode, StoredCode } from '../order/failure.ts';

/** Records go before receipts: a service that fails for receipts alone gets no requests for receipts, while records go on. */
export type Lane = 'records' | 'receipts';

/** What is paused: a destination, or one shop of it, for records (and so for receipts, too) or for receipts alone. */
export type Scope = { destinationId: string; shopId: string | null; lane: Lane };

/** A paused scope, why, and until when (ISO instants). */
export type Pause = Scope & { code: StoredCode; detail: string; failures: number; since: string; until: string };

/** The destination and shop that are about to be called, and for what. */
export type Called = { destinationId: string; shopId: string; lane: Lane };

export type PauseReason = { code: FailureCode; detail: string; retryAfterMs: number | null };

/** Which destinations may be called now. */
export type Pauses = {
  /** Why this call must wait; null: it may be made. */
  paused(called: Called): Promise<{ code: StoredCode; why: string } | null>;
  /** Stops the calls to this scope for a while; one order will probe it. */
  pause(scope: Scope, reason: PauseReason): Promise<void>;
  /** An answer of unknown meaning (5xx, time-out) to an order: those to several orders in a row pause their lane. */
  doubt(where: Pick<Scope, 'destinationId' | 'lane'>, about: { orderId: number; detail: string }): Promise<void>;
  /** The destination works: ends its pauses, if there are any. */
  works(called: Called): Promise<void>;
};

/** Pauses as the ledger keeps them, for all workers alike. */
export type PauseLedger = {
  pauses(): Promise<Pause[]>;
  pause(what: Scope & Pick<Pause, 'code' | 'detail'>, waitMs: (failures: number) => number): Promise<Pause>;
  resume(scope: Scope): Promise<boolean>;
};

export type PausesDeps = {
  ledger: PauseLedger;
  now(): number;
  random(): number;
  /** One order of this scope is tried at `at`. */
  probeAt(scope: Scope, at: number): Promise<void>;
  /** A pause is over: its orders may be queued again. */
  resumed(): Promise<void>;
  onPause(pause: Pause): void;
};

/** After this many orders in a row with an answer of unknown meaning, the service fails for every order. */
const DOUBTS = 3;
/** How old this process's copy of the pauses may be; an order that would wait gets a fresher one. */
const FRESH_MS = 1_000;
const FRESH_IF_PAUSED_MS = 100;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** A service that says to wait for zero seconds must not be hammered. */
const SHORTEST_WAIT_MS = 500;

/** Keeps calls from destinations that are down, throttled or misconfigured; they are probed by one order at a time. */
export function createPauses(deps: PausesDeps): Pauses {
  const doubts = new Map<string, Set<number>>();
  let seen: Promise<Pause[]> | null = null;
  let seenAt = 0;

  function current(freshMs = FRESH_MS): Promise<Pause[]> {
    if (seen === null || deps.now() - seenAt > freshMs) {
      seenAt = deps.now();
      seen = deps.ledger.pauses();
      seen.catch(() => {
        seen = null;
      });
    }
    return seen;
  }

  async function pause(scope: Scope, { code, detail, retryAfterMs }: PauseReason): Promise<void> {
    const asked = retryAfterMs === null ? null : Math.max(retryAfterMs, SHORTEST_WAIT_MS);
    const wait = (failures: number) => asked ?? Math.min(backoffMs(failures, deps.random()), LONGEST_PAUSE_MS);
    const made = await deps.ledger.pause({ ...scope, code, detail }, wait);
    seen = null;
    deps.onPause(made);
    await deps.probeAt(scope, Date.parse(made.until));
  }

  return {
    pause,
    async paused(called) {
      const pauseOf = (pauses: Pause[]) => pauses.find((one) => concerns(one, called) && (one.lane === 'records' || called.lane === 'receipts'));
      if (pauseOf(await current()) === undefined) return null;
      const found = pauseOf(await current(FRESH_IF_PAUSED_MS));
      return found === undefined ? null : { code: found.code, why: `${found.code}: ${found.detail}` };
    },
    async doubt({ destinationId, lane }, { orderId, detail }) {
      const orders = (doubts.get(`${lane} ${destinationId}`) ?? new Set()).add(orderId);
      doubts.set(`${lane} ${destinationId}`, orders);
      const isPaused = (await current()).some((one) => one.destinationId === destinationId && one.lane === lane);
      if (orders.size >= DOUBTS || isPaused) await pause({ destinationId, shopId: null, lane }, { code: 'compliance.failing', detail, retryAfterMs: null });
    },
    async works(called) {
      doubts.delete(`${called.lane} ${called.destinationId}`);
      const mine = (await current()).filter((one) => concerns(one, called) && one.lane === called.lane);
      if (mine.length === 0) return;
      const ended = await Promise.all(mine.map((one) => deps.ledger.resume(one)));
      seen = null;
      if (ended.some(Boolean)) await deps.resumed();
    },
  };
}

function concerns(pause: Pause, { destinationId, shopId }: Called): boolean {
  return pause.destinationId === destinationId && (pause.shopId === null || pause.shopId === shopId);
}
