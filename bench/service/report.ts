import { median, type Rounds, short, spread } from '../figures.ts';
import type { Creates } from './measure-creates.ts';
import type { Month } from './measure-months.ts';
import type { Options } from './options.ts';

export type Results = {
  options: Options;
  machine: { cpus: number; model: string; node: string };
  one: Rounds<Creates>;
  twenty: Rounds<Creates>;
  steady: Rounds<Creates>;
  /** By "checkout, orders". */
  months: Rounds<Month>;
};

type Aim = { aim: string; measured: number; met: boolean };

/** The aims apply to the medians of the checkout that is measured. */
export function judge({ one, steady, months, options }: Results, name: string): Aim[] {
  const largest = months[monthName(name, options.months.at(-1) ?? 0)] ?? [];
  const aims: (Omit<Aim, 'met'> & { least?: number; most?: number })[] = [
    { aim: 'orders created per second ≥ 1500', measured: middle(one[name], ({ perSecond }) => perSecond), least: 1_500 },
    { aim: 'p99 of a create ≤ 50 ms at 500/s', measured: middle(steady[name], ({ p99 }) => p99), most: 50 },
    { aim: 'the largest month ≤ 10 s', measured: middle(largest, ({ seconds }) => seconds), most: 10 },
    { aim: 'the largest month ≤ 200 MB beyond idle', measured: middle(largest, ({ memory }) => memory), most: 200 },
  ];
  return aims
    .filter(({ measured }) => !Number.isNaN(measured))
    .map(({ aim, measured, least = 0, most = Number.POSITIVE_INFINITY }) => ({ aim, measured, met: measured >= least && measured <= most }));
}

export function monthName(checkout: string, orders: number): string {
  return `${checkout}, ${orders} orders`;
}

/** The tables for people: medians, with least and most for the column that counts. */
export function print(results: Results, aims: readonly Aim[]): void {
  creates('Orders created flat out, one shop, 64 connections, 2 or 3 lines', results.one, RATE);
  creates('The same over twenty merchants', results.twenty, RATE);
  creates('At a steady 500/s, one shop; latencies count from when a request was due', results.steady, { 'p99 ms': ({ p99 }) => p99 });
  table('The file of a month, 3 lines an order', results.months, {
    seconds: ({ seconds }) => seconds,
    'MB beyond idle': ({ memory }) => memory,
    'idle MB': ({ idle }) => idle,
    'file MB': ({ megabytes }) => megabytes,
    findings: ({ findings }) => findings,
  });
  console.table(aims.map(({ aim, measured, met }) => ({ aim, measured: short(measured), met: met ? 'yes' : 'NO' })));
}

const RATE = { 'orders/s': ({ perSecond }: Creates) => perSecond };

function creates(title: string, rounds: Rounds<Creates>, first: Record<string, (round: Creates) => number>): void {
  table(title, rounds, {
    ...first,
    'orders/s': ({ perSecond }) => perSecond,
    'p50 ms': ({ p50 }) => p50,
    'p95 ms': ({ p95 }) => p95,
    'p99 ms': ({ p99 }) => p99,
    'CPU ms/order': ({ cpuMsPerOrder }) => cpuMsPerOrder.service,
    '+ PostgreSQL': ({ cpuMsPerOrder }) => cpuMsPerOrder.postgres,
    'WAL B/order': ({ walBytesPerOrder }) => walBytesPerOrder,
    'RSS MB': ({ residentMb }) => residentMb,
    'other cores': ({ othersCores }) => othersCores,
    load: ({ loadAverage }) => loadAverage,
  });
}

function table<T>(title: string, rounds: Rounds<T>, columns: Record<string, (round: T) => number>): void {
  if (Object.keys(rounds).length === 0) return;
  console.log(`\n${title}`);
  const cell = (values: number[], index: number) => (index === 0 ? spread(values) : short(median(values)));
  const row = (all: T[]) => Object.fromEntries(Object.entries(columns).map(([column, of], index) => [column, cell(all.map(of), index)]));
  console.table(Object.fromEntries(Object.entries(rounds).map(([name, all]) => [name, row(all)])));
}

function middle<T>(rounds: readonly T[] | undefined, figure: (round: T) => number): number {
  return rounds === undefined || rounds.length === 0 ? Number.NaN : median(rounds.map(figure));
}
