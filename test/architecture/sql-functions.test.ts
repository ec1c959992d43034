import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { readFunctions } from '../../src/service/database/service-tables.ts';

const source = join(import.meta.dirname, '../../src');

test('every file of functions is run at start', async () => {
  const files = globSync('**/*.sql', { cwd: source }).filter((file) => !basename(file).startsWith('version-'));

  const run = (await readFunctions()).map(({ name }) => `${name}.sql`);
  expect(run.toSorted()).toEqual(files.map((file) => basename(file)).toSorted());
});

test('our own service names its tables with their schema: its connections have the search path of the ledger', () => {
  const read = (file: string) => readFileSync(join(source, file), 'utf8');
  const tables = [...read('service/database/version-1.sql').matchAll(/^create table compliance\.(\w+)/gm)].map(([, name = '']) => name);
  const bareIn = (text: string) => {
    const code = text.replace(/^\s*(\/\/|\/?\*|--).*$/gm, '');
    return tables.filter((name) => new RegExp(`\\b(from|join|into|update) ${name}\\b`).test(code) && !new RegExp(`\\b${name} as \\(`).test(code));
  };

  expect(tables.length).toBeGreaterThan(20);
  expect(bareIn('select from orders o')).toEqual(['orders']);
  expect(globSync('service/**/*.{ts,sql}', { cwd: source }).flatMap((file) => bareIn(read(file)).map((name) => `${file}: ${name}`))).toEqual([]);
});
