import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../test/support/servers/free-port.ts';
import { ENCRYPTION_KEYS } from '../../test/support/worlds/bridge.ts';
import { startProgram } from '../child.ts';
import { family } from '../usage.ts';
import { type Measured, measurePage, textOf } from './measure-pages.ts';
import { AIM_MS, type Options, readOptions } from './options.ts';
import { type Draw, readCases } from './page-cases.ts';
import { type PagePlans, planned } from './planned.ts';
import { type BenchWorld, openWorld } from './world.ts';

const options = readOptions(process.argv.slice(2));
if (options !== null) await bench(options);

async function bench(chosen: Options): Promise<void> {
  await using world = await openWorld(chosen);
  console.error(world.madeInS === null ? 'the database was kept' : `the database was made in ${world.madeInS.toFixed(0)} s`);
  await using plans = chosen.planned === null ? null : await planned(world, chosen.planned);
  const pages = await measureAll(world, chosen, plans);
  print(pages);
  const whole = pages.filter(({ plan }) => plan !== undefined && plan.whole.length > 0).map(({ name }) => name);
  if (plans !== null) console.log(`Read all of a table that grows: ${whole.join(', ') || 'none'}`);
  const slow = pages.filter(({ p95 }) => p95 > AIM_MS).map(({ name }) => name);
  console.log(slow.length === 0 ? `Each page answers within ${AIM_MS} ms at p95.` : `Slower than ${AIM_MS} ms at p95: ${slow.join(', ')}`);
  const machine = { cpus: cpus().length, model: cpus()[0]?.model ?? 'unknown', node: process.version };
  if (chosen.json !== null)
    writeFileSync(chosen.json, `${JSON.stringify({ options: chosen, machine, madeInS: world.madeInS, pages, slow, whole }, null, 2)}\n`);
  if (slow.length + whole.length > 0) process.exitCode = 1;
}

type Page = Measured & { plan?: PagePlans };

/** By the program as its users start it: the role that serves pages, and whose work does not change what they show. */
async function measureAll(
  { folder, databaseUrl, token, postmaster }: BenchWorld,
  { count, seed, only }: Options,
  plans: { since(): PagePlans } | null,
): Promise<Page[]> {
  const env = {
    DATA_DIR: join(folder, 'program'),
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS,
    BNB_RATES_URL: 'off',
    STOP_DELAY_SECONDS: '0',
    NODE_OPTIONS: '--max-semi-space-size=16',
  };
  await using program = await startProgram('console', {
    root: join(import.meta.dirname, '../..'),
    port: await freePort(),
    env,
    logFile: join(folder, 'program.log'),
  });
  const issues = [...(await textOf(`${program.url}/console/review`, token)).matchAll(/href="\/console\/review\/([\w-]{16})"/g)].flatMap(([, id]) => id ?? []);
  const asking = { url: program.url, token, count, draw: drawFrom(seed), pids: () => [program.pid, ...family(postmaster)] };
  const pages: Page[] = [];
  const cases = await readCases(databaseUrl, issues);
  plans?.since();
  for (const one of cases) {
    if (!one.name.includes(only)) continue;
    const measured = await measurePage(one, asking);
    console.error(`${measured.name}: p95 ${measured.p95.toFixed(1)} ms, ${measured.cpu.toFixed(1)} ms of CPU`);
    pages.push({ ...measured, ...(plans === null ? {} : { plan: plans.since() }) });
  }
  return pages;
}

function print(pages: readonly Page[]): void {
  const row = ({ p50, p95, max, cpu, kilobytes, absent, plan }: Page) => ({
    'p50 ms': short(p50),
    'p95 ms': short(p95),
    'max ms': short(max),
    'CPU ms': short(cpu),
    KB: short(kilobytes),
    '404': absent,
    ...(plan === undefined ? {} : { 'plan cost': short(plan.cost), whole: plan.whole.join() }),
  });
  console.table(Object.fromEntries(pages.toSorted((a, b) => b.p95 - a.p95).map((page) => [page.name, row(page)])));
}

function short(value: number): number {
  return Number(value.toPrecision(3));
}

/** Always the same numbers (mulberry32). */
function drawFrom(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
}
