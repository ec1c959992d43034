import { spawnSync } from 'node:child_process';

/** The limits of coverage are about pure code, which the first part holds; measuring it costs those that start servers a quarter of their time. */
const parts = [
  { args: ['--project', 'unit', '--coverage'], report: 'reports/tests-unit.json' },
  { args: ['--project', 'integration'], report: 'reports/tests-servers.json' },
];

/** `npm test`: each part runs, even if the one before failed. Files that are named after `--` run alone. */
const named = process.argv.slice(2);
const failed = parts.filter(({ args, report }) => {
  const alone = named.length === 0 ? [] : ['--passWithNoTests', ...named];
  const { status } = spawnSync('vitest', ['run', ...args, ...alone], { stdio: 'inherit', env: { ...process.env, TEST_REPORT: report } });
  return status !== 0;
});
process.exitCode = failed.length === 0 ? 0 : 1;
