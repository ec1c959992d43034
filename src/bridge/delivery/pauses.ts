import { backoffMs } from '../../platform/backoff.ts';
import { BACKOFF } from '../order/decisions/transition.ts';
import type { FailureCode, StoredCode } from '../order/facts/failure.ts';

/** Records go before receipts: a service that fails for receipts alone gets no requests for receipts, while records go on. */
export type CallType = 'records' | 'receipts';

/** What is paused: a destination, or one shop of it, for records (and so for receipts, too) or for receipts alone. */
export type Scope = { destinationId: string; shopId: string | null; callType: CallType };

/** A paused scope, why, and until when (ISO instants). `spreads`, of one shop: a second shop that is answered so pauses the destination. */
export type Pause = Scope & { code: StoredCode; detail: string; failures: number; since: string; until: string; spreads?: boolean };

export type PauseInput = Scope & Pick<Pause, 'code' | 'detail' | 'spreads'>;

/** The destination and shop that are about to be called, and for what. */
export type Called = { destinationId: string; shopId: string; callType: CallType };

export type PauseReason = { code: FailureCode; detail: string; retryAfterMs: number | null; spreads?: true };

/** Which destinations may be called now. What an answer says of its destination is kept if it can be: `pause`, `doubt` and `works` never reject. */
export type Pauses = {
  /** Whether anything is paused, as far as was seen within the last second. */
  some(): Promise<boolean>;
  /** Why this call must wait; null: it may be made. */
  paused(called: Called): Promise<{ code: StoredCode; why: string } | null>;
  /** Stops the calls to this scope for a while; one order will probe it. */
  pause(scope: Scope, reason: PauseReason): Promise<void>;
  /**
   * An answer of unknown meaning (5xx, time-out) to an order: those to several orders in a row pause their type of call, of their shop if all are of one.
   * `ofOrder`: it may concern this order alone, so it begins no pause; it makes one longer that is there.
   */
  doubt(called: Called, about: { orderId: number; detail: string; ofOrder?: true }): Promise<void>;
  /** The destination works: ends its pauses, if there are any. */
  works(called: Called): Promise<void>;
};

/** Pauses as the ledger keeps them, for all workers alike. */
export type PauseLedger = {
  pauses(): Promise<Pause[]>;
  /** `leftMs`: how long it lasts from now on. */
  pause(what: PauseInput, waitMs: (failures: number) => number): Promise<Pause & { leftMs: number }>;
  resume(scope: Scope): Promise<boolean>;
};

export type PausesDeps = {
  ledger: PauseLedger;
  now(): number;
  random(): number;
  /** One order of this scope is tried after so long. */
  probeIn(scope: Scope, ms: number): Promise<void>;
  /** A pause is over: its orders may be processed. */
  resumed(): void;
  onPause(pause: Pause): void;
  /** What an answer says could not be kept: the next answer says it again, and a sweep makes the probe. */
  onFailed(err: unknown): void;
};

/** After this many orders in a row with an answer of unknown meaning, the service fails for every order; if all are of one shop, perhaps for that one. */
const DOUBTS = 3;
/** How old this process's copy of the pauses may be; an order that would wait gets a fresher one. */
const FRESH_MS = 1_000;
const FRESH_IF_PAUSED_MS = 100;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** A service that says to wait for zero seconds must not be hammered. */
const SHORTEST_WAIT_MS = 500;

/** Keeps calls from destinations that are down, throttled or misconfigured; they are probed by one order at a time. */
export function createPauses(deps: PausesDeps): Pauses {
  const doubts = createDoubts();
  const recent = recentPauses(deps);
  const { current, forget } = recent;
  const pause = pauser(deps, recent);
  function kept<Said extends unknown[]>(keep: (...said: Said) => Promise<void>): (...said: Said) => Promise<void> {
    return (...said) => keep(...said).catch(deps.onFailed);
  }
  return {
    pause: kept(pause),
    some: async () => (await current()).length > 0,
    async paused(called) {
      const pauseOf = (pauses: Pause[]) => pauses.find((one) => concerns(one, called) && (one.callType === 'records' || called.callType === 'receipts'));
      if (pauseOf(await current()) === undefined) return null;
      const found = pauseOf(await current(FRESH_IF_PAUSED_MS));
      return found === undefined ? null : { code: found.code, why: `${found.code}: ${found.detail}` };
    },
    doubt: kept(async (called, { orderId, detail, ofOrder }) => {
      const { destinationId, shopId, callType } = called;
      const fails = ofOrder === true ? null : doubts.add(called, orderId);
      const mine = (await current()).filter((one) => concerns(one, called) && one.callType === callType);
      const isWhole = fails === 'destination' || mine.some((one) => one.shopId === null);
      if (!isWhole && fails === null && mine.length === 0) return;
      const reason = { code: 'compliance.failing', detail, retryAfterMs: null } as const;
      if (isWhole) await pause({ destinationId, shopId: null, callType }, reason);
      else await pause({ destinationId, shopId, callType }, { ...reason, spreads: true });
    }),
    works: kept(async (called) => {
      doubts.clear(called);
      const mine = (await current()).filter((one) => concerns(one, called) && one.callType === called.callType);
      if (mine.length === 0) return;
      const ended = await Promise.all(mine.map((one) => deps.ledger.resume(one)));
      forget();
      if (ended.some(Boolean)) deps.resumed();
    }),
  };
}

