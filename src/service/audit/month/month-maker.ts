import { setTimeout as sleep } from 'node:timers/promises';
import type { Authorship } from '../../../platform/audit-log/audit-log.ts';
import { type AuditDeps, type Generation, generateMonth } from './generate-month.ts';
import type { MonthKey } from './month-state.ts';

/** A person waits for so long; proxies cut a request off after half a minute or a minute. */
const TIMEOUT_MS = 20_000;

/** making: it goes on, here or in another process, and the month shows its result. */
export type MadeOrMaking = Exclude<Generation, { kind: 'busy' }> | { kind: 'making' };

/**
 * Makes the next version of a month's file because somebody asks for it. `now`: without waiting for replacements. `timeoutMs`: the longest time to an
 * answer, where somebody waits for less than usual.
 */
export type MakeMonth = (request: MonthKey & { now?: boolean; timeoutMs?: number; said: Authorship }) => Promise<MadeOrMaking>;

export type MonthMaker = {
  make: MakeMonth;
  /** Does this process make the file of the month, or is it about to? */
  isMaking(key: MonthKey): boolean;
};

type Options = {
  /** The longest time to an answer, in ms. */
  timeoutMs?: number;
  /** What failed after the answer was given. */
  onFailed(err: unknown, key: MonthKey): void;
};

/**
 * Makes months one after the other, because each takes a processor and memory. Anyone who asks for a month that is being made gets its result, so asking
 * again after a lost answer makes no second version.
 */
export function createMonthMaker(deps: AuditDeps, { timeoutMs = TIMEOUT_MS, onFailed }: Options): MonthMaker {
  const making = new Map<string, Promise<Generation>>();
  let last: Promise<unknown> = Promise.resolve();

  function begin(name: string, request: Parameters<MakeMonth>[0]): Promise<Generation> {
    const made = last.then(() => generateMonth(deps, request)).finally(() => making.delete(name));
    making.set(name, made);
    last = made.catch(() => undefined);
    return made;
  }

  async function make(request: Parameters<MakeMonth>[0]): Promise<MadeOrMaking> {
    const { shopId, month } = request;
    const made = making.get(nameOf(request)) ?? begin(nameOf(request), request);
    const waiting = new AbortController();
    const late = sleep(request.timeoutMs ?? timeoutMs, null, { signal: waiting.signal }).catch(() => null);
    try {
      const generation = await Promise.race([made, late]);
      if (generation !== null) return generation.kind === 'busy' ? { kind: 'making' } : generation;
      made.catch((err: unknown) => onFailed(err, { shopId, month }));
      return { kind: 'making' };
    } finally {
      waiting.abort();
    }
  }

  return { make, isMaking: (key) => making.has(nameOf(key)) };
}

function nameOf({ shopId, month }: MonthKey): string {
  return `${shopId} ${month}`;
}
