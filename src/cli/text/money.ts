import { counted } from '../../contract/plural.ts';
import type { Outstanding } from '../../service/audit/summary/month-summary.ts';

/** "12.90 BGN", or null if there is no amount. */
export function money(amount: string | null, currency: string | null): string | null {
  return amount === null ? null : `${amount} ${currency ?? ''}`.trim();
}

/** "3 paid orders (36.00 EUR; payment.unmapped: 3)" */
export function outstandingText(outstanding: Outstanding): string {
  const { orders, codes } = outstanding;
  const why = codes.map(({ code, orders: of }) => `${code}: ${of}`).join(', ');
  return `${counted.en(orders, 'paid order', 'paid orders')} (${[moneyOf(outstanding), ...(why === '' ? [] : [why])].join('; ')})`;
}

/** "36.00 EUR" */
export function moneyOf({ totals }: Pick<Outstanding, 'totals'>): string {
  return totals.map(({ total, currency }) => `${total} ${currency}`).join(' + ');
}
