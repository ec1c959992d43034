import { describe, expect, test } from 'vitest';
import { type Aim, judge } from '../../../bench/judge.ts';
import type { Accepted, EndToEnd } from '../../../bench/measure.ts';
import { names, settled } from '../../../bench/names.ts';
import type { LoadResult } from '../../../bench/processes/messages.ts';
import type { Measured } from '../../../bench/rounds.ts';

type Given = Partial<Measured> & Pick<Partial<Parameters<typeof judge>[0]>, 'startup' | 'backlog'>;

const accepted = (perSecond: number, cpuMsPerWebhook = 1): Accepted => ({ perSecond, cpuMsPerWebhook, p50: 1, p99: 1 });
const ended = (recordedPerSecond: number, [service, postgres]: [number, number] = [1, 0]): EndToEnd => ({
  recordedPerSecond,
  acceptedPerSecond: 1,
  cpuMsPerOrder: { service, postgres, redis: 0 },
  residentMb: 1,
  redisLogBytesPerOrder: 1,
  postgresBytesPerOrder: 1,
  postgresWalBytesPerOrder: 1,
});
const answered = (p99: number): LoadResult => ({ accepted: 1, failed: 0, statuses: {}, beganAt: 0, endedAt: 1, p50: 1, p95: 1, p99, max: p99 });

const aimsOf = (given: Given): Aim[] => judge({ accept: {}, endToEnd: {}, steady: {}, startup: null, backlog: null, ...given });
const verdicts = (given: Given) => Object.fromEntries(aimsOf(given).map(({ aim, measured, met }) => [aim, [Number(measured.toFixed(3)), met]]));

test('nothing measured, nothing judged', () => {
  expect(aimsOf({})).toEqual([]);
});

test('the figure is the median of the ratios within the rounds', () => {
  const [aim] = aimsOf({ endToEnd: { [names.split]: [ended(1_000), ended(300), ended(900)], [names.plain]: [ended(500), ended(200), ended(1_000)] } });

  expect(aim).toMatchObject({ measured: 1.5, values: [2, 1.5, 0.9], met: true });
});

describe('end to end', () => {
  const endToEnd = {
    [names.plain]: [ended(1_000, [1, 0])],
    [names.plainSplit]: [ended(1_300, [1.2, 0])],
    [names.kept]: [ended(800, [1.25, 0.25])],
    [names.keptSplit]: [ended(1_000, [1.5, 0.25])],
    [names.split]: [ended(1_000, [1.1, 0.4])],
    [names.all]: [ended(640, [1.1, 0.3])],
    [settled(names.split)]: [ended(900)],
    [settled(names.all)]: [ended(700)],
  };

  test('each layout is judged against its like, in time and in CPU', () => {
    expect(verdicts({ endToEnd })).toEqual({
      'end to end: receiver + worker ≥ 0.8 × plain in one process': [1, true],
      'end to end: receiver + worker ≥ 0.7 × plain in two': [0.769, true],
      'end to end: role all ≥ 0.65 × plain in one process': [0.64, false],
      'end to end: receiver + worker / plain with PostgreSQL in two': [1, null],
      'end to end: role all / plain with PostgreSQL in one process': [0.8, null],
      'CPU of Node, PostgreSQL and Redis per order: receiver + worker ≤ 1.3 × plain in two': [1.25, true],
      'CPU of Node, PostgreSQL and Redis per order: role all ≤ 1.3 × plain in one process': [1.4, false],
      'CPU of all three per order: receiver + worker / plain with PostgreSQL in two': [0.857, null],
      'CPU of all three per order: role all / plain with PostgreSQL in one process': [0.933, null],
      'node CPU per order: receiver + worker ≤ 1.1 × plain in one process': [1.1, true],
      'node CPU per order: role all / plain in one process': [1.1, null],
      "PostgreSQL CPU per order: receiver + worker ≤ 0.35 × plain's node CPU": [0.4, false],
      "PostgreSQL CPU per order: role all / plain's node CPU": [0.3, null],
      'settle 5: receiver + worker ≥ 0.95 × settle 0': [0.9, false],
      'settle 5: role all / settle 0': [1.094, null],
    });
  });

  test('another checkout is compared in both layouts', () => {
    const own = { [names.split]: [ended(1_000, [1.06, 0.5])], [names.all]: [ended(600)] };
    const other = { [names.otherSplit]: [ended(500, [1, 1])], [names.otherAll]: [ended(500)] };

    expect(verdicts({ endToEnd: { ...own, ...other } })).toEqual({
      'end to end: receiver + worker / the other checkout': [2, null],
      'end to end: role all / the other checkout': [1.2, null],
      'node CPU per order: receiver + worker ≤ 1.05 × the other checkout': [1.06, false],
      'PostgreSQL CPU per order: receiver + worker / the other checkout': [0.5, null],
    });
  });
});

