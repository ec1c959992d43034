import { decimalsOf, moneyText, parseMoney, sum } from '../../../contract/money.ts';
import { minorOrZero } from '../facts/effective-refunds.ts';
import type { Problem } from '../facts/failure.ts';
import type { FiscalSettings } from '../facts/settings.ts';
import type { OrderView } from '../facts/view.ts';

/** Why nothing of an order that was once paid should be recorded, or what a person must decide first. */
type Removal = { kind: 'nothing'; why: 'free' | 'refunded' | 'removed' } | { kind: 'problems'; problems: [Problem] };

/** The platform's word for an order whose payment failed; parcels that come back are often set to it. */
const FAILED = 'failed';
/** The platform's word for an order that was refunded, which without refunds says nothing of its money. */
const REFUNDED = 'refunded';

/** Decides about an order that is cancelled, gone, refunded, open again or free; null: it stays recorded, as far as its money did not go back. */
export function removalOf(view: OrderView, settings: FiscalSettings): Removal | null {
  const isOpen = countsAsPaid(view, settings) === 'outstanding';
  if (isOpen && view.payment === 'outstanding' && !(isOff(view) && settings.removeWithoutRefund === 'remove'))
    return cameBackUncollected(view, settings) ? nothing('removed') : outstanding(view, 'not all of that is paid');
  if (isFree(view) && (settings.freeOrders === 'ignore' || !saysNothing(view))) return freeRemoval(view, settings);
  const { total, back } = moneyOf(view);
  if (total > 0n && back >= total) return nothing('refunded');
  if (cameBackUncollected(view, settings)) return nothing('removed');
  if (view.lifecycle === 'live' && !view.test)
    return isOpen ? outstanding(view, `it was paid before, but its status “${view.status}” says that it is not`) : null;
  return offWithout(back, view, settings);
}

function isOff({ lifecycle }: OrderView): boolean {
  return lifecycle === 'cancelled' || lifecycle === 'trashed';
}

// A draft or a test that was a sale before: that says even less of its money than cancelling does.
function saysNothing({ lifecycle, test }: OrderView): boolean {
  return lifecycle === 'draft' || test;
}

// Cancelled or gone, and not all of its money went back.
function offWithout(back: bigint, view: OrderView, { removeWithoutRefund }: FiscalSettings): Removal | null {
  if (removeWithoutRefund === 'keep') return null;
  if (removeWithoutRefund === 'remove') return nothing('removed');
  // The part that is proven to have gone back comes off the record; but for an order that the store calls refunded, all of it should have.
  if (back > 0n && view.status !== REFUNDED && !saysNothing(view)) return null;
  return stuck({ code: 'removal.unproven', detail: `It was ${wordOf(view)}, but the refunds seen do not cover its ${view.total} ${view.currency}.` });
}

/** What a person must decide about the rest of a cancelled order of which a part went back; null: nothing more is owed. */
export function stillOwed(view: OrderView, { removeWithoutRefund }: FiscalSettings): Problem | null {
  const owed = minorOrZero(view.owed ?? '0', view.currency);
  if (view.lifecycle === 'live' || removeWithoutRefund !== 'review' || owed <= 0n) return null;
  const { back } = moneyOf(view);
  const words = `${moneyText(back, view.currency)} of its ${view.total} ${view.currency} went back, and the store still owes ${moneyText(owed, view.currency)}.`;
  return { code: 'removal.unproven', detail: `It was ${wordOf(view)}: ${words}` };
}

export function isFree({ total, currency }: Pick<OrderView, 'total' | 'currency'>): boolean {
  return parseMoney(total, decimalsOf(currency)) === 0n;
}

// Nothing was paid, so there is no money whose return would have to be proven.
function freeRemoval({ lifecycle }: OrderView, { freeOrders }: FiscalSettings): Removal | null {
  if (freeOrders === 'ignore') return nothing('free');
  return lifecycle === 'live' ? null : nothing('removed');
}

// Most parcels that are refused: somebody had set the order to completed at dispatch, and no money ever came.
function cameBackUncollected(view: OrderView, settings: FiscalSettings): boolean {
  const { lifecycle, status, transactionId, charged, refunds } = view;
  if (settings.codCancelled === 'review' || !isCashOnDelivery(view, settings)) return false;
  const isOff = status === FAILED || (lifecycle === 'cancelled' && status !== REFUNDED);
  return isOff && transactionId === null && !charged && refunds.length === 0;
}

function outstanding({ total, currency }: OrderView, why: string): Removal {
  return stuck({ code: 'payment.outstanding', detail: `It comes to ${total} ${currency}, and ${why}.` });
}

function wordOf({ lifecycle, status, test }: OrderView): string {
  if (test) return 'marked as a test';
  if (lifecycle === 'draft') return `set back to a draft (“${status}”)`;
  if (status === REFUNDED) return 'marked as refunded';
  return lifecycle === 'cancelled' ? 'cancelled' : 'trashed or deleted';
}

// Amounts that can't be read prove nothing here; `recordLines` reports them.
function moneyOf(view: OrderView): { total: bigint; back: bigint } {
  return { total: minorOrZero(view.total, view.currency), back: sum(view.refunds.map(({ amount }) => minorOrZero(amount, view.currency))) };
}

function nothing(why: 'free' | 'refunded' | 'removed'): Removal {
  return { kind: 'nothing', why };
}

function stuck(problem: Problem): Removal {
  return { kind: 'problems', problems: [problem] };
}

/** Did the customer pay, by the platform's word and the merchant's settings? outstanding: it was paid, and now it is not, or not in full. */
type Paid = 'paid' | 'outstanding' | 'unpaid';

type PaymentFacts = Pick<OrderView, 'payment' | 'lifecycle' | 'status' | 'wasPaid' | 'onItsWay' | 'gateways'>;
type Settings = Pick<FiscalSettings, 'codGateways' | 'codPaidWhen' | 'paidStatuses' | 'paidStatus'>;

export function countsAsPaid(view: PaymentFacts, settings: Settings): Paid {
  if (view.payment === 'paid' || isPaidStatus(view, settings)) return 'paid';
  if (view.payment === 'outstanding') return 'outstanding';
  if (!view.wasPaid && settings.codPaidWhen === 'processing' && isOnDelivery(view, settings)) return 'paid';
  // What a storefront once called paid is not unpaid just because it no longer says so.
  return view.wasPaid || settings.paidStatus !== undefined ? 'outstanding' : 'unpaid';
}

/** Is it paid through gateways that collect on delivery alone? */
function isCashOnDelivery({ gateways }: Pick<OrderView, 'gateways'>, { codGateways }: Pick<FiscalSettings, 'codGateways'>): boolean {
  return gateways.length > 0 && gateways.every((gateway) => codGateways.includes(gateway));
}

function isPaidStatus({ lifecycle, status }: PaymentFacts, { paidStatuses, paidStatus }: Settings): boolean {
  return lifecycle === 'live' && status !== null && (status === paidStatus || paidStatuses.includes(status));
}

function isOnDelivery(view: PaymentFacts, settings: Settings): boolean {
  return view.payment === 'on-delivery' || (view.onItsWay && isCashOnDelivery(view, settings));
}
