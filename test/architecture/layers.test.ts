import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { longTest } from '../support/long-test.ts';
import { cruised, layerOptions, layerPlants, plantedFiles, violations } from '../support/plants/layer-plants.ts';
import { plantTree } from '../support/servers/planted-tree.ts';

const repository = join(import.meta.dirname, '../..');

test('each layer rule has a plant', () => {
  const rules = (layerOptions.ruleSet?.forbidden ?? []).map(({ name }) => name);

  expect(new Set(layerPlants.map(({ rule }) => rule))).toEqual(new Set(rules));
});

test('a folder may import what its row in docs/architecture.md says, and nothing else', async () => {
  const rows = await folderRows();
  const names = Object.keys(rows);
  const pairs = names.flatMap((from) => names.filter((to) => to !== from).map((to) => ({ from, to })));
  await using tree = await plantTree(
    {
      ...Object.fromEntries(names.map((name) => [`src/${name}/base.ts`, 'export type It = string;\n'])),
      ...Object.fromEntries(pairs.map(({ from, to }) => [`src/${from}/to-${to}.ts`, `import type { It } from '../${to}/base.ts';\nexport type Mine = It;\n`])),
    },
    ['package.json'],
  );

  // Every folder imports every other one here, so all are in cycles.
  const { summary } = await cruised(tree.root);
  const refused = new Set(summary.violations.filter(({ rule }) => rule.name !== 'no-folder-cycles').map(({ from }) => from));

  expect(names).toEqual(expect.arrayContaining(await foldersOf(join(repository, 'src'))));
  const allowed = (name: string) => names.filter((to) => to !== name && !refused.has(`src/${name}/to-${to}.ts`));
  expect(Object.fromEntries(names.map((name) => [name, allowed(name)]))).toEqual(rows);
});

longTest('each layer rule fires on the file planted against it', async () => {
  await using tree = await plantTree(plantedFiles(), ['package.json']);

  const fired = violations(await cruised(tree.root));

  // A rule about folders names the folder.
  const silent = layerPlants.filter(
    ({ rule, file }) => !fired.some((line) => line.startsWith(`${rule}: ${file} `) || line.startsWith(`${rule}: ${dirname(file)} `)),
  );
  expect(silent).toEqual([]);
});

longTest('the real tree is cruised, and breaks no rule', async () => {
  const result = await cruised(repository);

  expect(result.summary.totalCruised).toBeGreaterThan(20);
  expect(violations(result)).toEqual([]);
});

longTest('imports that the rules allow are not reported', async () => {
  await using tree = await plantTree(
    {
      'src/contract/schema.ts': "import { z } from 'zod';\nexport const text = z.string();\n",
      'src/bridge/delivery/some-worker.ts': "import type { Processor } from 'bullmq';\nexport type Mine = Processor;\n",
      'src/bridge/delivery/one.ts': "import type { Two } from './two.ts';\nexport type One = Two;\n",
      'src/bridge/delivery/two.ts': "import type { One } from './one.ts';\nexport type Two = { one: One };\n",
      'src/operations/read.ts': "import type { Row } from '../bridge/ledger/rows.ts';\nexport type Mine = Row;\n",
      // No file is in a cycle here; each folder imports one below it.
      'src/bridge/ledger/rows.ts': "import type { One } from '../delivery/one.ts';\nexport type Row = One;\n",
      'src/platform/mail/outbox.ts': "import type { Queryable } from '../postgres/postgres.ts';\nexport type Outbox = Queryable;\n",
      'src/platform/postgres/postgres.ts': 'export type Queryable = string;\n',
      'src/service/mail/shop-mails.ts': "import type { Outbox } from '../../platform/mail/outbox.ts';\nexport type Mine = Outbox;\n",
      'src/platform/owned.ts': 'export async function owned(thing: AsyncDisposable): Promise<void> {\n  await using _thing = thing;\n}\n',
    },
    ['package.json'],
  );

  expect(violations(await cruised(tree.root))).toEqual([]);
});

/** The folders that each folder of `src` may import, by the table of the page. */
async function folderRows(): Promise<Record<string, string[]>> {
  const page = await readFile(join(repository, 'docs/architecture.md'), 'utf8');
  const rows = [...page.matchAll(/^\| \[`src\/(\w+)`\]\S+ \|.*\| ([^|;]+)[^|]*\|$/gm)].map(([, name = '', words = '']) => ({ name, words: words.trim() }));
  const names = rows.map(({ name }) => name);
  return Object.fromEntries(
    rows.map(({ name, words }) => [
      name,
      importsOf(
        words,
        names.filter((other) => other !== name),
      ),
    ]),
  );
}

function importsOf(words: string, others: readonly string[]): string[] {
  const named = others.filter((other) => new RegExp(`\\b${other}\\b`).test(words));
  return words.startsWith('all') ? others.filter((other) => !named.includes(other)) : named;
}

async function foldersOf(path: string): Promise<string[]> {
  return (await readdir(path, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
