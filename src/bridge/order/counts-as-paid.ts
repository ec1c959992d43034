import type { FiscalSettings } from './settings.ts';
import type { OrderView } from './view.ts';

/** Did the customer pay, by the platform's word and the merchant's settings? outstanding: it was paid, and now it is not, or not in full. */
export type Paid = 'paid' | 'outstanding' | 'unpaid';

type Given = Pick<OrderView, 'payment' | 'lifecycle' | 'status' | 'wasPaid' | 'onItsWay' | 'gateways'>;
type Settings = Pick<FiscalSettings, 'codGateways' | 'codPaidWhen' | 'paidStatuses' | 'paidStatus'>;

export function countsAsPaid(view: Given, settings: Settings): Paid {
  if (view.payment === 'paid' || isPaidStatus(view, settings)) return 'paid';
  if (view.payment === 'outstanding') return 'outstanding';
  if (settings.codPaidWhen === 'processing' && isOnDelivery(view, settings)) return 'paid';
  // What a storefront once called paid is not unpaid just because it no longer says so.
  return view.wasPaid || settings.paidStatus !== undefined ? 'outstanding' : 'unpaid';
}

/** Is it paid through gateways that collect on delivery alone? */
export function isCashOnDelivery({ gateways }: Pick<OrderView, 'gateways'>, { codGateways }: Pick<FiscalSettings, 'codGateways'>): boolean {
  return gateways.length > 0 && gateways.every((gateway) => codGateways.includes(gateway));
}

function isPaidStatus({ lifecycle, status }: Given, { paidStatuses, paidStatus }: Settings): boolean {
  return lifecycle === 'live' && status !== null && (status === paidStatus || paidStatuses.includes(status));
}

function isOnDelivery(view: Given, settings: Settings): boolean {
  return view.payment === 'on-delivery' || (view.onItsWay && isCashOnDelivery(view, settings));
}
