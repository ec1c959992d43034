/**
 * Attacks the running program with requests drawn from a seed, over one or both queue backends, and judges what honest merchants feel meanwhile and
 * what is left afterwards: `npm run hostile -- --count N --seed S [--backend redis|postgres|both] [--root CHECKOUT] [--json FILE]
 * [--log FILE] [--without FAMILIES]`. The program's log is left in FILE.BACKEND; families, with semicolons between, are those of the printed table.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FULL_LIMITS } from '../test/support/hostile/hostile-limits.ts';
import { reportLines } from '../test/support/hostile/hostile-report.ts';
import { type HostileReport, runHostile } from '../test/support/hostile/run-hostile.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '1' },
    backend: { type: 'string', default: 'both' },
    root: { type: 'string' },
    json: { type: 'string' },
    log: { type: 'string' },
    without: { type: 'string', default: '' },
  },
});
const backends = (['redis', 'postgres'] as const).filter((backend) => values.backend === 'both' || values.backend === backend);
if (backends.length === 0) throw new Error('--backend is redis, postgres or both');
const reports: HostileReport[] = [];
for (const backend of backends) {
  const root = values.root === undefined ? null : resolve(values.root);
  const chosen = { count: Number(values.count), seed: Number(values.seed), limits: FULL_LIMITS, durable: true };
  const logFile = values.log === undefined ? null : `${resolve(values.log)}.${backend}`;
  const report = await runHostile({ backend, root, logFile, without: values.without.split(';'), ...chosen, say: (words) => console.error(words) });
  console.log(reportLines(report).join('\n'));
  reports.push(report);
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(reports, null, 2)}\n`);
if (reports.some(({ verdicts }) => verdicts.some(({ held }) => !held))) process.exitCode = 1;
