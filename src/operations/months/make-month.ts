import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalizedText, quoted } from '../../contract/messages.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import { errorWords } from '../../platform/error-words.ts';
import { type AuditDeps, type Generation, generateMonth } from '../../service/audit/month/generate-month.ts';
import type { MonthKey } from '../../service/audit/month/month-state.ts';
import { type BeforeFile, mailRequested } from '../../service/audit/month/serve-month.ts';
import { Refusal } from '../refusal.ts';

/** The result, once nothing had to be waited for. */
export type MadeMonth = Exclude<Generation, { kind: 'waiting' }>;

type MakeMonthRequest = MonthKey & {
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
function interrupted(): Refusal {
  return new Refusal('unavailable', { en: 'interrupted; no file was made', bg: 'прекъснато; файл не беше изготвен' });
}

/** What asks the stores of a shop for a month. */
export type StoreAsker = BeforeFile & {
  /** Why nobody would read them, for people; null: somebody may. */
  whyNot: LocalizedText | null;
  /** Does a process read one of them? */
  isBeingRead(): Promise<boolean>;
};

type Asking = MonthKey & {
  signal: AbortSignal;
  /** ms since 1970 */
  now(): number;
  /** It waits, until this instant at most. */
  onWaiting(until: string): void;
};

/** A worker looks every second for stores that are to be read. */
const TAKEN_MS = 30_000;
const LONGEST_MS = 10 * 60_000;
const STORE_LOOK_MS = 500;

const NOT_BEGUN: LocalizedText = { en: 'no worker began to read it: is one running?', bg: 'никой работещ процес не започна да го чете: пуснат ли е такъв?' };
const NOT_ENDED: LocalizedText = { en: 'it was not read to its end in 10 minutes', bg: 'не беше прочетен докрай за 10 минути' };

/** Has the stores of a shop read for a month before its file is made. Null: all of it is known; else why not, for people. Aborted, it refuses. */
export async function askStores(asker: StoreAsker, asking: Asking): Promise<LocalizedText | null> {
  const key = { shopId: asking.shopId, month: asking.month };
  if (asker.whyNot !== null) return asker.whyNot;
  try {
    await asker.ask(key);
    const why = await untilAnswered(asker, asking);
    await asker.finish(key);
    return why;
  } catch (thrown) {
    if (asking.signal.aborted) throw interrupted();
    return quoted(errorWords(thrown));
  }
}

async function untilAnswered(asker: StoreAsker, { shopId, month, signal, now, onWaiting }: Asking): Promise<LocalizedText | null> {
  const began = now();
  let isTaken = false;
  for (let looks = 0; ; looks += 1) {
    if (await asker.isAnswered({ shopId, month, since: new Date(began) })) return null;
    isTaken ||= await asker.isBeingRead();
    const waited = now() - began;
    if (!isTaken && waited >= TAKEN_MS) return NOT_BEGUN;
    if (waited >= LONGEST_MS) return NOT_ENDED;
    if (looks === 0) onWaiting(new Date(began + LONGEST_MS).toISOString());
    await sleep(STORE_LOOK_MS, undefined, { signal });
  }
}
