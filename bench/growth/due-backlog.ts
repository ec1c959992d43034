import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../src/platform/postgres/postgres.ts';
import type { StubCount } from '../processes/messages.ts';
import type { Stage } from '../stage.ts';
import { residentMb } from '../usage.ts';
import { copyOf, inBulk, type Ledger, splitOf } from './ledgers.ts';

export type DueBacklog = {
  orders: number;
  /** Resident memory of receiver, worker and Redis: while the service is down, and after each tenth of the backlog. */
  tenthsMb: number[][];
  /** How long PostgreSQL took to fill it in. */
  filledSeconds: number;
  /** From the first order that the service saw to the last one. */
  drainedPerSecond: number;
  /** Of each tenth of the backlog. */
  perSecond: number[];
};

const TENTHS = 10;
const DOWN_MS = 20_000;
/** None of the backlog is recorded for so long: it is stuck. */
const STUCK_MS = 120_000;

// As recorders leave what is due.
const DUE = `with made as (
    insert into orders (shop_id, platform, store, order_id, connection_id, number, sold_at, total, currency, revision, state, dirty_since, due_at)
    select o.shop_id, o.platform, o.store, 'b' || n, o.connection_id, '#b' || n, o.sold_at, o.total, o.currency, 1, 'queued', now(), now()
    from generate_series($2::bigint, $3::bigint) n, orders o where o.id = $1 returning id)
  insert into order_facts select made.id, f.facts from made, order_facts f where f.order_ref = $1`;
const SLICE = 10_000;

/** Orders that are due while the compliance service is down: what they take of the memory, and how they drain when it comes back. */
export async function measureDueBacklog({ stage, home, sample }: Ledger, orders: number): Promise<DueBacklog> {
  const copy = await copyOf(stage, home, `backlog_${orders}`);
  const began = performance.now();
  await inBulk(copy, (db) => fillDue(db, { sample, orders }));
  const filledSeconds = (performance.now() - began) / 1000;
  await stage.redis.flush();
  await stage.stub[Symbol.asyncDispose]();
  const on: Stage = Object.create(stage, { home: { value: () => copy } });
  await using running = await splitOf(stage).start(on, true);
  await sleep(DOWN_MS);
  const memory = () => residentMb([...running.pids, stage.redis.pid()]);
  const tenthsMb = [memory()];
  const stub = await stage.startStub();
  const passed: { at: number; orders: number }[] = [];
  for (let tenth = 1; tenth <= TENTHS; tenth += 1) {
    passed.push(await reached(stub, Math.ceil((orders * tenth) / TENTHS)));
    tenthsMb.push(memory());
  }
  return { orders, filledSeconds, tenthsMb, ...paceOf(passed) };
}

async function fillDue(db: Queryable, { sample, orders }: { sample: number; orders: number }): Promise<void> {
  for (let from = 1; from <= orders; from += SLICE) await db.query(DUE, [sample, from, Math.min(orders, from + SLICE - 1)]);
}

/** When the service had seen so many orders. */
async function reached(stub: Stage['stub'], orders: number): Promise<{ at: number; orders: number }> {
  let last = { orders: -1, at: Date.now() };
  for (;;) {
    const seen = await stub.ask<StubCount>('count');
    if (seen.orders >= orders) return { at: seen.lastAt, orders: seen.orders };
    if (seen.orders > last.orders) last = { orders: seen.orders, at: Date.now() };
    if (Date.now() - last.at > STUCK_MS) throw new Error(`the backlog is stuck: ${seen.orders} orders were recorded`);
    await sleep(50);
  }
}

/** The first tenth has the pause of the destination in it, and is left out. */
function paceOf(passed: readonly { at: number; orders: number }[]): Pick<DueBacklog, 'drainedPerSecond' | 'perSecond'> {
  const rate = (from: { at: number; orders: number }, to: { at: number; orders: number }) => ((to.orders - from.orders) * 1000) / Math.max(1, to.at - from.at);
  const [first, last] = [passed[0], passed.at(-1)];
  const perSecond = passed.slice(1).map((to, at) => rate(passed[at] ?? to, to));
  return { perSecond, drainedPerSecond: first === undefined || last === undefined ? 0 : rate(first, last) };
}
