import type { Pause } from '../ledger/destination-store.ts';
import { backoffMs } from './backoff.ts';
import type { DestinationGate, HoldReason, Scope } from './compliance-gateway.ts';

/** Pauses as the ledger keeps them, for all workers alike. */
export type PauseLedger = {
  pauses(): Promise<Pause[]>;
  pause(what: Pick<Pause, 'destinationId' | 'shopId' | 'code' | 'detail'>, waitMs: (failures: number) => number): Promise<Pause>;
  resume(destinationId: string, shopId: string | null): Promise<boolean>;
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
    async closed(destinationId, shopId) {
      const pauseOf = (pauses: Pause[]) => pauses.find((one) => one.destinationId === destinationId && (one.shopId === null || one.shopId === shopId));
      if (pauseOf(await current()) === undefined) return null;
      const pause = pauseOf(await current(FRESH_IF_CLOSED_MS));
      return pause === undefined ? null : { code: pause.code, detail: `${pause.code}: ${pause.detail}`, retryAfterMs: null };
    },
    async doubt(destinationId, { orderId, detail }) {
      const orders = (doubts.get(destinationId) ?? new Set()).add(orderId);
      doubts.set(destinationId, orders);
      const paused = (await current()).some((one) => one.destinationId === destinationId);
      if (orders.size >= DOUBTS || paused) await hold({ destinationId, shopId: null }, { code: 'compliance.failing', detail, retryAfterMs: null });
    },
    async passed(destinationId, shopId) {
      doubts.delete(destinationId);
      const mine = (await current()).filter((one) => one.destinationId === destinationId && (one.shopId === null || one.shopId === shopId));
      if (mine.length === 0) return;
      const ended = await Promise.all(mine.map((one) => deps.ledger.resume(destinationId, one.shopId)));
      seen = null;
      if (ended.some(Boolean)) await deps.resumed();
    },
  };
}
