import type { Digest } from '../../bridge/alerts/alert.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { reportedReasonOf } from './judge.ts';

const inSofia = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Sofia', dateStyle: 'short', timeStyle: 'short' });

/** The day of a digest that is due, "2026-11-22" of Europe/Sofia; null: none is. `madeOn`: the day of the last one. */
export function digestDue({ digestAt, madeOn, now }: { digestAt: string | null; madeOn: string | null; now: Date }): string | null {
  if (digestAt === null) return null;
  const [today = '', time = ''] = inSofia.format(now).split(' ');
  return time >= digestAt && (madeOn === null || madeOn < today) ? today : null;
}

/** The day before, in the same form. */
export function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 24 * 3_600_000).toISOString().slice(0, 10);
}

/** `day`: the one that was counted. */
export function digestOf({ verdict, at, reasons }: Verdict, { day, counts }: Pick<Digest, 'day' | 'counts'>): Digest {
  return { what: 'digest', verdict, at, day, counts, reasons: reasons.map(reportedReasonOf) };
}
