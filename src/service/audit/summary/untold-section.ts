import { monthText } from '../../bulgarian/day-text.ts';
import { amountText, numberText } from '../../bulgarian/number-text.ts';
import { numeric, table, text, words } from './blocks.ts';
import type { MonthSummary } from './month-summary.ts';
import type { Section } from './summary-page.ts';

/** Returns of earlier months that no file tells, until somebody says how they were dealt with. */
export function untoldSection({ untold = [] }: MonthSummary): readonly Section[] {
  if (untold.length === 0) return [];
  const rows = table({
    columns: [text('Месец'), numeric('Връщания'), numeric('Сума с ДДС')],
    rows: untold,
    cells: ({ month, returns, total, currency }) => [monthText(month), numberText(String(returns)), `${amountText(total)} ${currency}`],
  });
  const lead = words(
    'В тези месеци няма поръчки, а схемата на НАП не допуска файл само с връщания. Уговорете със счетоводителя си как да бъдат отразени (ДДС се коригира в дневника за продажбите) и отбележете го на страницата на месеца: дотогава те остават и тук.',
  );
  return [{ title: 'Върнати суми, които никой файл не съобщава', tone: 'problem', blocks: [lead, rows] }];
}
