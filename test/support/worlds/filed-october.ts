import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { markFiled } from '../../../src/service/audit/month/mark-month.ts';
import type { AuditWorld } from './audit-world.ts';
import { auditDeps, october } from './october.ts';

/** A day in October's term, after the shop's day. */
export const FIRST_VERSION = '2026-11-10T10:00:00Z';

const OF = (w: AuditWorld) => ({ shopId: w.shopId, month: '2026-10' });

/** The n-th order of October: one cup for `total`. */
export function sale(n: number, total: number, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return october(n, { lineItems: [{ name: 'Чаша', quantity: 1, price: total, vatRate: 20, vatGroup: 'GROUP_B' }], ...changes });
}

/** Makes the next version of October’s file at once. */
export function made(w: AuditWorld) {
  return generateMonth(auditDeps(w), { ...OF(w), now: true });
}

/** October’s file is filed as it is. */
export function filed(w: AuditWorld, version: number | null = null) {
  return markFiled(w.server.pool, { ...OF(w), version, now: w.now(), asIs: true });
}

/** What the file of a month would list now. */
export async function brief(w: AuditWorld, month: string) {
  const { orders, returns } = await w.list(month);
  return {
    orders: orders.map(({ number, documentNumber, total }) => [number, documentNumber, total]),
    returns: returns.map(({ number, amount, way }) => [number, amount, way]),
  };
}
