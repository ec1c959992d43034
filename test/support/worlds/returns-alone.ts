import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { markFiled } from '../../../src/service/audit/month/mark-month.ts';
import type { AuditWorld } from './audit-world.ts';
import { auditDeps, NOVEMBER_IN_TERM, OCTOBER, october } from './october.ts';

/** October of a shop has no order, but the return of a sale that September's file lists; nobody has made a file of it yet. */
export async function returnsAlone(w: AuditWorld, shopId = w.shopId): Promise<void> {
  const month = '2026-09';
  w.setClock(OCTOBER);
  const { id } = await w.create(october(9, { shopId, internalCreatedAt: '2026-09-20T10:15:00+03:00' }));
  await w.server.pool.query(`update compliance.orders set month = '2026-09-01' where id = $1`, [id]);
  await generateMonth(auditDeps(w), { shopId, month, now: true });
  await markFiled(w.server.pool, { shopId, month, version: 1, now: w.now() });
  await w.remove(id);
  w.setClock(NOVEMBER_IN_TERM);
}
