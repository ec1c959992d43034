import { setTimeout as pause } from 'node:timers/promises';
import type { Watch } from './watch-ledger.ts';
import { HELD_MS, type WatchDeps } from './watch-subscriptions.ts';

const LOOK_MS = 250;

/** The right to look after the webhooks of a connection, waited for so long; null: another process keeps it for longer. */
export async function takeWatch(
  { ledger, now }: WatchDeps,
  id: string,
  { patienceMs, signal }: { patienceMs: number; signal: AbortSignal },
): Promise<Watch | null> {
  for (const began = now(); ; ) {
    const watch = await ledger.take(id, HELD_MS);
    if (watch !== null || now() - began > patienceMs) return watch;
    await pause(LOOK_MS, undefined, { signal });
  }
}
