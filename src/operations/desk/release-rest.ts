import { insertRunOfGroup, readRun, whatBecame } from '../../bridge/ledger/run-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { Refusal } from '../refusal.ts';
import { type Begun, beginWork, type RunDeps } from '../runs/begin-work.ts';
import type { AskedGroup } from './asked-group.ts';
import { askedNoMore } from './check-one.ts';
import { aboutGroup, readAbout } from './run-about.ts';

/** `check`: the run of the order that went first. */
type Rest = { group: AskedGroup; check: string; by: Actor };

/** Decides again about all orders of a group, once one of them went well. */
export async function releaseRest(deps: RunDeps, { group, check, by }: Rest): Promise<Begun> {
  const { pool } = deps;
  if (!(await wentWell(pool, group, check))) {
    const said = {
      en: 'no order of this group went well yet: first check on one order',
      bg: 'още нито една от тези поръчки не мина добре: първо проверете с една',
    };
    throw new Refusal('conflict', said, {
      advice: { en: '`orderbridge release --code` does so by itself', bg: '`orderbridge release --code` прави това само' },
    });
  }
  // Before the first of them: whoever comes back after a crash sees how many are left.
  const run = await insertRunOfGroup(pool, { who: by, act: 'order.released', about: aboutGroup('rest', group) }, group);
  if (run === null) throw new Refusal('conflict', askedNoMore);
  return beginWork(deps, { run, by });
}

/** The order that went first is recorded, or needs no record. */
async function wentWell(pool: Pool, group: AskedGroup, check: string): Promise<boolean> {
  const run = await readRun(pool, check);
  if (run === null || readAbout(run.about)?.group !== group.id) return false;
  const became = await whatBecame(pool, check);
  return became.length > 0 && became.every(({ is, code, state }) => is === 'done' && code === '' && state !== 'unconfirmed');
}