test('taking webhooks is judged against the plain service', () => {
  const accept = {
    [names.floor]: [accepted(5_000)],
    [names.plain]: [accepted(1_000)],
    [names.kept]: [accepted(900)],
    [names.split]: [accepted(690, 1.05)],
    [names.otherSplit]: [accepted(600)],
  };

  expect(verdicts({ accept })).toEqual({
    'accept: receiver ≥ 0.7 × plain': [0.69, false],
    'accept: receiver ≥ 1.0 × plain with PostgreSQL': [0.767, false],
    'accept: receiver / floor': [0.138, null],
    'accept: receiver / the other checkout': [1.15, null],
    'CPU per webhook taken ≤ 1.05 × the other checkout': [1.05, true],
  });
});

test('answers at a steady rate are judged against the plain service, and in ms', () => {
  const steady = {
    [names.plain]: [answered(20), answered(10), answered(10)],
    [names.plainSplit]: [answered(10), answered(10), answered(10)],
    [names.kept]: [answered(30), answered(30), answered(30)],
    [names.keptSplit]: [answered(8), answered(8), answered(8)],
    [names.split]: [answered(10), answered(16), answered(50)],
    [names.all]: [answered(14), answered(26), answered(80)],
  };

  expect(verdicts({ steady })).toEqual({
    'p99 at 500/s: receiver + worker / plain in one process': [1.6, null],
    'p99 at 500/s: receiver + worker ≤ 1.6 × plain in two': [1.6, true],
    'p99 at 500/s: receiver + worker ≤ 1.0 × plain with PostgreSQL in two': [2, false],
    'p99 at 500/s: role all ≤ 1.0 × plain with PostgreSQL in one process': [0.867, true],
    'p99 at 500/s: receiver + worker ≤ 15 ms': [16, false],
    'p99 at 500/s: role all ≤ 25 ms': [26, false],
  });
});

test('starts and commands are judged in ms, beside node, and beside the other checkout', () => {
  const started = (...ms: number[]) => ms.map((one) => ({ ms: one, cpuMs: null }));
  const ran = (...ms: number[]) => ms.map((one) => ({ ms: one, cpuMs: one / 2 }));
  const startup = {
    'node -e 0': ran(40, 50),
    'initdb, and the first start of PostgreSQL': started(1_000, 1_200),
    'this checkout: status': ran(400, 1_000),
    'the other checkout: status': ran(4_000, 5_000),
    'this checkout: start in an empty folder': started(2_000, 3_000),
  };

  expect(verdicts({ startup })).toEqual({
    'status ≤ 400 ms': [700, false],
    'status: CPU ≤ 350 ms': [350, true],
    'ms: start in an empty folder': [2_500, null],
    'ms: initdb, and the first start of PostgreSQL': [1_100, null],
    'start in an empty folder, beside that ≤ 1500 ms': [1_400, true],
    'status / node -e 0': [15, null],
    'CPU: status / node -e 0': [15, null],
    'start in an empty folder / node -e 0': [55, null],
    'status / the other checkout': [0.15, null],
    'CPU: status / the other checkout': [0.15, null],
  });
});

test('a backlog is judged by itself', () => {
  const tenthsMb = [100, 110, 120, 125, 130, 135, 140, 145, 148, 150].map((both) => [40, both - 40, 10]);
  const backlog = { orders: 1, acceptedPerSecond: 1, tenthsMb, drainSeconds: 1, drainedMb: [] };

  expect(verdicts({ backlog })).toEqual({
    'memory flat: last tenth of the backlog ≤ 1.25 × its third': [1.25, true],
  });
});