type Doubts = {
  /** What seems to fail for every order, by all since the last success; null: that is too few to say. */
  add(called: Called, orderId: number): 'destination' | 'shop' | null;
  clear(called: Called): void;
};

/** Orders in a row with an answer of unknown meaning, and their shops, by destination and type of call. */
function createDoubts(): Doubts {
  const rows = new Map<string, Map<number, string>>();
  const keyOf = ({ callType, destinationId }: Called) => `${callType} ${destinationId}`;
  return {
    add(called, orderId) {
      const shops = (rows.get(keyOf(called)) ?? new Map<number, string>()).set(orderId, called.shopId);
      rows.set(keyOf(called), shops);
      if (shops.size < DOUBTS) return null;
      return new Set(shops.values()).size > 1 ? 'destination' : 'shop';
    },
    clear: (called) => void rows.delete(keyOf(called)),
  };
}

/** Pauses a scope; and the whole destination with the second shop whose pause spreads. */
function pauser(deps: PausesDeps, { current, forget }: RecentPauses): Pauses['pause'] {
  async function pauseOne(scope: Scope, { code, detail, retryAfterMs, spreads = false }: Omit<PauseReason, 'spreads'> & { spreads?: boolean }): Promise<Pause> {
    const asked = retryAfterMs === null ? null : Math.max(retryAfterMs, SHORTEST_WAIT_MS);
    const wait = (failures: number) => asked ?? Math.min(backoffMs(BACKOFF, failures, deps.random()), LONGEST_PAUSE_MS);
    const made = await deps.ledger.pause({ ...scope, code, detail, spreads }, wait);
    forget();
    deps.onPause(made);
    await deps.probeIn(scope, made.leftMs);
    return made;
  }

  return async (scope, reason) => {
    const { failures } = await pauseOne(scope, reason);
    // Once per shop: a shop that is refused for weeks must not stop the others with each probe.
    if (reason.spreads !== true || failures > 1) return;
    const isSecond = (await current(0)).some((one) => one.spreads === true && one.code === reason.code && isBeside(one, scope));
    if (isSecond) await pauseOne({ ...scope, shopId: null }, { ...reason, spreads: false });
  };
}

type RecentPauses = { current(freshMs?: number): Promise<Pause[]>; forget(): void };

/** The pauses of the ledger, read again when they are too old. */
function recentPauses({ ledger, now }: Pick<PausesDeps, 'ledger' | 'now'>): RecentPauses {
  let seen: Promise<Pause[]> | null = null;
  let seenAt = 0;
  const forget = (): void => {
    seen = null;
  };
  return {
    forget,
    current(freshMs = FRESH_MS) {
      if (seen === null || Math.abs(now() - seenAt) > freshMs) {
        seenAt = now();
        seen = ledger.pauses();
        seen.catch(forget);
      }
      return seen;
    },
  };
}

/** Of another shop of the same destination, for the same type of call. */
function isBeside(pause: Pause, { destinationId, shopId, callType }: Scope): boolean {
  return pause.destinationId === destinationId && pause.callType === callType && pause.shopId !== null && pause.shopId !== shopId;
}

/** Do calls of this shop there wait for the pause? */
export function concerns(pause: Pick<Pause, 'destinationId' | 'shopId'>, { destinationId, shopId }: Pick<Called, 'destinationId' | 'shopId'>): boolean {
  return pause.destinationId === destinationId && (pause.shopId === null || pause.shopId === shopId);
}
