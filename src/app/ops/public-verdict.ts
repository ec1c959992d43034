import { type ReasonCode, reasonCodes } from '../../operations/verdict/reason-codes.ts';
import type { Level, Reason, Verdict } from '../../operations/verdict/verdict.ts';

/** A reason without names, ids and sums: `words` are those of its code. */
export type PublicReason = Pick<Reason, 'code' | 'level' | 'count' | 'since' | 'words'>;
export type PublicVerdict = { verdict: Verdict['verdict']; at: string; reasons: PublicReason[] };

/** The verdict for those who may not know whose stores these are. */
export function publicVerdict({ verdict, at, reasons }: Verdict): PublicVerdict {
  return { verdict, at, reasons: reasons.map(({ code, level, count, since }) => ({ code, level, count, since, words: reasonCodes[code].means })) };
}

/** 503 only for what is failing. */
export function statusOf({ verdict }: Pick<Verdict, 'verdict'>): 200 | 503 {
  return verdict === 'failing' ? 503 : 200;
}

/** How much there is of each code and level, for a gauge: what the reasons count, at least 1 for each. Codes without a reason are 0. */
export function incidentsOf({ reasons }: Verdict): { code: ReasonCode; level: Level; count: number }[] {
  const none = codes.filter((code) => !reasons.some((reason) => reason.code === code && reason.level === reasonCodes[code].level));
  const told = Map.groupBy(reasons, ({ code, level }) => `${code} ${level}`);
  return [
    ...none.map((code) => ({ code, level: reasonCodes[code].level, count: 0 })),
    ...[...told.values()].flatMap((of) => {
      const [first] = of;
      return first === undefined ? [] : [{ code: first.code, level: first.level, count: of.reduce((sum, { count }) => sum + Math.max(count ?? 1, 1), 0) }];
    }),
  ];
}

const codes = (Object.keys(reasonCodes) as ReasonCode[]).toSorted();
