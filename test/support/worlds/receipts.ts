import type { KeptOrder } from '../../../src/bridge/ledger/orders/read-orders.ts';
import type { Receipt } from '../../../src/bridge/order/decisions/claim.ts';
import type { Bridge, Connected } from './bridge.ts';
import { until } from './settled.ts';

const BAD_GATEWAY = { status: 502, body: {} };

/** How often the client retries within one call. */
export const ONE_CALL = [BAD_GATEWAY, BAD_GATEWAY, BAD_GATEWAY] as const;

/** Waits until the receipt of an order's current record is in this state; returns the order. */
export function receiptOf(bridge: Bridge, connected: Pick<Connected, 'connection'>, [orderId, state]: [string, Receipt['state']]): Promise<KeptOrder> {
  return until(
    async () => {
      const order = await bridge.order(connected, orderId);
      if (order?.receipt?.state !== state || order.receipt.complianceId !== order.complianceId) throw new Error(`it is ${JSON.stringify(order?.receipt)}`);
      return order;
    },
    { what: `the receipt of order ${orderId} to be ${state}` },
  );
}
