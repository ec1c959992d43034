import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { z } from 'zod';

const assertion = z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()) });
const report = z.object({
  testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number(), assertionResults: z.array(assertion) })),
});
const COUNTED = ['databases', 'servers', 'programs', 'redis', 'browsers'] as const;
const started = z.object({ file: z.string(), ...Object.fromEntries(COUNTED.map((what) => [what, z.number()])) }).catchall(z.unknown());

type TestedFile = z.infer<typeof report>['testResults'][number];

/** The test files of a report; one that was not written has none. */
function readReport(path: string): TestedFile[] {
  return existsSync(path) ? report.parse(JSON.parse(readFileSync(path, 'utf8'))).testResults : [];
}

/** Writes how long each test file took and what it started, the longest first. */
function writeDurations(files: readonly TestedFile[], { starts, to }: { starts: string; to: string }): void {
  const lines = existsSync(starts) ? readFileSync(starts, 'utf8').trim().split('\n').filter(Boolean) : [];
  const counts = new Map(lines.map((line) => started.parse(JSON.parse(line))).map((count) => [count.file, count]));
  const rows = files
    .map(({ name, startTime, endTime, assertionResults }) => {
      const count = counts.get(name);
      const cells = COUNTED.map((what) => Number(count?.[what] ?? 0));
      return { file: relative(process.cwd(), name), ms: endTime - startTime, cells: [assertionResults.length, ...cells] };
    })
    .sort((a, b) => b.ms - a.ms);
  const sums = rows.reduce<number[]>((all, { cells }) => cells.map((cell, at) => cell + (all[at] ?? 0)), []);
  const row = (file: string, ms: number, cells: readonly number[]) => `| ${file} | ${(ms / 1000).toFixed(1)} | ${cells.join(' | ')} |`;
  const all = rows.reduce((sum, { ms }) => sum + ms, 0);
  const head = ['file', 'seconds', 'tests', ...COUNTED];
  writeFileSync(
    to,
    `${[`| ${head.join(' | ')} |`, `|${head.map(() => '---|').join('')}`, row(`all ${rows.length}`, all, sums), ...rows.map(({ file, ms, cells }) => row(file, ms, cells))].join('\n')}\n`,
  );
}

/** Runs vitest; what a run leaves is in reports/*NAME*. `env`: beside TEST_SEED, which is drawn if it is not given. */
export function runTests(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  const [report, starts] = [`reports/${name}.json`, `reports/${name}-starts.jsonl`];
  mkdirSync('reports', { recursive: true });
  for (const file of [report, starts]) rmSync(file, { force: true });
  const all = { TEST_SEED: String(randomInt(2 ** 31)), ...process.env, ...env, TEST_STARTS: starts, TEST_REPORT: report };
  const { status } = spawnSync('vitest', ['run', ...args], { stdio: 'inherit', env: all });
  const files = readReport(report);
  writeDurations(files, { starts, to: `reports/${name}-durations.md` });
  for (const line of triedAgain(files)) console.log(`passed when tried again: ${line}`);
  return status ?? 1;
}

/** Tests that passed when they were tried again: `FILE > TEST: what was waited for`. */
function triedAgain(files: readonly TestedFile[]): string[] {
  return files.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(({ fullName, failureMessages }) => `${relative(process.cwd(), name)} > ${fullName}: ${failureMessages[0]?.split('\n')[0]}`),
  );
}
