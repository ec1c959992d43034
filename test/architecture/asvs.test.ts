import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AsvsRow, readAsvs } from '../../scripts/docs/asvs-table.ts';

const root = join(import.meta.dirname, '../..');

/** SHA-256 of "NUMBER LEVEL" lines of the levels 1 and 2, as in OWASP's 5.0/docs_en/…_5.0.0_en.csv at its tag v5.0.0_release. */
const REQUIREMENTS = '29debb6cfc11acf5deb2b2bb4e01bd836c5648dcc592aae17957e36b808cec05';

function problemsOf({ state, subject, where, tests, why, instead }: AsvsRow): string[] {
  return [
    ...(subject === '' ? ['no subject'] : []),
    ...(['holds', 'not applicable', 'left'].includes(state) ? [] : [`state ${state}`]),
    ...(state === 'holds' && where.length + tests.length === 0 ? ['nothing shows that it holds'] : []),
    ...(state !== 'holds' && why === '' ? ['no reason'] : []),
    ...(state === 'left' && instead === '' ? ['nothing compensates'] : []),
    ...[...where, ...tests].filter((path) => !existsSync(join(root, path))).map((path) => `${path} is not there`),
    ...tests.filter((path) => !path.endsWith('.test.ts')).map((path) => `${path} is no test`),
  ];
}

describe('the table of ASVS', () => {
  test('has each requirement of the levels 1 and 2 once', () => {
    const lines = readAsvs(root).map(({ requirement, level }) => `${requirement} ${level}`);

    expect(lines).toHaveLength(253);
    expect(createHash('sha256').update(lines.join('\n')).digest('hex')).toBe(REQUIREMENTS);
  });

  test('says of each where it is shown, or why not and what compensates', () => {
    const problems = readAsvs(root).flatMap((row) => problemsOf(row).map((problem) => `${row.requirement}: ${problem}`));

    expect(problems).toEqual([]);
  });

  test('has cells that are in their columns', () => {
    const lines = readFileSync(join(root, 'docs/reference/asvs.tsv'), 'utf8').replace(/\n$/, '').split('\n');

    expect(lines.filter((line) => line.split('\t').length !== 8)).toEqual([]);
  });

  test('a row that shows nothing, one without a reason and a path that is gone are found', () => {
    const row = { requirement: '1.1.1', level: '2', subject: 'x', where: [], tests: [], why: '', instead: '' };

    expect(problemsOf({ ...row, state: 'holds' })).toEqual(['nothing shows that it holds']);
    expect(problemsOf({ ...row, state: 'left', why: 'dear' })).toEqual(['nothing compensates']);
    expect(problemsOf({ ...row, state: 'not applicable' })).toEqual(['no reason']);
    expect(problemsOf({ ...row, state: 'done', why: 'x', tests: ['src/gone.ts'] })).toEqual([
      'state done',
      'src/gone.ts is not there',
      'src/gone.ts is no test',
    ]);
  });
});
