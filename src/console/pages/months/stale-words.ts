import type { MonthSeen } from '../../../operations/months/month-report.ts';
import { dayName } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

/** What a month is now, for somebody whose form was made from something else. */
export function nowWords({ state, filedVersion, filedOn, incomingNumber, rejectedWords, note, last, by }: MonthSeen, words: Words): string {
  const w = words.month.stale;
  const now = {
    open: () => w.now.open(last === null ? null : String(last)),
    generated: () => w.now.open(last === null ? null : String(last)),
    filed: () => w.now.filed(String(filedVersion ?? ''), filedOn === null ? '' : dayName(filedOn, words.lang), incomingNumber),
    rejected: () => w.now.rejected(rejectedWords),
    nothing: () => w.now.nothing(note ?? ''),
  };
  return by === null ? now[state]() : w.by(now[state](), by);
}
