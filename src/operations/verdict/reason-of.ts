import { type ReasonCode, reasonCodes } from './reason-codes.ts';
import type { Reason } from './verdict.ts';

type Parts = Partial<Omit<Reason, 'code' | 'words'>> & { words: string };

/** A reason of the level that its code has in the table, unless `parts` say otherwise. */
export function reasonOf(code: ReasonCode, parts: Parts): Reason {
  return { code, level: reasonCodes[code].level, subject: null, count: null, total: null, since: null, verb: null, ...parts };
}
