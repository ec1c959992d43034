import type { Connection } from '../../bridge/connections/connection.ts';
import type { SettingsInput } from '../../bridge/connections/connection-settings.ts';
import type { Wake } from '../../bridge/delivery/wake.ts';
import { replan } from '../../bridge/ledger/behind-store.ts';
import { curedBySettings } from '../../bridge/order/failure.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { wakeSoon } from '../wake-soon.ts';
import { type FindConnection, knownConnection } from './known-connection.ts';

type Deps = {
  pool: Pool;
  connections: FindConnection & { changeSettings(id: string, settings: SettingsInput): Promise<Connection | null> };
  wake: Wake;
};

/** Replaces a connection's settings and decides again about the orders that they may cure. `released` counts parked ones alone; `unwoken`: why the queue took none. */
export async function changeSettings(
  { pool, connections, wake }: Deps,
  { id, settings }: { id: string; settings: SettingsInput },
): Promise<{ released: number; unwoken: string | null }> {
  await knownConnection(connections, id);
  await connections.changeSettings(id, settings);
  const released = await replan(pool, { connectionId: id, codes: curedCodes(settings) });
  // Settings also say which orders count, and from when: those that the old ones left out are decided again.
  const leftOut = await replan(pool, { unrecordedOf: id });
  return { released: released.length, unwoken: await wakeSoon(wake, [...released, ...leftOut]) };
}

/** The codes of parked orders that these settings may cure. */
function curedCodes({ removeWithoutRefund = 'park', codCancelled = 'park', paidStatuses = [] }: SettingsInput): readonly string[] {
  const removes = removeWithoutRefund !== 'park' || codCancelled !== 'park';
  const closes = codCancelled !== 'park' || paidStatuses.length > 0;
  return [...curedBySettings, ...(removes ? ['removal.unproven'] : []), ...(closes ? ['payment.outstanding'] : [])];
}
