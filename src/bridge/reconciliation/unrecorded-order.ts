import { convertFixed, exactMoney, isTied, larger } from '../../contract/money.ts';
import type { TaxRecord } from '../../contract/record.ts';
import { totalsOf } from '../../contract/totals.ts';
import { desired } from '../order/desired.ts';
import type { Facts } from '../order/facts.ts';
import { fiscalSettings } from '../order/fiscal-settings.ts';
import { minorOrZero } from '../order/minor-or-zero.ts';
import type { FiscalSettings, Frozen } from '../order/settings.ts';
import type { Terms } from '../order/terms.ts';
import { type OrderView, viewOf } from '../order/view.ts';

/** An order without a record. `code`: why it has none. `isOurs`: recorded whenever it was paid, since a person took it in. */
export type Unrecorded = { orderId: string; facts: Facts; mapping: Frozen | null; code: string; isOurs: boolean };

/** Money in minor units; `createdAt` as the storefront wrote it, `soldAt` an ISO instant. */
export type PaidOrder = { createdAt: string; soldAt: string; currency: string; total: bigint; code: string };

const ALWAYS = '1970-01-01T00:00:00.000Z';

/** The order, if it is paid and should be recorded, or a person must say whether it should; else null. */
export function paidOrder({ orderId, facts, mapping, code, isOurs }: Unrecorded, terms: Terms): PaidOrder | null {
  const settings = fiscalSettings(isOurs ? { ...terms, recordFrom: ALWAYS, gaps: [] } : terms, mapping);
  const wanted = desired({ orderId, facts, settings });
  const view = viewOf(facts);
  if (view === null || wanted.kind === 'nothing') return null;
  const money = wanted.kind === 'record' ? moneyOfRecord(wanted.record) : moneyOfView(view, settings);
  return { createdAt: view.createdAt, soldAt: view.paidAt, code, ...money };
}

type Money = Pick<PaidOrder, 'currency' | 'total'>;

function moneyOfRecord({ currency, precision, lineItems }: TaxRecord): Money {
  return { currency, total: exactMoney(totalsOf({ lines: lineItems, precision }).total, precision) };
}

// Where its record can't be decided: what the platform says was paid and kept.
function moneyOfView({ currency, total, kept, refunds }: OrderView, { convertTo }: Pick<FiscalSettings, 'convertTo'>): Money {
  const back = refunds.reduce((sum, { amount }) => sum + minorOrZero(amount, currency), 0n);
  const left = larger(kept === undefined ? minorOrZero(total, currency) - back : minorOrZero(kept, currency), 0n);
  return convertTo !== null && isTied(currency) ? { currency: convertTo, total: convertFixed(left, currency, convertTo) } : { currency, total: left };
}
