import { curedBySettings } from '../order/failure.ts';
import type { SettingsInput } from './connection-settings.ts';

/** The codes of orders in review that these settings may cure; of refused ones, those whose record changes with them. */
export function curedCodes({ removeWithoutRefund = 'review', codCancelled = 'review', paidStatuses = [] }: SettingsInput): readonly string[] {
  const removes = removeWithoutRefund !== 'review' || codCancelled !== 'review';
  const closes = codCancelled !== 'review' || paidStatuses.length > 0;
  return [...curedBySettings, 'compliance.refused', ...(removes ? ['removal.unproven'] : []), ...(closes ? ['payment.outstanding'] : [])];
}
