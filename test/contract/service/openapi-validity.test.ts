import { spawnSync } from 'node:child_process';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../../src/service/interface/openapi-document.ts';

const document = (): Record<string, unknown> => JSON.parse(JSON.stringify(openApiDocument()));

test('the document is one of OpenAPI 3.1, as a validator of others has it', async () => {
  const validator = new Validator();

  expect(await validator.validate(document())).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  expect(await validator.validate({ ...document(), info: {} })).toMatchObject({ valid: false });
});

const COMPILE = 'import json, re, sys\nfor pattern in json.load(sys.stdin):\n  try: re.compile(pattern)\n  except re.error as wrong: print(pattern, wrong)';

/** Those that Python can't compile; null: there is no Python. */
function notOfPython(patterns: readonly string[]): string | null {
  const { error, status, stdout, stderr } = spawnSync('python3', ['-c', COMPILE], { input: JSON.stringify(patterns), encoding: 'utf8' });
  if (error !== undefined) return null;
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

test('clients in Python can compile every pattern of it, once \\p{…} is what their `re` knows', ({ skip }) => {
  const patterns = patternsIn(document());
  expect(patterns.length).toBeGreaterThan(30);

  const wrong = notOfPython(patterns.map((pattern) => pattern.replaceAll(/\\[pP]\{[^}]*\}/g, '\\w')));

  if (wrong === null) return skip('python3 is not on the PATH');
  expect(wrong).toBe('');
  expect(notOfPython(['^(a$', '^a$'])).toMatch(/^\^\(a\$ .*\n$/);
});

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, of]) => (name === 'pattern' && typeof of === 'string' ? [of] : patternsIn(of)));
}
