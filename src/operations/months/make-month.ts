import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../../platform/trail/trail.ts';
import { type AuditDeps, type Generation, generateMonth } from '../../service/audit/month/generate-month.ts';
import type { MonthKey } from '../../service/audit/month/month-key.ts';
import { mailRequested } from '../../service/audit/month/serve-month.ts';
import { Refusal } from '../refusal.ts';

/** The result, once nothing had to be waited for. */
export type MadeMonth = Exclude<Generation, { kind: 'waiting' }>;

export type MakeMonthRequest = MonthKey & {
  /** Don't wait for the replacement of an order that was just deleted. */
  now: boolean;
  by: Actor;
  signal: AbortSignal;
  onProgress(done: number, all: number): void;
  /** It waits, until this instant at most; called again when that changes. */
  onWaiting(until: string): void;
};

/** How often to check whether the replacement has arrived. */
const LOOK_MS = 5_000;

/** Makes the next version of a month's file as soon as nothing is to be waited for. Aborted, it refuses, and no file was made. */
export async function makeMonth(deps: AuditDeps, request: MakeMonthRequest): Promise<MadeMonth> {
  const { signal, onWaiting } = request;
  let announced = '';
  for (;;) {
    const generation = await generateMonth(deps, { ...request, said: { by: request.by }, onProgress: abortable(request) });
    if (generation.kind !== 'waiting') return generation;
    const { until } = generation;
    if (until !== announced) onWaiting(until);
    announced = until;
    const left = Date.parse(until) - deps.now().getTime();
    await sleep(Math.min(LOOK_MS, Math.max(left, 1)), undefined, { signal }).catch((thrown: unknown) =>
      Promise.reject(signal.aborted ? interrupted() : thrown),
    );
  }
}

/** Puts a mail with the result into the outbox. False if there is nothing to report, or it was reported before. */
export function mailMonth({ pool, now }: AuditDeps, { by, ...key }: MonthKey & { by: Actor }, generation: MadeMonth): Promise<boolean> {
  return mailRequested(pool, { ...key, now: now(), generation, said: { by } });
}

function abortable({ signal, onProgress }: MakeMonthRequest): MakeMonthRequest['onProgress'] {
  return (done, all) => {
    if (signal.aborted) throw interrupted();
    onProgress(done, all);
  };
}

/** Of a command that makes a file. */
export function interrupted(): Refusal {
  return new Refusal('unavailable', { en: 'interrupted; no file was made', bg: 'прекъснато; файл не беше изготвен' });
}
