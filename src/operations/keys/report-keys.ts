import { readDataKeys } from '../../bridge/ledger/keys/data-keys.ts';
import { countInInbox, countSealed, sealedBy } from '../../bridge/ledger/keys/sealed-rows.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { named, runningProcesses } from '../../platform/postgres/processes.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

/** One of ENCRYPTION_KEYS. `dataKeys`: how many it seals. `unknownTo`: processes that run without it; null: it is known to all. */
type MasterReport = { id: string; dataKeys: number; unknownTo: string | null };
/** `sealed`, `sealedBefore`: texts of its current data key, and of former ones. */
type PurposeReport = { purpose: string; dataKey: string | null; madeUnder: string | null; sealed: number; sealedBefore: number };

/**
 * `masters`: those of ENCRYPTION_KEYS, newest first, and others that data keys are sealed with. `mayGo`: those that nothing needs any more but backups from
 * before `sealedAt`. `waiting`: what former data keys sealed and is not in a table that stays. `unknown`: texts whose data key is gone.
 */
export type KeyReport = {
  masters: MasterReport[];
  purposes: PurposeReport[];
  waiting: { inbox: number; queue: number };
  unknown: number;
  sealedAt: string | null;
  mayGo: string[];
};

/** `jobs`: the data of all jobs in the queue, as JSON. */
type Deps = { pool: Pool; masters: readonly string[]; jobs(): Promise<string[]> };

export async function reportKeys({ pool, masters, jobs }: Deps): Promise<KeyReport> {
  const [stored, processes, counts] = await Promise.all([readDataKeys(pool), runningProcesses(pool), countSealed(pool, SEALED_COLUMNS)]);
  const ids = [...new Set([...masters, ...stored.map(({ sealedWith }) => sealedWith)])];
  const report = ids.map((id) => {
    const without = processes.filter(({ knows }) => !knows.includes(id));
    return { id, dataKeys: stored.filter(({ sealedWith }) => sealedWith === id).length, unknownTo: without.length === 0 ? null : named(without) };
  });
  const former = stored.flatMap(({ id, state }) => (state === 'retired' ? [id] : []));
  const count = (of: readonly string[]) => of.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0);
  const purposes = [...Map.groupBy(stored, ({ purpose }) => purpose)].map(([purpose, keys]) => {
    const current = keys.find(({ state }) => state === 'current');
    const before = keys.flatMap(({ id }) => (former.includes(id) ? [id] : []));
    return {
      ...{ purpose, dataKey: current?.id ?? null, madeUnder: current?.madeUnder ?? null },
      ...{ sealed: count(current ? [current.id] : []), sealedBefore: count(before) },
    };
  });
  return {
    masters: report,
    purposes,
    waiting: await waiting({ pool, jobs }, former),
    unknown: count([...counts.keys()]) - count(stored.map(({ id }) => id)),
    sealedAt:
      stored
        .map(({ sealedAt }) => sealedAt)
        .sort()
        .at(-1) ?? null,
    mayGo: report[0]?.unknownTo === null ? report.slice(1).flatMap(({ id, dataKeys }) => (dataKeys === 0 ? [id] : [])) : [],
  };
}

async function waiting({ pool, jobs }: Pick<Deps, 'pool' | 'jobs'>, former: readonly string[]): Promise<KeyReport['waiting']> {
  if (former.length === 0) return { inbox: 0, queue: 0 };
  const isSealed = new RegExp(sealedBy(former));
  return { inbox: await countInInbox(pool, former), queue: (await jobs()).filter((job) => isSealed.test(job)).length };
}
