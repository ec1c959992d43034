// Makes the audit file of one month, in a separate process.
import { readFileSync } from 'node:fs';
import { createPool } from '../../../src/platform/postgres/postgres.ts';
import { type Generation, generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { createRateLookup } from '../../../src/service/rates/stored-rates.ts';

export type MonthToMake = { databaseUrl: string; shopId: string; month: string };

/** Memory is resident, in bytes: `idle` before it began (connected, the program loaded), `peak` the most it ever was. */
export type MonthMade = { outcome: string; seconds: number; idle: number; peak: number; bytes: number; findings: number };

async function make({ databaseUrl, shopId, month }: MonthToMake): Promise<MonthMade> {
  const pool = createPool({ url: databaseUrl, schema: 'compliance', max: 4, onError: (error) => console.error(error.message) });
  await pool.query('select 1');
  const deps = { pool, now: () => new Date(), rates: createRateLookup({ pool }), currency: null, replacementWaitMs: 0 };
  const idle = memory('VmRSS');
  const began = performance.now();
  const made = await generateMonth(deps, { shopId, month });
  const seconds = (performance.now() - began) / 1000;
  await pool.end();
  const { bytes, findings } = made.kind === 'generated' ? made.file : { bytes: 0, findings: [] };
  return { outcome: outcomeOf(made), seconds, idle, peak: memory('VmHWM'), bytes, findings: findings.length };
}

function outcomeOf(made: Generation): string {
  if (made.kind !== 'blocked') return made.kind;
  return `blocked: ${[...made.errors.map(({ rule, words }) => `${rule} ${words}`), ...made.missingRates.map(({ currency }) => `no rate of ${currency}`)].slice(0, 3).join('; ')}`;
}

function memory(field: string): number {
  const [, kilobytes = '0'] = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

process.on('message', async (month: MonthToMake) => process.send?.(await make(month)));
process.once('disconnect', () => process.exit());
process.send?.({ port: 0 });
