import { sofiaDay } from '../../law/sofia-day.ts';
import type { MonthSummary } from './month-summary.ts';

/** Is there a file to be filed that lacks the last changes? Then it is made again before anything else. */
export function lacksChanges({ situation, changes }: Pick<MonthSummary, 'situation' | 'changes'>): boolean {
  return situation.kind === 'generated' && changes.count > 0;
}

/** Has the day on which the file was to be made passed without one? */
export function isOverdue({ situation, writtenAt }: Pick<MonthSummary, 'situation' | 'writtenAt'>): boolean {
  return situation.kind === 'open' && sofiaDay(writtenAt) > situation.generatesOn;
}
