import { PassThrough, type Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { forTerminal, note, printJson, printLines } from '../../../src/platform/terminal/print.ts';
import { textFields } from '../../../src/platform/terminal/text-table.ts';

/** A title is set, the screen cleared, a bell rung, the same by one byte of C1, and the reading order turned round. */
const EVIL = '\u001b]0;pwned\u0007\u001b[2J\u009b2J\u202egpj.exe\u2066\u007f';
const OBEYED = /[^\P{Cc}\n\t]|\p{Bidi_Control}/u;

function written(print: (out: { stdout: Writable; stderr: Writable }) => void): string {
  const out = new PassThrough();
  print({ stdout: out, stderr: out });
  return String(out.read());
}

test('finding 14: lines and remarks have nothing that a terminal obeys', () => {
  expect(written((out) => printLines(out, [`order ${EVIL}`, 'two']))).toMatch(/^order .+\ntwo\n$/);
  for (const print of [(out: { stdout: Writable }) => printLines(out, [EVIL]), (out: { stderr: Writable }) => note(out, EVIL)])
    expect(written(print)).not.toMatch(OBEYED);
});

test('finding 14: JSON has none of it either, and still says the same', () => {
  const text = written((out) => printJson(out, { name: EVIL }));

  expect(text).not.toMatch(OBEYED);
  expect(JSON.parse(text)).toEqual({ name: EVIL });
});

test('text without any is printed as it is', () => {
  const text = 'Чаша „350 мл“ 🎁\tза Ани\n‘=1’';

  expect(forTerminal(text)).toBe(text);
});

test('a field is one line, so that text from outside can’t look like another field', () => {
  expect(
    textFields([
      ['order', '1\nstate  recorded'],
      ['state', 'review'],
    ]),
  ).toEqual(['order  1 state recorded', 'state  review']);
});
