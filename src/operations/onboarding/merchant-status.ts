import { type LastOrder, lastOrder } from '../../bridge/ledger/last-order.ts';
import { openOrders, settingGaps } from '../../bridge/ledger/store-figures.ts';
import type { Said } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { ComplianceService } from '../../service/compliance-service.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { remainsInStore } from '../connections/remains-in-store.ts';
import { type ValueGap, valueGap } from '../connections/show-store.ts';
import { type BoardCard, monthBoard } from '../months/month-board.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { merchantReason, reasonsOf } from './merchant-reasons.ts';

type Deps = { pool: Pool; connections: FindConnection; service: ComplianceService | null; readVerdict(): Promise<Verdict>; now(): Date };

/** ok: all is well. wrong: something does not work, or waits for an answer. off: it was disconnected. */
export type MerchantVerdict = 'ok' | 'wrong' | 'off';

/** What a merchant sees of his own store, and of nothing else. `months` null: another service keeps them. */
export type MerchantStatus = {
  name: string;
  verdict: MerchantVerdict;
  reasons: readonly Said[];
  closedAt: string | null;
  /** What will be in the store once it is disconnected, and what is if it was; with where a person deletes it. */
  remains: readonly Said[];
  recordFrom: string;
  open: { behind: number; review: number; unconfirmed: number };
  /** What his store has that nobody said the meaning of. */
  gaps: readonly ValueGap[];
  last: LastOrder | null;
  months: readonly BoardCard[] | null;
};

export async function merchantStatus(deps: Deps, connectionId: string): Promise<MerchantStatus> {
  const connection = await knownConnection(deps.connections, connectionId);
  const { id, name, closedAt, recordFrom, shopId } = connection;
  const [verdict, open, gaps, last, remains, months] = await Promise.all([
    deps.readVerdict(),
    openOrders(deps.pool, id),
    settingGaps(deps.pool, id),
    lastOrder(deps.pool, id),
    remainsInStore(deps.pool, connection),
    deps.service === null ? null : monthBoard({ ...deps.service.audit, now: deps.now }, { allowed: [shopId], shop: shopId }),
  ]);
  const own = reasonsOf(verdict.reasons, connection);
  const codes = closedAt === null ? new Set(own.map(({ code }) => code)) : [];
  const reasons = [...codes].map((code) => merchantReason(code, connection));
  const isWell = own.length === 0 && open.review + open.unconfirmed === 0;
  const is = closedAt !== null ? 'off' : isWell ? 'ok' : 'wrong';
  return { ...{ name, closedAt, recordFrom, open, last, reasons, remains }, gaps: gaps.map(valueGap), verdict: is, months: months?.cards ?? null };
}
