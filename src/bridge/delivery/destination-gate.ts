import { backoffMs } from './backoff.ts';
import type { Called, DestinationGate, HoldReason, Pause, Scope } from './compliance-gateway.ts';

/** Pauses as the ledger keeps them, for all workers alike. */
export type PauseLedger = {
  pauses(): Promise<Pause[]>;
  pause(what: Scope & Pick<Pause, 'code' | 'detail'>, waitMs: (failures: number) => number): Promise<Pause>;
  resume(scope: Scope): Promise<boolean>;
};

export type GateDeps = {
  ledger: PauseLedger;
  now(): number;
  random(): number;
  /** One order of this scope is tried at `at`. */
  probeAt(scope: Scope, at: number): Promise<void>;
  /** A pause is over: its orders may be put back. */
  resumed(): Promise<void>;
  onPause(pause: Pause): void;
};

/** So many orders got an answer of unknown meaning, and none another one between them: the service fails for everybody. */
const DOUBTS = 3;
/** How old this process's picture of the pauses may be; an order that would be held gets a fresher one. */
const FRESH_MS = 1_000;
const FRESH_IF_CLOSED_MS = 100;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** A service that asks to wait, and says for no time, is not to be hammered. */
const SHORTEST_WAIT_MS = 500;

/** Keeps calls away from destinations that are down, throttled or misconfigured; they are probed by one order at a time. */
export function createGate(deps: GateDeps): DestinationGate {
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

  async function hold(scope: Scope, { code, detail, retryAfterMs }: HoldReason): Promise<void> {
    const asked = retryAfterMs === null ? null : Math.max(retryAfterMs, SHORTEST_WAIT_MS);
    const wait = (failures: number) => asked ?? Math.min(backoffMs(failures, deps.random()), LONGEST_PAUSE_MS);
    const pause = await deps.ledger.pause({ ...scope, code, detail }, wait);
    seen = null;
    deps.onPause(pause);
    await deps.probeAt(scope, Date.parse(pause.until));
  }

  return {
    hold,
    async closed(called) {
      const pauseOf = (pauses: Pause[]) => pauses.find((pause) => concerns(pause, called) && (pause.lane === 'records' || called.lane === 'receipts'));
      if (pauseOf(await current()) === undefined) return null;
      const pause = pauseOf(await current(FRESH_IF_CLOSED_MS));
      return pause === undefined ? null : { code: pause.code, detail: `${pause.code}: ${pause.detail}`, retryAfterMs: null };
    },
    async doubt({ destinationId, lane }, { orderId, detail }) {
      const orders = (doubts.get(`${lane} ${destinationId}`) ?? new Set()).add(orderId);
      doubts.set(`${lane} ${destinationId}`, orders);
      const paused = (await current()).some((one) => one.destinationId === destinationId && one.lane === lane);
      if (orders.size >= DOUBTS || paused) await hold({ destinationId, shopId: null, lane }, { code: 'compliance.failing', detail, retryAfterMs: null });
    },
    async passed(called) {
      doubts.delete(`${called.lane} ${called.destinationId}`);
      const mine = (await current()).filter((pause) => concerns(pause, called) && pause.lane === called.lane);
      if (mine.length === 0) return;
      const ended = await Promise.all(mine.map((pause) => deps.ledger.resume(pause)));
      seen = null;
      if (ended.some(Boolean)) await deps.resumed();
    },
  };
}

function concerns(pause: Pause, { destinationId, shopId }: Called): boolean {
  return pause.destinationId === destinationId && (pause.shopId === null || pause.shopId === shopId);
}
