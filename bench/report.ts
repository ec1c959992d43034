import type { Backlog } from './backlog.ts';
import type { Accepted, EndToEnd } from './measure.ts';
import type { Options } from './options.ts';
import type { LoadResult } from './processes/messages.ts';
import type { Startup } from './startup.ts';

/** Rounds by contestant, in the order they were run. */
export type Results = {
  options: Options;
  machine: { cpus: number; model: string; node: string };
  accept: Record<string, Accepted[]>;
  endToEnd: Record<string, EndToEnd[]>;
  steady: Record<string, LoadResult>;
  backlog: Backlog | null;
  startup: Startup;
  aims: Aim[];
};

export type Aim = { aim: string; measured: number; met: boolean };

/** `other`: another checkout, that was measured beside this one. */
type Names = { floor: string; plain: string; bridge: string; other: string | null };

/** The middle of the rounds of one figure. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? (sorted[Math.floor(middle)] ?? Number.NaN) : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Ratios are taken within a round, where the machine was the same for both, and their median counts. */
export function judge({ accept, endToEnd, steady, startup, backlog }: Omit<Results, 'aims'>, { floor, plain, bridge, other }: Names): Aim[] {
  const ratio = <T>(of: Record<string, T[]>, [a, b]: [string, string], figure: (round: T) => number) =>
    median((of[a] ?? []).map((round, i) => figure(round) / figure((of[b] ?? [])[i] ?? round)));
  const accepted = ratio(accept, [bridge, floor], ({ perSecond }) => perSecond);
  const recorded = ratio(endToEnd, [bridge, plain], ({ recordedPerSecond }) => recordedPerSecond);
  const beside = (name: string): Aim[] => {
    const taking = ratio(accept, [bridge, name], ({ cpuMsPerWebhook }) => cpuMsPerWebhook);
    const recording = ratio(endToEnd, [bridge, name], ({ cpuMsPerOrder }) => cpuMsPerOrder.service);
    return [
      { aim: 'CPU per webhook taken ≤ 1.05 × the other checkout', measured: taking, met: taking <= 1.05 },
      { aim: 'CPU per order recorded ≤ 1.05 × the other checkout', measured: recording, met: recording <= 1.05 },
    ];
  };
  const p99 = steady[bridge]?.p99 ?? Number.NaN;
  const aims: Aim[] = [
    { aim: 'accept ≥ 0.5 × the floor', measured: accepted, met: accepted >= 0.5 },
    { aim: 'end to end ≥ 1.0 × the plain service', measured: recorded, met: recorded >= 1 },
    { aim: 'p99 of the answer ≤ 25 ms at 500 webhooks/s', measured: p99, met: p99 <= 25 },
    { aim: 'start to ready ≤ 3000 ms', measured: startup.firstMs, met: startup.firstMs <= 3_000 },
  ];
  if (other !== null) aims.push(...beside(other));
  if (backlog === null) return aims;
  const [early = Number.NaN] = backlog.serviceMb.slice(2);
  const growth = (backlog.serviceMb.at(-1) ?? Number.NaN) / early;
  return [...aims, { aim: 'memory flat: last tenth of the backlog ≤ 1.25 × its third', measured: growth, met: growth <= 1.25 }];
}

/** The tables for people. */
export function print({ accept, endToEnd, steady, backlog, startup, aims, options }: Results): void {
  console.log(`\nAccept (nothing submitted), appendfsync ${options.appendFsync}, 32 connections; medians of ${options.rounds} rounds`);
  table(accept, {
    'accepted/s': ({ perSecond }) => perSecond,
    'p50 ms': ({ p50 }) => p50,
    'p99 ms': ({ p99 }) => p99,
    'CPU ms/webhook': ({ cpuMsPerWebhook }) => cpuMsPerWebhook,
  });
  console.log(`\nEnd to end, ${options.concurrency} submissions at once, stub answers after 5 ms`);
  table(endToEnd, {
    'recorded/s': ({ recordedPerSecond }) => recordedPerSecond,
    'accepted/s': ({ acceptedPerSecond }) => acceptedPerSecond,
    'CPU ms/order': ({ cpuMsPerOrder }) => cpuMsPerOrder.service,
    '+ Redis': ({ cpuMsPerOrder }) => cpuMsPerOrder.redis,
    '+ PostgreSQL': ({ cpuMsPerOrder }) => cpuMsPerOrder.postgres,
    'RSS MB': ({ residentMb }) => residentMb,
    'AOF B/order': ({ redisLogBytesPerOrder }) => redisLogBytesPerOrder,
    'PG B/order': ({ postgresBytesPerOrder }) => postgresBytesPerOrder,
    'WAL B/order': ({ postgresWalBytesPerOrder }) => postgresWalBytesPerOrder,
  });
  console.log('\nAnswers at a steady 500 webhooks/s, orders being submitted meanwhile');
  console.table(
    Object.fromEntries(Object.entries(steady).map(([name, { p50, p99, max }]) => [name, { 'p50 ms': short(p50), 'p99 ms': short(p99), 'max ms': short(max) }])),
  );
  if (backlog !== null) {
    const { orders, acceptedPerSecond, drainSeconds, serviceMb, redisMb, drainedServiceMb } = backlog;
    console.log(`\nBacklog of ${orders} orders, service down: ${short(acceptedPerSecond)} accepted/s; drained in ${short(drainSeconds)} s after it came back`);
    console.log(`  receiver + worker MB after each tenth: ${serviceMb.join(' ')}; drained: ${drainedServiceMb}\n  Redis MB: ${redisMb.join(' ')}`);
  }
  console.log(`\nStart to ready, role all, embedded: ${short(startup.firstMs)} ms in an empty DATA_DIR, ${short(startup.againMs)} ms again\n`);
  console.table(aims.map(({ aim, measured, met }) => ({ aim, measured: short(measured), met: met ? 'yes' : 'NO' })));
}

function table<T>(rounds: Record<string, T[]>, columns: Record<string, (round: T) => number>): void {
  const row = (all: T[]) => Object.fromEntries(Object.entries(columns).map(([column, of]) => [column, short(median(all.map(of)))]));
  console.table(Object.fromEntries(Object.entries(rounds).map(([name, all]) => [name, row(all)])));
}

function short(value: number): number {
  return Number(value.toPrecision(value >= 100 ? 4 : 3));
}
