import type { Receipt } from './claim.ts';
import type { OrderState } from './order-state.ts';

/** How one attempt at an order ended. */
export type AttemptEnd =
  /** Nothing is left to do for now: recorded, removed, waiting, or with a person. `receipt`: its state after this attempt; due: a separate attempt requests it. */
  | { kind: 'rest'; state: OrderState; detail: string; recordedMs: number | null; receipt?: Receipt['state'] }
  /** To be processed again after `ms`. */
  | { kind: 'again'; ms: number; why: string }
  /** Its destination is paused: it is claimed again when the destination works. */
  | { kind: 'paused'; why: string }
  /** Something is to be fetched from the store at this host, which is not done in this attempt. */
  | { kind: 'fetch'; host: string };

/** Another worker has taken the order: this one must write and send no more. */
export const leaseLost: AttemptEnd = { kind: 'again', ms: 100, why: 'the lease was lost' };
export const leaseLostWhileAnswering: AttemptEnd = { kind: 'again', ms: 100, why: 'the lease was lost while the service was answering' };

const SHORTEST_LEASE_WAIT_MS = 100;
const LONGEST_LEASE_WAIT_MS = 2_000;

/** Another worker has the order until `untilMs`; it may well be done sooner. */
export function leasedUntil(untilMs: number, now: number): AttemptEnd {
  return { kind: 'again', ms: Math.min(Math.max(untilMs - now, SHORTEST_LEASE_WAIT_MS), LONGEST_LEASE_WAIT_MS), why: 'another worker is working on it' };
}

/** Facts that came during the attempt do not wait out the backoff of older ones. `dueAt`: when the order is due, by the ledger. */
export function soonest(end: AttemptEnd, { newer, dueAt }: { newer: boolean; dueAt: number | null }, now: number): AttemptEnd {
  if (end.kind !== 'again' || !newer || dueAt === null) return end;
  return { ...end, ms: Math.min(end.ms, Math.max(0, dueAt - now)) };
}

/** After how many ms the order is to be processed once more; null: not until something changes. */
export function nextAttemptMs(end: AttemptEnd | { kind: 'missing' }): number | null {
  if (end.kind === 'again') return end.ms;
  return end.kind === 'rest' && end.receipt === 'due' ? 0 : null;
}

const CAP_MS = 10 * 60_000;

/** How long to wait after so many failures in a row: doubling from one second to ten minutes, with jitter. `random` in [0, 1). */
export function backoffMs(failures: number, random: number): number {
  const full = Math.min(1_000 * 2 ** Math.min(failures - 1, 20), CAP_MS);
  return Math.round(full * (0.5 + random / 2));
}
