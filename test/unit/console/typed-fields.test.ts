import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wordsIn } from '../../../src/console/messages/messages.ts';

/** Fields whose page has them again with what was typed, filters of lists, secrets and files: a form that could not be done doesn't show them. */
const ELSEWHERE = ['company', 'day', 'file', 'from', 'gateway', 'month', 'old', 'password', 'q', 'rate', 'secret', 'shop', 'to'];

test('what somebody typed into a field is shown again where its form could not be done', () => {
  const texts = globSync('src/console/pages/**/*.ts').map((path) => readFileSync(path, 'utf8'));
  const typed = texts.flatMap((text) =>
    [...text.matchAll(/\bfield\(\{[^}]*?\bname: '([\w-]+)'([^}]*)/g)].flatMap(([, name = '', more = '']) => (more.includes('options') ? [] : [name])),
  );
  const known = [...Object.keys(wordsIn('en').frame.problem.fields), ...ELSEWHERE];

  expect(typed.length).toBeGreaterThan(20);
  expect(typed.filter((name) => !known.includes(name))).toEqual([]);
});
