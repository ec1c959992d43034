import type { TiedCurrency } from '../../../contract/money.ts';
import { moneyText } from '../../bulgarian/money-text.ts';
import { counted } from './counted.ts';

/** "3 поръчки на обща стойност 45,00 €", "1 поръчка на стойност 45,00 €" */
export function ordersInWords({ orders, total }: { orders: number; total: string }, currency: TiedCurrency): string {
  return `${counted(orders, 'поръчка', 'поръчки')} на ${orders === 1 ? 'стойност' : 'обща стойност'} ${moneyText(total, currency)}`;
}
