import { curedBySettings } from '../order/failure.ts';
import type { SettingsInput } from './connection-settings.ts';

/** The codes of parked orders that these settings may cure; of refused ones, those whose record changes with them. */
export function curedCodes({ removeWithoutRefund = 'park', codCancelled = 'park', paidStatuses = [] }: SettingsInput): readonly string[] {
  const removes = removeWithoutRefund !== 'park' || codCancelled !== 'park';
  const closes = codCancelled !== 'park' || paidStatuses.length > 0;
  return [...curedBySettings, 'compliance.refused', ...(removes ? ['removal.unproven'] : []), ...(closes ? ['payment.outstanding'] : [])];
}
