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

test('in the compose file the owner of the tables and the program are two roles, of which neither is superuser', () => {
  const compose = readFileSync(join(repository, 'docker-compose.yml'), 'utf8');

  const roles = [...compose.matchAll(/postgres:\/\/(\w+):/g)].map(([, role]) => role);
  const [, superuser = ''] = /POSTGRES_USER: (\w+)/.exec(compose) ?? [];
  const made = [...compose.matchAll(/create role (\w+) login password '\$\{(\w+)\}';$/gm)].map(([, role]) => role);

  expect(roles.toSorted()).toEqual(['orderbridge', 'orderbridge_owner']);
  expect(made.toSorted()).toEqual(roles.toSorted());
  expect(roles).not.toContain(superuser);
  expect(compose).toContain('alter database orderbridge owner to orderbridge_owner;');
});

test('the image holds no secret and no development dependency', () => {
  const dockerfile = readFileSync(join(repository, 'Dockerfile'), 'utf8');

  expect(dockerfile).toContain('--omit=dev');
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).not.toMatch(/^(ARG|ENV) .*(KEY|SECRET|TOKEN|PASSWORD)/m);
});
