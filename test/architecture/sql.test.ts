import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plantTree } from '../support/servers/planted-tree.ts';

const repository = join(import.meta.dirname, '../..');

/** Where the database is spoken to. `pg` itself is kept there by the layer rules; this keeps the statements there, too. */
const HOMES = /^src\/(bridge\/ledger|service|platform\/postgres)\//;
const STATEMENT = /\.query(<[^(]*>)?\(|['`]\s*(select\s[^'`]+\sfrom|insert into|update \w+ set|delete from)\s/;

test('SQL stands in the ledger, the service and platform/postgres alone', () => {
  expect(filesWithSql(repository)).toEqual([]);
});

test('SQL that is planted elsewhere is found', async () => {
  await using tree = await plantTree(
    {
      'src/app/ping.ts': "export const ping = (pool) => pool.query('select 1');\n",
      'src/app/typed.ts': 'export const ids = (tx) => tx.query<{ id: string }>(text);\n',
      'src/cli/commands/peek.ts': 'export const text = `\n  select id from destinations`;\n',
      'src/operations/erase.ts': "export const text = 'delete from customers where id = $1';\n",
      'src/bridge/ledger/store.ts': "export const find = (pool) => pool.query('select id from orders');\n",
      'src/service/orders/store.ts': "export const text = 'insert into compliance.orders values ($1)';\n",
      'src/platform/postgres/ping.ts': "export const ping = (pool) => pool.query('select 1');\n",
      'src/cli/words.ts': "export const words = 'update the settings';\n",
    },
    [],
  );

  expect(filesWithSql(tree.root).sort()).toEqual(['src/app/ping.ts', 'src/app/typed.ts', 'src/cli/commands/peek.ts', 'src/operations/erase.ts']);
});

function filesWithSql(root: string): string[] {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const elsewhere = sources.map((path) => `src/${path}`).filter((path) => !HOMES.test(path));
  return elsewhere.filter((path) => STATEMENT.test(readFileSync(join(root, path), 'utf8')));
}
