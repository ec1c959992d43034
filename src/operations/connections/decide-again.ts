import type { SettingsInput } from '../../bridge/connections/connection-settings.ts';
import { curedCodes } from '../../bridge/connections/cured-codes.ts';
import type { Wake } from '../../bridge/delivery/wake.ts';
import { replan } from '../../bridge/ledger/behind-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { wakeSoon } from '../wake-soon.ts';

/** What changed of a connection. `span`: which orders count by the time of their payment. */
type Changed = { id: string; settings: SettingsInput | null; span: boolean; storeApi: boolean };

/** `released` counts the orders that waited for a person; `unwoken`: why the queue took none. */
export type DecidedAgain = { released: number; unwoken: string | null };

/** Decides again about the orders that a change of their connection may cure. */
export async function decideAgain({ pool, wake }: { pool: Pool; wake: Wake }, { id, settings, span, storeApi }: Changed): Promise<DecidedAgain> {
  const released = settings === null ? [] : await replan(pool, { connectionId: id, codes: curedCodes(settings) });
  const answered = storeApi ? await replan(pool, { waitsForStoreOf: id }) : [];
  // Settings also say which orders count, and from when: those that the old ones left out are decided again.
  const leftOut = settings !== null || span ? await replan(pool, { unrecordedOf: id }) : [];
  return { released: released.length, unwoken: await wakeSoon(wake, [...released, ...answered, ...leftOut]) };
}
