import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { migrations } from '../../src/service/database/migrations.ts';
import { readFunctions } from '../../src/service/database/read-functions.ts';
import editions from '../fixtures/databases/function-editions.json' with { type: 'json' };

const source = join(import.meta.dirname, '../../src');

test('every file of functions is run at start', async () => {
  const files = globSync('**/*.sql', { cwd: source });

  const run = (await readFunctions()).map(({ name }) => `${name}.sql`);
  expect(run.toSorted()).toEqual(files.map((file) => basename(file)).toSorted());
});

test('functions that changed come with a version, so that an older program does not put its own back', async () => {
  const digest = createHash('sha256')
    .update(JSON.stringify(await readFunctions()))
    .digest('hex');
  const version = Math.max(...migrations.map((migration) => migration.version));

  const editionOf = new Map(Object.entries(editions));
  expect(
    digest,
    `The functions are not those of version ${version}. Add a version to migrations.ts (its sql may be empty), and it with this digest to function-editions.json.`,
  ).toBe(editionOf.get(String(version)));
});
