import { embeddedDialect } from '../../contract/dialect.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readMonthState, type StoredMonth } from '../../service/audit/month/month-state.ts';
import { deadlineOf } from '../../service/law/deadlines.ts';
import { readOrder } from '../../service/reading/read-orders.ts';

/** The document of a record in our own service. `month`: whose file lists it, and the last day for that; null: it is in none yet. */
export type DocumentOf = { number: string; day: string; month: { month: string; state: StoredMonth['state']; due: string } | null };

/** Null: our service has no such record. */
export async function documentOf({ pool }: { pool: Pool }, complianceId: string): Promise<DocumentOf | null> {
  const order = isUuid(complianceId) ? await readOrder(pool, { id: complianceId, dialect: embeddedDialect }) : null;
  if (order === null) return null;
  const { documentNumber: number, documentDate: day, month, shopId } = order;
  if (month === null) return { number, day, month: null };
  return { number, day, month: { month, state: (await readMonthState(pool, { shopId, month })).state, due: deadlineOf(month) } };
}
