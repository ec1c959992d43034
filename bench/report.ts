import type { Backlog } from './backlog.ts';
import { median, type Rounds, range, short, spread } from './figures.ts';
import type { Aim } from './judge.ts';
import { QUIET_SECONDS } from './names.ts';
import type { Options } from './options.ts';
import { type Measured, STEADY_PER_SECOND } from './rounds.ts';
import type { Startup } from './startup.ts';

export type Results = Measured & {
  options: Options;
  machine: { cpus: number; model: string; node: string };
  backlog: Backlog | null;
  startup: Startup | null;
  aims: Aim[];
};

/** The tables for people: medians of the rounds, with least and most for the column that counts. */
export function print(results: Results): void {
  const { options, accept, endToEnd, steady, backlog, startup, aims } = results;
  console.log(
    `\nAll contestants: appendfsync ${options.appendFsync}, 32 connections, ${options.concurrency} submissions at once; medians of ${options.rounds} rounds`,
  );
  if (options.against !== null) console.log(`The other checkout is ${options.against}`);
  table('Accept, nothing submitted', accept, {
    'accepted/s': ({ perSecond }) => perSecond,
    'p50 ms': ({ p50 }) => p50,
    'p99 ms': ({ p99 }) => p99,
    'node ms/webhook': ({ cpuMsPerWebhook }) => cpuMsPerWebhook,
  });
  endToEndTable(endToEnd, options);
  table(`Answers at a steady ${STEADY_PER_SECOND} webhooks/s, orders being submitted meanwhile`, steady, {
    'p99 ms': ({ p99 }) => p99,
    'p50 ms': ({ p50 }) => p50,
    'max ms': ({ max }) => max,
  });
  if (backlog !== null) printBacklog(backlog);
  if (startup !== null) printStartup(startup);
  console.log('\nAims: medians of ratios within a round, and their range');
  console.table(aims.map(row));
}

function endToEndTable(endToEnd: Measured['endToEnd'], { settledSeconds, settle }: Options): void {
  table('End to end, stub answers after 5 ms', endToEnd, {
    'recorded/s': ({ recordedPerSecond }) => recordedPerSecond,
    'accepted/s': ({ acceptedPerSecond }) => acceptedPerSecond,
    'node ms/order': ({ cpuMsPerOrder }) => cpuMsPerOrder.service,
    'PostgreSQL ms/order': ({ cpuMsPerOrder }) => cpuMsPerOrder.postgres,
    'Redis ms/order': ({ cpuMsPerOrder }) => cpuMsPerOrder.redis,
    'WAL B/order': ({ postgresWalBytesPerOrder }) => postgresWalBytesPerOrder,
    'PG B/order': ({ postgresBytesPerOrder }) => postgresBytesPerOrder,
    'AOF B/order': ({ redisLogBytesPerOrder }) => redisLogBytesPerOrder,
    'RSS MB': ({ residentMb }) => residentMb,
  });
  if (settle === '0' || Object.keys(endToEnd).length === 0) return;
  const pace = settle === 'both' ? 'that the same contestant had just recorded at settle 0' : 'of the plain service in one process';
  console.log(`Settle 0: webhooks flat out; orders divided by the time from the first webhook to the last record.
Settle ${QUIET_SECONDS}: webhooks for ${settledSeconds} s at the pace ${pace}; recorded/s counts the records from ${QUIET_SECONDS} s after the first webhook to the
last webhook. The quiet time is not in it, and gives nothing away: the webhooks of its last ${QUIET_SECONDS} s are taken in it and recorded after it. It can't exceed the pace.`);
}

function printStartup(startup: Startup): void {
  const row = (starts: Startup[string]) => {
    const cpuMs = starts.flatMap((start) => start.cpuMs ?? []);
    return { ms: spread(starts.map(({ ms }) => ms)), 'CPU ms': cpuMs.length === 0 ? '' : spread(cpuMs) };
  };
  console.table(Object.fromEntries(Object.entries(startup).map(([name, starts]) => [name, row(starts)])));
}

function printBacklog({ orders, acceptedPerSecond, drainSeconds, tenthsMb, drainedMb }: Backlog): void {
  console.log(`\nBacklog of ${orders} orders, service down: ${short(acceptedPerSecond)} accepted/s; drained in ${short(drainSeconds)} s after it came back`);
  console.log(`  receiver, worker, Redis: ${tenthsMb.map((each) => each.join('+')).join(' ')} MB after each tenth; drained: ${drainedMb.join('+')} MB`);
}

/** "yes", "NO", or nothing if there is no aim. */
function row({ aim, measured, values, met }: Aim): Record<string, string | number> {
  const mark = met ? 'yes' : 'NO';
  return { aim, measured: short(measured), range: values.length > 1 ? range(values) : '', met: met === null ? '' : mark };
}

function table<T>(title: string, rounds: Rounds<T>, columns: Record<string, (round: T) => number>): void {
  if (Object.keys(rounds).length === 0) return;
  console.log(`\n${title}`);
  const cell = (values: number[], index: number) => (index === 0 ? spread(values) : short(median(values)));
  const rowOf = (all: T[]) => Object.fromEntries(Object.entries(columns).map(([column, of], index) => [column, cell(all.map(of), index)]));
  console.table(Object.fromEntries(Object.entries(rounds).map(([name, all]) => [name, rowOf(all)])));
}
