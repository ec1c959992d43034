import { until } from '../worlds/settled.ts';
import { STUCK_MS } from './hostile-limits.ts';
import type { HostileStage } from './hostile-stage.ts';
import { noDetail, type Verdict } from './verdict.ts';

/** As if the times had come until which stores and shops are paused, which can be an hour: they answer again. */
export async function leapAhead({ pool }: HostileStage): Promise<void> {
  await pool.query(`update bridge.pauses set until = now()`);
  await pool.query(`update bridge.orders set due_at = now() where due_at > now()`);
  const { rows } = await pool.query<{ known: boolean }>(`select to_regclass('bridge.store_calls') is not null as known`);
  if (rows[0]?.known === true) await pool.query(`update bridge.store_calls set until = now() where until > now()`);
}

const UNERASED = `select (select count(*)::int from bridge.tombstones where finished_at is null) as tombstones,
  (select count(*)::int from bridge.deliveries d join bridge.connections c on c.id = d.connection_id where d.order_ref is null and d.body is not null
    and d.sought_at <= (select max(made_at) from bridge.tombstones t where t.shop_id = c.shop_id and t.platform = c.platform)) as bodies`;

/** As if the minute were over after which what was being merged during a privacy request is erased, too; waits until the sweeper did it. */
export async function finishErasures(stage: HostileStage, withinMs: number): Promise<void> {
  const known = await stage.pool.query<{ known: boolean }>(`select to_regclass('bridge.tombstones') is not null as known`);
  if (known.rows[0]?.known !== true) return;
  await stage.pool.query(`update bridge.tombstones set made_at = made_at - interval '90 s' where finished_at is null`);
  await stage.pool.query(`update bridge.deliveries set sought_at = sought_at - interval '90 s' where order_ref is null and body is not null`);
  await stage.restart();
  const isFinished = async (): Promise<boolean> => {
    const { rows } = await stage.pool.query<{ tombstones: number; bodies: number }>(UNERASED);
    return rows[0]?.tombstones === 0 && rows[0].bodies === 0;
  };
  await until(isFinished, { what: 'the erasures to be finished', timeoutMs: withinMs, everyMs: 500 });
}

const LEFT = `select
  (select count(*)::int from bridge.inbox) as inbox,
  (select count(*)::int from bridge.orders where (revision > recorded_revision and revision > review_revision) or receipt ->> 'state' = 'due') as pending,
  (select count(*)::int from bridge.pauses) as pauses`;

/** Waits until no order is pending and nothing waits in the inbox; deliveries on the queue become orders meanwhile. */
export async function settle(stage: HostileStage, withinMs: number): Promise<Verdict> {
  const began = performance.now();
  const what = 'after the attack, everything is worked off';
  let left = '';
  let leftSince = began;
  let quiet = 0;
  const look = async (): Promise<boolean> => {
    const [{ inbox, pending, pauses } = { inbox: -1, pending: -1, pauses: -1 }] = (await stage.pool.query<Record<'inbox' | 'pending' | 'pauses', number>>(LEFT))
      .rows;
    const jobs = await stage.waitingDeliveries();
    const now = `${pending} pending orders, ${inbox} in the inbox, ${jobs} jobs of deliveries, ${pauses} pauses`;
    if (now !== left) leftSince = performance.now();
    left = now;
    if (pauses > 0 || pending > 0) await leapAhead(stage);
    quiet = inbox + pending + jobs === 0 ? quiet + 1 : 0;
    return quiet >= 3 || performance.now() - leftSince > STUCK_MS;
  };
  const failed = await until(look, { what, timeoutMs: withinMs, everyMs: 500 }).then(
    () => (quiet >= 3 ? null : `nothing got less for ${STUCK_MS / 1000} s`),
    (thrown: unknown) => String(thrown),
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  return { what, figure: failed === null ? `${seconds} s` : `not in ${seconds} s: ${left}`, held: failed === null, detail: failed ?? noDetail };
}
