import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environment } from '../../src/config/environment.ts';

const repository = join(import.meta.dirname, '../..');

test('the compose file sets no variable that the program does not know', () => {
  const compose = readFileSync(join(repository, 'docker-compose.yml'), 'utf8');

  // Our own variables are in the shared blocks, indented by two; those of Redis and PostgreSQL deeper.
  const names = [...compose.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name ?? '');

  expect(names).toContain('DATABASE_URL');
  expect(names.filter((name) => !(name in environment.shape))).toEqual([]);
});

test('the image holds no secret and no development dependency', () => {
  const dockerfile = readFileSync(join(repository, 'Dockerfile'), 'utf8');

  expect(dockerfile).toContain('--omit=dev');
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).not.toMatch(/^(ARG|ENV) .*(KEY|SECRET|TOKEN|PASSWORD)/m);
});
