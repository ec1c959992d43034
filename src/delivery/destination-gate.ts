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

/** So many answers of unknown meaning in a row, and nothing between them: the service fails for everybody. */
const DOUBTS = 3;
/** How old this process's picture of the pauses may be. */
const FRESH_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** Keeps calls away from destinations that are down, throttled or misconfigured; they are probed by one order at a time. */
export function createGate(deps: GateDeps): DestinationGate {
  const doubts = new Map<string, number>();
  let seen: Promise<Pause[]> | null = null;
  let seenAt = 0;

  function current(): Promise<Pause[]> {
    if (seen === null || deps.now() - seenAt > FRESH_MS) {
      seenAt = deps.now();
      seen = deps.ledger.pauses();
      seen.catch(() => {
        seen = null;
      });
    }
    return seen;
  }

  async function hold(scope: Scope, { code, detail, retryAfterMs }: HoldReason): Promise<void> {
    const wait = (failures: number) => retryAfterMs ?? Math.min(backoffMs(failures, deps.random()), LONGEST_PAUSE_MS);
    const pause = await deps.ledger.pause({ ...scope, code, detail }, wait);
    seen = null;
    deps.onPause(pause);
    await deps.probeAt(scope, Date.parse(pause.until));
  }

  return {
    hold,
    async closed(destinationId, shopId) {
      const pause = (await current()).find((one) => one.destinationId === destinationId && (one.shopId === null || one.shopId === shopId));
      return pause === undefined ? null : { code: pause.code, detail: `${pause.code}: ${pause.detail}`, retryAfterMs: null };
    },
    async doubt(destinationId, detail) {
      const count = (doubts.get(destinationId) ?? 0) + 1;
      doubts.set(destinationId, count);
      const paused = (await current()).some((one) => one.destinationId === destinationId);
      if (count >= DOUBTS || paused) await hold({ destinationId, shopId: null }, { code: 'compliance.failing', detail, retryAfterMs: null });
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
