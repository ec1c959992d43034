import { dayText } from '../../bulgarian/day-text.ts';
import { sofiaDay } from '../../law/sofia-day.ts';
import { counted } from './counted.ts';
import type { MonthSummary } from './month-summary.ts';

type Term = Pick<MonthSummary, 'deadline' | 'writtenAt'>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The time for filing, as the end of a sentence. */
export function filingTime(term: Term): string {
  const day = dayText(term.deadline);
  return isLate(term) ? `възможно най-скоро: срокът изтече на ${day}` : `до ${day} включително.`;
}

/** How much of the term is left, as a sentence. */
export function timeLeft(term: Term): string {
  const days = daysLeft(term);
  if (days < 0) return `Срокът за подаване изтече на ${dayText(term.deadline)}`;
  if (days === 0) return `Срокът за подаване изтича днес, ${dayText(term.deadline)}`;
  return `До края на срока (${dayText(term.deadline)}) ${days === 1 ? 'остава' : 'остават'} ${counted(days, 'ден', 'дни')}.`;
}

export function isLate(term: Term): boolean {
  return daysLeft(term) < 0;
}

function daysLeft({ deadline, writtenAt }: Term): number {
  return Math.round((Date.parse(deadline) - Date.parse(sofiaDay(writtenAt))) / DAY_MS);
}
