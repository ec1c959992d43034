import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { readOne, rowsOf } from '../src/platform/postgres/read-rows.ts';
import { startChild } from './child.ts';
import type { Contestant, Running } from './contestants.ts';
import type { LoadResult, StubCount } from './processes/messages.ts';
import type { Stage } from './stage.ts';
import { cpuMs, residentBytes } from './usage.ts';

const CONNECTIONS = 32;
const WARM_UP = 1_000;
/** An end-to-end run that does not end in this time is a failure, not a slow success. */
const LONGEST_RUN_MS = 120_000;
const LONGEST_PER_ORDER_MS = 10;

export type Accepted = { perSecond: number; p50: number; p99: number; cpuMsPerWebhook: number };

/** Intake alone, without submission: accepted/s and the answer's latency. */
export async function measureAccept(stage: Stage, contestant: Contestant): Promise<Accepted> {
  await stage.emptyRedis();
  await using running = await contestant.start(stage, false);
  await drive(stage, running, { count: WARM_UP });
  const cpu = cpuMs(running.pids);
  const load = await drive(stage, running, { count: stage.options.accept });
  const cpuMsPerWebhook = (cpuMs(running.pids) - cpu) / load.accepted;
  return { perSecond: rate(load.accepted, load.beganAt, load.endedAt), p50: load.p50, p99: load.p99, cpuMsPerWebhook };
}

/** CPU in ms; `service`: all processes of the contestant. */
export type EndToEnd = {
  recordedPerSecond: number;
  acceptedPerSecond: number;
  cpuMsPerOrder: { service: number; redis: number; postgres: number };
  residentMb: number;
  redisLogBytesPerOrder: number;
  postgresBytesPerOrder: number;
  postgresWalBytesPerOrder: number;
};

/**
 * Without a `pace`: webhooks as fast as they are answered, and orders per second from the first request sent to the last order recorded.
 * With one (webhooks per second), for contestants that have a quiet time: see `recordedAtPace`.
 */
export async function measureEndToEnd(stage: Stage, contestant: Contestant, pace: number | null): Promise<EndToEnd> {
  await stage.emptyRedis();
  await using running = await contestant.start(stage, true);
  await warmUp(stage, running);
  const before = await state(stage, running);
  const { orders, settledSeconds } = stage.options;
  const load = await drive(stage, running, pace === null ? { count: orders } : { count: Math.ceil(pace * settledSeconds), rate: pace });
  const { lastAt } = await drained(stage, load.accepted);
  const after = await state(stage, running);
  const each = (of: (at: Awaited<ReturnType<typeof state>>) => number) => (of(after) - of(before)) / load.accepted;
  return {
    recordedPerSecond: pace === null ? rate(load.accepted, load.beganAt, lastAt) : await recordedAtPace(stage, contestant, load),
    acceptedPerSecond: rate(load.accepted, load.beganAt, load.endedAt),
    cpuMsPerOrder: { service: each(({ cpu }) => cpu.service), redis: each(({ cpu }) => cpu.redis), postgres: each(({ cpu }) => cpu.postgres) },
    residentMb: residentBytes(running.pids) / 1e6,
    redisLogBytesPerOrder: each(({ redisLog }) => redisLog),
    postgresBytesPerOrder: each(({ postgres }) => postgres.size),
    postgresWalBytesPerOrder: each(({ postgres }) => postgres.wal),
  };
}

/**
 * Orders per second that were recorded while others arrived: from the end of the first one's quiet time to the last webhook. Webhooks of the first seconds are
 * recorded within it, and those of the last seconds after it, so it holds as much work of either kind as a service that runs for days has.
 */
async function recordedAtPace(stage: Stage, { quietSeconds }: Contestant, { beganAt, endedAt }: LoadResult): Promise<number> {
  const from = beganAt + quietSeconds * 1000;
  const { orders } = await stage.stub.ask<StubCount>({ from, to: endedAt });
  return rate(orders, from, endedAt);
}

/** The answer's latency at a steady rate that leaves room. */
export async function measureSteady(stage: Stage, contestant: Contestant, perSecond: number): Promise<LoadResult> {
  await stage.emptyRedis();
  await using running = await contestant.start(stage, true);
  await warmUp(stage, running);
  const load = await drive(stage, running, { count: perSecond * stage.options.steadySeconds, rate: perSecond });
  await drained(stage, load.accepted);
  return load;
}

/** Sends webhooks from a separate process. */
export async function drive(stage: Stage, { webhookUrl }: Running, { count, rate: perSecond }: { count: number; rate?: number }): Promise<LoadResult> {
  await using load = await startChild('load', { logFile: stage.logFile('load') });
  const order = { url: webhookUrl, secret: stage.secret, connections: CONNECTIONS, count, first: stage.takeNumbers(count) };
  const result = await load.ask<LoadResult>({ ...order, ...(perSecond === undefined ? {} : { rate: perSecond }) });
  if (result.failed > 0) throw new Error(`${result.failed} of ${count} webhooks were not accepted: ${JSON.stringify(result.statuses)}`);
  return result;
}

/** Warms up just-in-time compilers and connection pools, which are not measured. */
async function warmUp(stage: Stage, running: Running): Promise<void> {
  await stage.stub.ask('reset');
  await drive(stage, running, { count: WARM_UP });
  await drained(stage, WARM_UP);
  await stage.stub.ask('reset');
}

/** Waits until the stub has seen so many orders, each of them once. */
export async function drained(stage: Stage, orders: number): Promise<StubCount> {
  const began = performance.now();
  for (;;) {
    const seen = await stage.stub.ask<StubCount>('count');
    if (seen.orders >= orders) {
      if (seen.requests !== seen.orders) console.error(`note: ${seen.requests} requests for ${seen.orders} orders`);
      return seen;
    }
    if (performance.now() - began > LONGEST_RUN_MS + orders * LONGEST_PER_ORDER_MS) throw new Error(`only ${seen.orders} of ${orders} orders were recorded`);
    await sleep(20);
  }
}

const databaseBytes = rowsOf('pg_database', z.object({ size: z.number(), wal: z.number() }));

async function state(stage: Stage, running: Running) {
  const persistence = await stage.redisClient.info('persistence');
  const bytes = await readOne(stage.pool, databaseBytes, {
    text: `select (select sum(pg_database_size(oid)) from pg_database)::float8 as size, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal`,
  });
  return {
    cpu: { service: cpuMs(running.pids), redis: cpuMs([stage.redis.pid()]), postgres: cpuMs(stage.postgresPids()) },
    redisLog: Number(/aof_current_size:(\d+)/.exec(persistence)?.[1] ?? 0),
    postgres: bytes,
  };
}

function rate(orders: number, beganAt: number, endedAt: number): number {
  return orders / ((endedAt - beganAt) / 1000);
}
