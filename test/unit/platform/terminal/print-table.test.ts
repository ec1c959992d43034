import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { CliContext } from '../../../../src/platform/terminal/context.ts';
import { note, printLines, printTable } from '../../../../src/platform/terminal/print.ts';

type Terminal = { env?: Record<string, string>; columns?: number };

function written(print: (out: Pick<CliContext, 'stdout' | 'stderr' | 'env'>) => void, { env = {}, columns }: Terminal = {}): string {
  const stream = Object.assign(new PassThrough(), columns === undefined ? {} : { isTTY: true, columns });
  print({ stdout: stream, stderr: stream, env });
  return String(stream.read());
}

const table = (out: Pick<CliContext, 'stdout' | 'env'>) =>
  printTable(out, {
    header: ['number', 'state'],
    rows: [
      ['#1', 'review'],
      ['#2', 'odd'],
    ],
    tones: { state: (state) => (state === 'review' ? 'asks' : undefined) },
  });
const YELLOW = '\u001b[33mreview\u001b[39m';
const plain = 'number  state\n#1      review\n#2      odd\n';

test('a state has its colour on a terminal', () => {
  expect(written(table, { columns: 80, env: { TERM: 'xterm-256color' } })).toBe(`number  state\n#1      ${YELLOW}\n#2      odd\n`);
});

test.each([
  ['elsewhere', { env: { TERM: 'xterm-256color' } }],
  ['with NO_COLOR', { columns: 80, env: { TERM: 'xterm-256color', NO_COLOR: '1' } }],
  ['on a dumb terminal', { columns: 80, env: { TERM: 'dumb' } }],
  ['with FORCE_COLOR=0', { columns: 80, env: { TERM: 'xterm-256color', FORCE_COLOR: '0' } }],
])('there is none %s', (_, terminal) => {
  expect(written(table, terminal)).toBe(plain);
});

test('FORCE_COLOR makes them where there is no terminal', () => {
  expect(written(table, { env: { FORCE_COLOR: '3' } })).toContain(YELLOW);
});

test('a name from a store adds no colour, cursor or line of its own', () => {
  const evil = '\u001b[31mred\u0007\nstate  recorded';
  const text = written((out) => printTable(out, { header: ['name', 'state'], rows: [[evil, 'review']], tones: { state: () => 'asks' } }), {
    columns: 80,
    env: { TERM: 'xterm-256color' },
  });

  expect(text.replace(YELLOW, 'review').split('\n')).toEqual([
    expect.stringMatching(/^name +state$/),
    expect.stringMatching(/^\S*\[31mred state recorded +review$/),
    '',
  ]);
  expect(text.replace(YELLOW, '')).not.toContain('\u001b');
});

test('on a terminal lines and remarks are broken between words; elsewhere they stay whole', () => {
  const words = 'The settings are replaced, and three hundred orders are decided again.';

  expect(written((out) => printLines(out, [words]), { columns: 40 })).toBe('The settings are replaced, and three\nhundred orders are decided again.\n');
  expect(written((out) => note(out, words), { columns: 40 })).toBe('The settings are replaced, and three\nhundred orders are decided again.\n');
  expect(written((out) => printLines(out, [words]))).toBe(`${words}\n`);
});
