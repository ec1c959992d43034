import { abandonedWays, deleteWay, isShopUsed } from '../../bridge/ledger/invitations/abandoned-store.ts';
import { findOnboarding } from '../../bridge/ledger/invitations/onboarding-store.ts';
import { PROGRAM } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hasService } from '../../service/database/service-tables.ts';
import { dropUnusedShop } from '../../service/shops/shops.ts';
import { disconnectStore } from '../connections/disconnect-store.ts';
import { companyOf } from './own-company.ts';

/**
 * What somebody began uninvited, and never started, goes 30 days after its way ended, with everything of it: store, keys, mailboxes, webhooks, orders, and the
 * shop that was made for it at our own service. A live store is disconnected first, and goes the next time. Nothing that was ever recorded is touched.
 */
export async function dropAbandoned(deps: Parameters<typeof disconnectStore>[0], now: Date): Promise<void> {
  const { pool } = deps;
  const isOurs = await hasService(pool);
  const failures: unknown[] = [];
  for (const way of await abandonedWays(pool, now)) {
    try {
      if (way.isLive && way.connectionId !== null) await disconnectStore(deps, { id: way.connectionId, by: PROGRAM });
      else await drop(pool, way, isOurs);
    } catch (thrown) {
      if (!(thrown instanceof Recorded)) failures.push(thrown);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Its shop has orders that this bridge did not record: nothing of it goes. */
class Recorded extends Error {}

async function drop(pool: Pool, way: { id: string; connectionId: string | null }, isOurs: boolean): Promise<void> {
  const stored = await findOnboarding(pool, way.id);
  const made = stored === null ? null : companyOf(stored).shop;
  await deleteWay(pool, way, async (tx) => {
    if (made === null || !isOurs || (await isShopUsed(tx, made)) || (await dropUnusedShop(tx, made))) return;
    throw new Recorded();
  });
}
