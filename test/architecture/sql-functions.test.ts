import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { readFunctions } from '../../src/service/database/service-tables.ts';

const source = join(import.meta.dirname, '../../src');

test('every file of functions is run at start', async () => {
  const files = globSync('**/*.sql', { cwd: source }).filter((file) => !basename(file).startsWith('version-'));

  const run = (await readFunctions()).map(({ name }) => `${name}.sql`);
  expect(run.toSorted()).toEqual(files.map((file) => basename(file)).toSorted());
});
