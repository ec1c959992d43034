import { storeNotRead } from '../bridge/bridge-events.ts';
import { isHandedOver } from '../bridge/ledger/sync/known-summaries.ts';
import { isBeingRecorded, isWanted, wantWindow } from '../bridge/ledger/sync/sync-store.ts';
import { storefrontOf, storefronts } from '../bridge/storefronts/registry.ts';
import type { MonthKey } from '../service/audit/month/month-state.ts';
import type { BeforeFile } from '../service/audit/month/serve-month.ts';
import { addDays } from '../service/law/calendar.ts';
import type { Core } from './core.ts';
import type { OutstandingReporter } from './outstanding-reporter.ts';

/** Before a month's file is made, the stores of its shop are read for the month, and what is outstanding then is told. */
export function beforeFile({ core, reporter }: { core: Core; reporter: Pick<OutstandingReporter, 'report'> }): BeforeFile {
  const { pool } = core;
  return {
    ask: (key) =>
      reported(core, key, async () => {
        for (const id of await readableOf(core, key))
          await wantWindow(pool, id, { since: `${addDays(`${key.month}-01`, -1)}T00:00:00.000Z`, why: reasonOf(key) });
      }),
    isAnswered: (key) =>
      reported(core, key, async () => {
        const ids = await readableOf(core, key);
        if (ids.length === 0) return true;
        if (await isWanted(pool, ids, reasonOf(key))) return false;
        return !(await isHandedOver(pool, ids)) && !(await isBeingRecorded(pool, key.shopId));
      }),
    finish: (key) => reported(core, key, () => reporter.report(key.shopId)),
  };
}

function reasonOf({ month }: MonthKey): string {
  return `the file of ${month}`;
}

/** The connections of a shop whose store can be read. */
export async function readableOf({ connections }: Core, { shopId }: MonthKey): Promise<string[]> {
  const live = (await connections.list()).filter((one) => one.shopId === shopId && one.closedAt === null && one.access !== null);
  return live.filter(({ platform }) => storefrontOf(storefronts, platform).api?.changedSince !== undefined).map(({ id }) => id);
}

async function reported<T>({ log }: Core, { shopId, month }: MonthKey, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    storeNotRead(log, { shopId, month, err });
    throw err;
  }
}
