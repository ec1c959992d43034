import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { readReport, triedAgain, writeDurations } from './durations.ts';

const REPORT = 'reports/tests.json';
const STARTS = 'reports/starts.jsonl';

/** `npm test`; files that are named after `--` run alone. */
mkdirSync('reports', { recursive: true });
for (const file of [REPORT, STARTS]) rmSync(file, { force: true });
const env = { TEST_SEED: String(randomInt(2 ** 31)), ...process.env, TEST_STARTS: STARTS, TEST_REPORT: REPORT };
const { status } = spawnSync('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit', env });
const files = readReport(REPORT);
writeDurations(files, { starts: STARTS, to: 'reports/durations.md' });
for (const line of triedAgain(files)) console.log(`passed when tried again: ${line}`);
process.exitCode = status ?? 1;
