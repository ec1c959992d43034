import { createHash } from 'node:crypto';
import type { OrderKey } from '../facts/facts.ts';

/**
 * Names one create step of one order for good: a ledger that starts anew never uses the key of another order.
 * The order is hashed, for its store's name may be long and may hold anything.
 */
export function idempotencyKeyOf({ shopId, platform, store, orderId }: OrderKey, seq: number): string {
  const order = createHash('sha256')
    .update(JSON.stringify([shopId, platform, store, orderId]))
    .digest('hex')
    .slice(0, 40);
  return `orderbridge-${order}-${seq}`;
}
