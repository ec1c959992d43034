import { desired } from '../../../src/bridge/order/decisions/desired.ts';
import type { DraftLine, RefundLine, Snapshot } from '../../../src/bridge/order/facts/facts.ts';
import type { FiscalSettings } from '../../../src/bridge/order/facts/settings.ts';
import { facts, line, refund, settings, snapshot } from './order-facts.ts';

export type Order = Partial<Snapshot> & { lines: DraftLine[]; total: string };
export type Back = { amount: string; lines?: RefundLine[] | null };

/** The recorded lines in short ("2 × 5.02 − 1.00 Mug"), or the problems. */
export function recorded(order: Order, backs: Back[] = [], convertTo: FiscalSettings['convertTo'] = null): string[] {
  const refunds = backs.map((back, index) => refund({ id: `r${index}`, lines: null, ...back }));
  const known = facts({ snapshot: snapshot({ ...order, refunds: null }), refunds });
  const result = desired({ orderId: '1', facts: known, settings: { ...settings, convertTo } });
  if (result.kind === 'problems') return result.problems.map(({ code, detail }) => `${code}: ${detail}`);
  if (result.kind === 'nothing') return [result.why];
  return result.record.lineItems.map(({ quantity, price, discount, name }) => `${quantity} × ${price} − ${discount} ${name}`);
}

export const mug = (values: Partial<DraftLine> = {}) => line(values);
export const book = (values: Partial<DraftLine> = {}) => line({ id: '2', name: 'Book', gross: '10.00', vatRate: '9', ...values });
export const bowl = (values: Partial<DraftLine> = {}) => line({ id: '3', name: 'Bowl', gross: '10.00', ...values });
export const fee = (gross: string, values: Partial<DraftLine> = {}) => line({ id: '9', kind: 'fee', name: 'Fee', gross, ...values });
export const back = (lineId: string, quantity: string, amount: string): RefundLine => ({ lineId, quantity, amount });
