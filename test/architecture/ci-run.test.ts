import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchDir } from '../support/servers/scratch-dir.ts';

/** The end of `.ci/run`, which counts and says why, as it runs it. */
const closing =
  readFileSync(join(import.meta.dirname, '../../.ci/run'), 'utf8')
    .split("<<'JS'\n")[1]
    ?.split('\nJS')[0] ?? '';

test('the last lines of .ci/run say why tests failed that all passed', async () => {
  await using folder = await scratchDir();
  const at = (name: string) => join(folder.path, name);
  writeFileSync(at('closing.js'), closing);
  writeFileSync(at('report.json'), JSON.stringify({ numPassedTests: 3, numFailedTests: 0, testResults: [] }));
  const coverage = 'ERROR: Coverage for lines (99.9%) does not meet "src/bridge/order/**" threshold (100%)';
  writeFileSync(at('output'), ` ✓ all is well\n\u001B[31m${coverage}\u001B[39m\nand more\n`);
  const run = (...failed: string[]) => spawnSync(process.execPath, [at('closing.js'), at('output'), '1', at('report.json'), ...failed], { encoding: 'utf8' });

  const { status, stdout } = run('tests');

  expect([status, stdout]).toEqual([1, `\nfailed steps: tests\n${coverage}\n\n3 passed, 1 failed\n`]);
  expect([run().status, run().stdout]).toEqual([0, '\n3 passed, 0 failed\n']);
});

test('the last lines of .ci/run name each test that failed', async () => {
  await using folder = await scratchDir();
  const at = (name: string) => join(folder.path, name);
  writeFileSync(at('closing.js'), closing);
  const assertionResults = [
    { status: 'passed', fullName: 'holds' },
    { status: 'failed', fullName: 'a group breaks' },
  ];
  const report = { numPassedTests: 1, numFailedTests: 1, testResults: [{ name: '/elsewhere/a.test.ts', assertionResults }] };
  writeFileSync(at('report.json'), JSON.stringify(report));
  writeFileSync(at('output'), '');

  const { status, stdout } = spawnSync(process.execPath, [at('closing.js'), at('output'), '1', at('report.json'), 'tests'], { encoding: 'utf8' });

  expect([status, stdout]).toEqual([1, '\nfailed steps: tests\nfailed: /elsewhere/a.test.ts > a group breaks\n\n1 passed, 1 failed\n']);
});
