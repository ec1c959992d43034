import { dayText } from '../../bulgarian/day-text.ts';
import { shorten, table, text, words } from './blocks.ts';
import type { MonthSummary } from './month-summary.ts';
import type { Section } from './summary-page.ts';

/** Numbers that were skipped, and why. */
export function skippedSection({ skipped }: MonthSummary, limit: number): readonly Section[] {
  if (skipped === undefined) return [];
  const { shown, rest } = shorten(skipped, limit);
  const rows = table({
    columns: [text('От №'), text('До №'), text('Пропуснати на'), text('Причина')],
    rows: shown,
    cells: ({ from, to, skippedOn, why }) => [from, to, dayText(skippedOn), why],
  });
  return [{ title: 'Пропуснати номера', tone: 'quiet', blocks: [words('Тези номера не са дадени и няма да бъдат дадени на документ.'), rows, ...rest] }];
}
