import type { Backlog } from './backlog.ts';
import { median, pairRatios, type Reading } from './figures.ts';
import type { Accepted, EndToEnd } from './measure.ts';
import { names, QUIET_SECONDS, settled } from './names.ts';
import type { LoadResult } from './processes/messages.ts';
import type { Measured } from './rounds.ts';
import { AGAIN, commandNames, FIRST, INITDB, NOTHING, other, own, ROLE, type Start, type Startup } from './startup.ts';

/** `measured`: the median of `values`, one for each round. `met` null: a figure to know, without an aim. */
export type Aim = { aim: string; measured: number; values: number[]; met: boolean | null };

const { plain, plainSplit, kept, keptSplit, floor, split, all, otherSplit, otherAll } = names;

const accepted = (name: string): Reading<Accepted> => [name, ({ perSecond }) => perSecond];
const acceptCpu = (name: string): Reading<Accepted> => [name, ({ cpuMsPerWebhook }) => cpuMsPerWebhook];
const recorded = (name: string): Reading<EndToEnd> => [name, ({ recordedPerSecond }) => recordedPerSecond];
const nodeCpu = (name: string): Reading<EndToEnd> => [name, ({ cpuMsPerOrder }) => cpuMsPerOrder.service];
const postgresCpu = (name: string): Reading<EndToEnd> => [name, ({ cpuMsPerOrder }) => cpuMsPerOrder.postgres];
const totalCpu = (name: string): Reading<EndToEnd> => [name, ({ cpuMsPerOrder: { service, redis, postgres } }) => service + redis + postgres];
const p99 = (name: string): Reading<LoadResult> => [name, (load) => load.p99];

/** The aims of what was measured. Ratios are taken within a round, where the machine was the same for both, and their median counts. */
export function judge({ startup, backlog, ...measured }: Measured & { startup: Startup | null; backlog: Backlog | null }): Aim[] {
  return [...besidePlain(measured), ...besideOther(measured), ...startsOf(startup ?? {}), ...byItself(backlog)].filter(({ values }) => values.length > 0);
}

function besidePlain({ accept, endToEnd, steady }: Measured): Aim[] {
  const ended = (one: Reading<EndToEnd>, base: Reading<EndToEnd>) => pairRatios(endToEnd, one, base);
  const p99s = (name: string) => (steady[name] ?? []).map((load) => load.p99);
  const answered = (one: string, base: string) => pairRatios(steady, p99(one), p99(base));
  return [
    atLeast(0.8, 'end to end: receiver + worker ≥ 0.8 × plain in one process', ended(recorded(split), recorded(plain))),
    atLeast(0.7, 'end to end: receiver + worker ≥ 0.7 × plain in two', ended(recorded(split), recorded(plainSplit))),
    atLeast(0.65, 'end to end: role all ≥ 0.65 × plain in one process', ended(recorded(all), recorded(plain))),
    shown('end to end: receiver + worker / plain with PostgreSQL in two', ended(recorded(split), recorded(keptSplit))),
    shown('end to end: role all / plain with PostgreSQL in one process', ended(recorded(all), recorded(kept))),
    atMost(1.3, 'CPU of Node, PostgreSQL and Redis per order: receiver + worker ≤ 1.3 × plain in two', ended(totalCpu(split), totalCpu(plainSplit))),
    atMost(1.3, 'CPU of Node, PostgreSQL and Redis per order: role all ≤ 1.3 × plain in one process', ended(totalCpu(all), totalCpu(plain))),
    shown('CPU of all three per order: receiver + worker / plain with PostgreSQL in two', ended(totalCpu(split), totalCpu(keptSplit))),
    shown('CPU of all three per order: role all / plain with PostgreSQL in one process', ended(totalCpu(all), totalCpu(kept))),
    atMost(1.1, 'node CPU per order: receiver + worker ≤ 1.1 × plain in one process', ended(nodeCpu(split), nodeCpu(plain))),
    shown('node CPU per order: role all / plain in one process', ended(nodeCpu(all), nodeCpu(plain))),
    atMost(0.35, "PostgreSQL CPU per order: receiver + worker ≤ 0.35 × plain's node CPU", ended(postgresCpu(split), nodeCpu(plain))),
    shown("PostgreSQL CPU per order: role all / plain's node CPU", ended(postgresCpu(all), nodeCpu(plain))),
    atLeast(0.95, `settle ${QUIET_SECONDS}: receiver + worker ≥ 0.95 × settle 0`, ended(recorded(settled(split)), recorded(split))),
    shown(`settle ${QUIET_SECONDS}: role all / settle 0`, ended(recorded(settled(all)), recorded(all))),
    atLeast(0.7, 'accept: receiver ≥ 0.7 × plain', pairRatios(accept, accepted(split), accepted(plain))),
    atLeast(1, 'accept: receiver ≥ 1.0 × plain with PostgreSQL', pairRatios(accept, accepted(split), accepted(kept))),
    atMost(1.05, 'node CPU per order: a tenth traced ≤ 1.05 × no traces', ended(nodeCpu(names.traced), nodeCpu(names.untraced))),
    shown('accept: receiver / floor', pairRatios(accept, accepted(split), accepted(floor))),
    shown('p99 at 500/s: receiver + worker / plain in one process', answered(split, plain)),
    atMost(1.6, 'p99 at 500/s: receiver + worker ≤ 1.6 × plain in two', answered(split, plainSplit)),
    atMost(1, 'p99 at 500/s: receiver + worker ≤ 1.0 × plain with PostgreSQL in two', answered(split, keptSplit)),
    atMost(1, 'p99 at 500/s: role all ≤ 1.0 × plain with PostgreSQL in one process', answered(all, kept)),
    atMost(15, 'p99 at 500/s: receiver + worker ≤ 15 ms', p99s(split)),
    atMost(25, 'p99 at 500/s: role all ≤ 25 ms', p99s(all)),
  ];
}

