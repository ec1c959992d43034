import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cruised, layerOptions, layerPlants } from '../support/plants/layer-plants.ts';
import { plantTree } from '../support/servers/planted-tree.ts';

const repository = join(import.meta.dirname, '../..');

// That each rule fires on its plant is tested by test/long/layers.test.ts.
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
