import type { Normalized } from '../storefronts/contract.ts';

/** Orders that are erased in some ten milliseconds. */
const MOST = 1_000;

/** The same, in parts that take turns with what others sent: an erasure request may name hundreds of thousands of orders. */
export function inParts(normalized: Normalized): Normalized[] {
  if (normalized.kind !== 'privacy' || normalized.request.action !== 'redact-orders') return [normalized];
  const { orderIds, ...request } = normalized.request;
  const parts = Array.from({ length: Math.max(1, Math.ceil(orderIds.length / MOST)) }, (_, at) => orderIds.slice(at * MOST, (at + 1) * MOST));
  return parts.map((part) => ({ ...normalized, request: { ...request, orderIds: part } }));
}
