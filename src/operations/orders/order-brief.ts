import type { KeptOrder } from '../../bridge/ledger/kept-order.ts';
import type { OrderHold } from '../../bridge/ledger/order-holds.ts';
import type { TaxRecord } from '../../contract/record.ts';
import { totalsOf } from '../../contract/totals.ts';

/** One order in a list. */
export type OrderBrief = {
  /** The ledger's own number, which is never ambiguous. */
  id: number;
  connectionId: string;
  platform: string;
  store: string;
  orderId: string;
  number: string | null;
  state: KeptOrder['state'];
  review: KeptOrder['review'];
  /** The pause for whose end a queued order waits; null: for none. */
  held: OrderHold | null;
  complianceId: string | null;
  currency: string | null;
  /** The amount that the customer paid or has to pay, before refunds. */
  orderTotal: string | null;
  /** The total that is recorded at the compliance service. */
  recordedTotal: string | null;
  recordedCurrency: string | null;
  updatedAt: string;
};

export function orderBrief(view: KeptOrder, held: OrderHold | null = null): OrderBrief {
  const { id, connectionId, platform, store, orderId, number, state, review, complianceId, record, updatedAt } = view;
  const { snapshot } = view.facts;
  return {
    id,
    connectionId,
    platform,
    store,
    orderId,
    number,
    state,
    review,
    held,
    complianceId,
    currency: snapshot?.currency ?? null,
    orderTotal: snapshot?.total ?? null,
    recordedTotal: record === null ? null : recordTotal(record),
    recordedCurrency: record?.currency ?? null,
    updatedAt,
  };
}

/** Decimal text with VAT, after discounts. */
function recordTotal({ lineItems, precision }: TaxRecord): string {
  return totalsOf({ lines: lineItems, precision }).total;
}
