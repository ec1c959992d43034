import { type Size, sizesOf } from '../../../bench/growth/sizes.ts';
import { build } from '../../../scripts/build/build.ts';
import { Dice } from '../hostile/dice.ts';
import { percentiles } from '../hostile/percentiles.ts';
import type { Verdict } from '../hostile/verdict.ts';
import { repeatedly } from '../hostile/watches.ts';
import { BUILT } from '../servers/built-program.ts';
import { plantBuild } from '../servers/next-build.ts';
import { until } from '../worlds/settled.ts';
import { acceptedNotIn, judgeBooks } from './judge-books.ts';
import { type Answered, Load } from './load.ts';
import { openThreeMachines, type ThreeMachines } from './three-machines.ts';

export type ThreeMachinesOptions = {
  seconds: number;
  /** Webhooks a second. */
  rate: number;
  seed: number;
  /** False: one upgrade, and neither a restart of the same release nor of PgBouncer. */
  isWhole: boolean;
  say(words: string): void;
};

export type ThreeMachinesReport = { figures: Figures; steps: Record<string, Figures>; usage: Figures; sizes: Size[]; verdicts: Verdict[] };
type Figures = Record<string, string | number>;

type Step = { what: string; run(): Promise<unknown> };
/** In ms since the load began. */
type Taken = { what: string; from: number; to: number };

const SETTLED_MS = 240_000;
/** As long as Shopify and WooCommerce wait for an answer. */
const LATE_MS = 5_000;

/** Lets three machines restart, fail and be upgraded under webhooks, and compares what was answered with what is recorded. */
export async function runThreeMachines({ seconds, rate, seed, isWhole, say }: ThreeMachinesOptions): Promise<ThreeMachinesReport> {
  await using expanding = await plantBuild(2);
  await using contracting = await plantBuild(3);
  say('builds of two made-up releases');
  for (const { root } of isWhole ? [expanding, contracting] : [expanding]) await build(root);
  say('PostgreSQL, Redis, PgBouncer, nginx and seven processes');
  await using machines = await openThreeMachines();
  const usage = await watchUsage(machines);
  const load = new Load(machines.shop, { rate, dice: new Dice(seed) });
  await using _ = load;
  const taken: Taken[] = [];
  const planned = stepsOf(machines, { isWhole, builds: [expanding, contracting].map(({ root }) => `${root}/dist/main.js`) });
  for (const [n, { what, run }] of planned.entries()) {
    await load.until(((n + 0.5) / planned.length) * seconds * 1000);
    say(what);
    const from = load.now;
    const found = await run();
    taken.push({ what: typeof found === 'number' ? `${what}; the standby lacked ${found} bytes of WAL` : what, from, to: load.now });
  }
  await load.until(Math.max(seconds * 1000, load.now + 5_000));
  await load[Symbol.asyncDispose]();
  say('until all is recorded');
  // What is lost never comes, and is counted.
  const isRecorded = async () => (await acceptedNotIn(machines, load)).length === 0;
  await until(isRecorded, { what: 'all to be recorded', timeoutMs: SETTLED_MS, everyMs: 1_000 }).catch(() => undefined);
  const orders = load.totals.size;
  const sizes = await sizesOf(machines.ask, orders);
  return { ...figuresOf(load, taken), verdicts: await judgeBooks(machines, load), usage: await usage(orders), sizes };
}

type Planned = { isWhole: boolean; builds: readonly string[] };

function stepsOf(machines: ThreeMachines, { isWhole, builds: [expanding = '', contracting = ''] }: Planned): Step[] {
  const upgrade = (main: string) => async () => {
    await machines.migrate(main);
    await machines.roll(main);
  };
  const all = [
    { what: 'every process restarts', run: () => machines.roll(BUILT), isLong: true },
    { what: 'the master of Redis is killed', run: () => machines.failOverRedis(), isLong: false },
    { what: 'an upgrade that expands', run: upgrade(expanding), isLong: false },
    { what: 'PgBouncer is killed, and starts again', run: () => machines.restartPooler(), isLong: true },
    { what: 'the primary of PostgreSQL is killed, and its standby promoted', run: () => machines.failOverPostgres(), isLong: false },
    { what: 'an upgrade that contracts', run: upgrade(contracting), isLong: true },
  ];
  return all.filter(({ isLong }) => isWhole || !isLong);
}

function figuresOf({ answered, totals }: Load, taken: readonly Taken[]): Pick<ThreeMachinesReport, 'figures' | 'steps'> {
  const row = (some: readonly Answered[]): Figures => {
    const { count, p50, p99, max } = percentiles(some.map(({ ms }) => ms));
    const slow = some.filter(({ ms }) => ms > LATE_MS).length;
    return { webhooks: count, 'p50 ms': Math.round(p50), 'p99 ms': Math.round(p99), 'max ms': Math.round(max), [`over ${LATE_MS / 1000} s`]: slow };
  };
  const during = ({ what, from, to }: Taken) => [
    what,
    { 'from s': Math.round(from / 1000), s: Math.round((to - from) / 1000), ...row(answered.filter(({ at }) => at >= from && at <= to)) },
  ];
  return { figures: { orders: totals.size, ...row(answered) }, steps: Object.fromEntries(taken.map(during)) };
}

/** What the orders cost PostgreSQL; called at their end, with how many they were. */
async function watchUsage({ ask }: ThreeMachines): Promise<(orders: number) => Promise<Figures>> {
  const text = `select pg_current_wal_lsn() - '0/0'::pg_lsn as wal, pg_database_size(current_database()) as size,
    (select extract(epoch from max(pause)) from (select recorded_at - lag(recorded_at) over (order by recorded_at) as pause from compliance.orders)) as pause`;
  const read = async () => (await ask(text))[0];
  const before = await read();
  const connections = async () => Number((await ask(`select count(*) from pg_stat_activity where backend_type = 'client backend'`))[0]?.['count']);
  const counts = [0];
  const count = async () => void counts.push(await connections().catch(() => 0));
  const watch = repeatedly(2_000, count, () => Math.max(...counts));
  return async (orders) => {
    const after = await read();
    const kilobytes = (name: string) => Math.round((Number(after?.[name]) - Number(before?.[name])) / orders / 102.4) / 10;
    const pause = Math.round(Number(after?.['pause']) * 10) / 10;
    const sizes = { 'WAL KB an order': kilobytes('wal'), 'database KB an order': kilobytes('size') };
    return { 'connections to PostgreSQL at most': await watch.end(), ...sizes, 'nothing was recorded for s at most': pause };
  };
}
