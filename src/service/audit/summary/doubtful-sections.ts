import { endedCurrencies } from '../../../contract/ended-currencies.ts';
import { LEVA_PER_EURO } from '../../../contract/fixed-rate.ts';
import { isTied } from '../../../contract/money.ts';
import { dayText } from '../../bulgarian/day-text.ts';
import type { DoubtfulOrders } from '../../orders/doubtful-orders.ts';
import { words } from './blocks.ts';
import { counted } from './counted.ts';
import { listed } from './finding-sections.ts';
import type { MonthSummary } from './month-summary.ts';
import type { Section } from './summary-page.ts';

/** Orders that are listed, or will be, and look wrong. */
export function doubtfulSections({ doubtful = [] }: MonthSummary): readonly Section[] {
  if (doubtful.length === 0) return [];
  const blocks = doubtful.map((one) => {
    const { orders, numbers } = one;
    return words(
      `${counted(orders, 'поръчка', 'поръчки')} ${orders === 1 ? 'е' : 'са'} ${said(one)} ${orders === 1 ? 'Поръчка' : 'Поръчки'}: ${listed(numbers, orders)}.`,
    );
  });
  return [{ title: 'Поръчки за проверка', tone: 'action', blocks }];
}

function said({ why, currency }: DoubtfulOrders): string {
  switch (why) {
    case 'currency-ended':
      return endedWords(currency ?? '');
    case 'transaction-missing':
      return 'чрез доставчик на платежни услуги без референтен номер на плащането, който документът по чл. 52о от Наредба Н-18 трябва да съдържа.';
    case 'transaction-shared':
      return 'с номер на плащане, който има и друга поръчка: проверете дали една продажба не е записана два пъти.';
  }
}

function endedWords(currency: string): string {
  const ended = `във валута ${currency}, с която не се плаща след ${dayText(endedCurrencies[currency] ?? '')}`;
  if (isTied(currency)) return `${ended}, и се отчита в евро по ${LEVA_PER_EURO.replace('.', ',')}: проверете дали цените не са в евро.`;
  return `${ended} и за която няма да има курс: изтрийте поръчката и я създайте във валутата, в която е платено.`;
}
