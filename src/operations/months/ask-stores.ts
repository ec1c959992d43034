import { setTimeout as sleep } from 'node:timers/promises';
import { quoted, type Said } from '../../contract/said.ts';
import { errorWords } from '../../platform/error-words.ts';
import type { BeforeFile } from '../../service/audit/month/before-file.ts';
import type { MonthKey } from '../../service/audit/month/month-key.ts';
import { interrupted } from './make-month.ts';

/** What asks the stores of a shop for a month. */
export type StoreAsker = BeforeFile & {
  /** Why nobody would read them, for people; null: somebody may. */
  whyNot: Said | null;
  /** Does a process read one of them? */
  isBeingRead(): Promise<boolean>;
};

export type Asking = MonthKey & {
  signal: AbortSignal;
  /** ms since 1970 */
  now(): number;
  /** It waits, until this instant at most. */
  onWaiting(until: string): void;
};

/** A worker looks every second for stores that are to be read. */
const TAKEN_MS = 30_000;
const LONGEST_MS = 10 * 60_000;
const LOOK_MS = 500;

const NOT_BEGUN: Said = { en: 'no worker began to read it: is one running?', bg: 'никой работещ процес не започна да го чете: пуснат ли е такъв?' };
const NOT_ENDED: Said = {
  en: 'it was not read to its end in 10 minutes; `orderbridge connections` says what is wrong with it',
  bg: 'не беше прочетен докрай за 10 минути; `orderbridge connections` казва какво му е',
};

/** Has the stores of a shop read for a month before its file is made. Null: all of it is known; else why not, for people. Aborted, it refuses. */
export async function askStores(asker: StoreAsker, asking: Asking): Promise<Said | null> {
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

async function untilAnswered(asker: StoreAsker, { shopId, month, signal, now, onWaiting }: Asking): Promise<Said | null> {
  const began = now();
  let isTaken = false;
  for (let looks = 0; ; looks += 1) {
    if (await asker.isAnswered({ shopId, month, since: new Date(began) })) return null;
    isTaken ||= await asker.isBeingRead();
    const waited = now() - began;
    if (!isTaken && waited >= TAKEN_MS) return NOT_BEGUN;
    if (waited >= LONGEST_MS) return NOT_ENDED;
    if (looks === 0) onWaiting(new Date(began + LONGEST_MS).toISOString());
    await sleep(LOOK_MS, undefined, { signal });
  }
}
