import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import type { LoadResult } from '../processes/messages.ts';
import { cpuMs, residentBytes } from '../usage.ts';
import { ask, type Stage } from './stage.ts';
import type { Subject } from './subject.ts';

const WARM_UP = 2_000;
const STEADY_PER_SECOND = 500;

/** Latencies in ms. `others`: cores that neither the service nor PostgreSQL used, the load itself and strangers, on average. */
export type Creates = {
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
  cpuMsPerOrder: { service: number; postgres: number };
  walBytesPerOrder: number;
  residentMb: number;
  othersCores: number;
  loadAverage: number;
};

type Shops = keyof Subject['shops'];

/** Orders created as fast as they are answered. */
export function measureFlatOut(stage: Stage, subject: Subject, shops: Shops): Promise<Creates> {
  return measured(stage, subject, { shops, count: stage.options.orders });
}

/** Orders created at a steady rate, whether or not earlier ones were answered. */
export function measureSteady(stage: Stage, subject: Subject): Promise<Creates> {
  return measured(stage, subject, { shops: 'one', count: STEADY_PER_SECOND * stage.options.steadySeconds, rate: STEADY_PER_SECOND });
}

/** Warms up just-in-time compilers and connection pools, which are not measured. */
export async function warmUp(subject: Subject): Promise<void> {
  for (const shopIds of [subject.shops.one, subject.shops.twenty]) await subject.create({ shopIds, count: WARM_UP, day: today() });
}

export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

async function measured(stage: Stage, subject: Subject, { shops, ...load }: { shops: Shops; count: number; rate?: number }): Promise<Creates> {
  const [loadAverage = Number.NaN] = loadavg();
  const before = await state(stage, subject);
  const result = await subject.create({ shopIds: subject.shops[shops], day: today(), ...load });
  const after = await state(stage, subject);
  const orders = result.accepted;
  const used = { service: after.service - before.service, postgres: after.postgres - before.postgres };
  return {
    ...latencies(result),
    perSecond: orders / ((result.endedAt - result.beganAt) / 1000),
    cpuMsPerOrder: { service: used.service / orders, postgres: used.postgres / orders },
    walBytesPerOrder: (after.wal - before.wal) / orders,
    residentMb: residentBytes([subject.program.pid]) / 1e6,
    othersCores: (after.machine - before.machine - used.service - used.postgres) / (after.at - before.at),
    loadAverage,
  };
}

function latencies({ p50, p95, p99, max }: LoadResult) {
  return { p50, p95, p99, max };
}

async function state(stage: Stage, { program, databaseUrl }: Subject) {
  const [wal = Number.NaN] = await ask<number>(databaseUrl, `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as answer`);
  return { at: performance.now(), service: cpuMs([program.pid]), postgres: cpuMs(stage.postgresPids()), machine: machineMs(), wal };
}

// user, nice, system, then idle and iowait, then irq and softirq, in hundredths of a second.
function machineMs(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/\s+/).slice(1).map(Number) ?? [];
  return (user + nice + system + irq + softirq) * 10;
}
