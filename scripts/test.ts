import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { readReports, triedAgain, writeDurations } from './durations.ts';

/** The limits of coverage are about pure code, which the first part holds. */
const parts = [
  { args: ['--project', 'unit', '--coverage'], report: 'reports/tests-unit.json' },
  { args: ['--project', 'integration'], report: 'reports/tests-servers.json' },
];
const STARTS = 'reports/starts.jsonl';

/** `npm test`: each part runs, even if the one before failed. Files that are named after `--` run alone. */
const named = process.argv.slice(2);
const env = { TEST_SEED: String(randomInt(2 ** 31)), ...process.env, TEST_STARTS: STARTS };
mkdirSync('reports', { recursive: true });
rmSync(STARTS, { force: true });
const failed = parts.filter(({ args, report }) => {
  const alone = named.length === 0 ? [] : ['--passWithNoTests', ...named];
  const { status } = spawnSync('vitest', ['run', ...args, ...alone], { stdio: 'inherit', env: { ...env, TEST_REPORT: report } });
  return status !== 0;
});
const files = readReports(parts.map(({ report }) => report));
writeDurations(files, { starts: STARTS, to: 'reports/durations.md' });
for (const line of triedAgain(files)) console.log(`passed when tried again: ${line}`);
process.exitCode = failed.length === 0 ? 0 : 1;