function besideOther({ accept, endToEnd, steady }: Measured): Aim[] {
  return [
    shown('accept: receiver / the other checkout', pairRatios(accept, accepted(split), accepted(otherSplit))),
    atMost(1.05, 'CPU per webhook taken ≤ 1.05 × the other checkout', pairRatios(accept, acceptCpu(split), acceptCpu(otherSplit))),
    shown('end to end: receiver + worker / the other checkout', pairRatios(endToEnd, recorded(split), recorded(otherSplit))),
    shown('end to end: role all / the other checkout', pairRatios(endToEnd, recorded(all), recorded(otherAll))),
    atMost(1.05, 'node CPU per order: receiver + worker ≤ 1.05 × the other checkout', pairRatios(endToEnd, nodeCpu(split), nodeCpu(otherSplit))),
    shown('PostgreSQL CPU per order: receiver + worker / the other checkout', pairRatios(endToEnd, postgresCpu(split), postgresCpu(otherSplit))),
    shown('p99 at 500/s: receiver + worker / the other checkout', pairRatios(steady, p99(split), p99(otherSplit))),
    shown('p99 at 500/s: role all / the other checkout', pairRatios(steady, p99(all), p99(otherAll))),
  ];
}

const COMMAND = { ms: 400, cpuMs: 350 };
const SMALL = { ms: 150, cpuMs: 150 };
const SMALL_COMMANDS = ['--help', '--version', 'no-such-command', 'orders --help', 'completion bash'];

/** In ms, and how many times as much as `node -e 0`, and what share of what the other checkout takes. */
function startsOf(startup: Startup): Aim[] {
  const read = (name: string, what: keyof Start) => (startup[name] ?? []).flatMap((start) => start[what] ?? []);
  const times = (name: string) => read(name, 'ms');
  const ratios = (name: string, base: string, what: keyof Start) =>
    read(name, what).flatMap((ms, round) => (read(base, what)[round] === undefined ? [] : [ms / (read(base, what)[round] ?? 1)]));
  const beside = (name: string) => times(own(name)).map((ms, round) => ms - (times(INITDB)[round] ?? 0));
  const all = [...commandNames, FIRST, AGAIN, ROLE];
  return [
    ...commandNames.flatMap((name) => {
      const { ms, cpuMs } = SMALL_COMMANDS.includes(name) ? SMALL : COMMAND;
      return [atMost(ms, `${name} ≤ ${ms} ms`, times(own(name))), atMost(cpuMs, `${name}: CPU ≤ ${cpuMs} ms`, read(own(name), 'cpuMs'))];
    }),
    shown(`ms: ${FIRST}`, times(own(FIRST))),
    shown(`ms: ${INITDB}`, times(INITDB)),
    atMost(1_500, `${FIRST}, beside that ≤ 1500 ms`, beside(FIRST)),
    atMost(800, `${AGAIN} ≤ 800 ms`, times(own(AGAIN))),
    atMost(700, `${ROLE} ≤ 700 ms`, times(own(ROLE))),
    ...all.map((name) => shown(`${name} / node -e 0`, ratios(own(name), NOTHING, 'ms'))),
    ...commandNames.map((name) => shown(`CPU: ${name} / node -e 0`, ratios(own(name), NOTHING, 'cpuMs'))),
    ...all.map((name) => shown(`${name} / the other checkout`, ratios(own(name), other(name), 'ms'))),
    ...commandNames.map((name) => shown(`CPU: ${name} / the other checkout`, ratios(own(name), other(name), 'cpuMs'))),
  ];
}

function byItself(backlog: Backlog | null): Aim[] {
  const [, , early, ...later] = (backlog?.tenthsMb ?? []).map(([receiver = Number.NaN, worker = Number.NaN]) => receiver + worker);
  const growth = early === undefined ? [] : [(later.at(-1) ?? Number.NaN) / early];
  return [atMost(1.25, 'memory flat: last tenth of the backlog ≤ 1.25 × its third', growth)];
}

function atLeast(limit: number, aim: string, values: number[]): Aim {
  const measured = median(values);
  return { aim, measured, values, met: measured >= limit };
}

function atMost(limit: number, aim: string, values: number[]): Aim {
  const measured = median(values);
  return { aim, measured, values, met: measured <= limit };
}

function shown(aim: string, values: number[]): Aim {
  return { aim, measured: median(values), values, met: null };
}
