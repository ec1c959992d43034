import { moneyText, NO_BREAK, numberText } from '../../../contract/local-text.ts';
import type { TiedCurrency } from '../../../contract/money.ts';
import { form } from '../../../contract/plural.ts';

/** (2, "поръчка", "поръчки") → "2 поръчки" */
export function counted(count: number, one: string, many: string): string {
  return `${numberText(String(count))}${NO_BREAK}${form.bg(count, one, many)}`;
}

/** "3 поръчки на обща стойност 45,00 €", "1 поръчка на стойност 45,00 €" */
export function ordersInWords({ orders, total }: { orders: number; total: string }, currency: TiedCurrency): string {
  return `${counted(orders, 'поръчка', 'поръчки')} на ${form.bg(orders, 'стойност', 'обща стойност')} ${moneyText(total, currency)}`;
}
