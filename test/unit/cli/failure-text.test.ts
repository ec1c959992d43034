import { describe, expect, test } from 'vitest';
import { exitCodeOf, failureText } from '../../../src/cli/run-cli.ts';
import { wordsIn } from '../../../src/console/messages/messages.ts';
import { refusedPage } from '../../../src/console/problem-pages.ts';
import { quoted } from '../../../src/contract/messages.ts';
import { Refusal, type RefusalKind } from '../../../src/operations/refusal.ts';
import { CliError } from '../../../src/platform/terminal/context.ts';

describe('the exit code', () => {
  test.each<[RefusalKind, number]>([
    ['invalid', 1],
    ['missing', 1],
    ['conflict', 1],
    ['unavailable', 1],
    ['misconfigured', 78],
  ])('of a refusal that is %s is %i', (kind, code) => {
    expect(exitCodeOf(new Refusal(kind, quoted('no')))).toBe(code);
  });

  test('of a mistake in the command is its own, of anything else 1', () => {
    expect([exitCodeOf(new CliError('no', 2)), exitCodeOf(new Error('a bug'))]).toEqual([2, 1]);
  });
});

describe('the words', () => {
  test('are the problem and what to do about it', () => {
    expect(failureText(new Refusal('missing', { ...quoted('there is no shop 7'), advice: quoted('list them') }))).toBe('there is no shop 7; list them');
  });

  test('of what to type are on the command line alone: a page has buttons', () => {
    const refusal = new Refusal('missing', { ...quoted('there is no shop 7'), advice: '`orderbridge connections` lists them' });

    expect(failureText(refusal)).toBe('there is no shop 7; `orderbridge connections` lists them');
    expect(refusedPage(wordsIn('en'), refusal, { back: '/console', form: null }).body.markup).not.toContain('orderbridge');
    const advised = new Refusal('missing', { ...quoted('there is no shop 7'), advice: quoted('choose another') });
    expect(refusedPage(wordsIn('en'), advised, { back: '/console', form: null }).body.markup).toContain('choose another');
  });

  test('are none if the command has said everything', () => {
    expect(failureText(new CliError('', 1))).toBe('');
  });

  test('end with the table to choose from', () => {
    const choices = {
      header: ['id', 'number'],
      rows: [
        ['id:1', null],
        ['id:20', '#7'],
      ],
    } as const;

    expect(failureText(new Refusal('conflict', { ...quoted('7 names several'), advice: quoted('say which'), choices }))).toBe(
      '7 names several; say which:\nid     number\nid:1   -\nid:20  #7',
    );
  });

  test('of a refusal are at hand without the advice, for a page that has a button instead', () => {
    expect(new Refusal('missing', { ...quoted('there is no shop 7'), advice: quoted('list them') }).what).toBe('there is no shop 7');
  });
});
